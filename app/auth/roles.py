"""Who may do what: one gate that pages and routes ask, and roles as types of route parameters.

A route that only admins may use takes a parameter of type :data:`Admin`; a handler of a page calls
``await gate.require(request.cookies, StaffRole.ADMIN, "what")`` before anything else.
"""

import logging
from collections.abc import Mapping
from typing import Annotated

from fastapi import Depends, HTTPException, Request

from app.auth.sign_in import StaffAuth
from app.auth.staff_cookie import read_token
from app.db.audit import AuditRepository
from app.db.records import Staff, StaffRole

_log = logging.getLogger(__name__)

_ALLOWED = {
    StaffRole.ANNOTATOR: frozenset({StaffRole.ANNOTATOR, StaffRole.ADMIN}),
    StaffRole.ADMIN: frozenset({StaffRole.ADMIN}),
}
"""Who passes where a role is asked for: an admin may also annotate."""


def may(role: StaffRole | None, needed: StaffRole) -> bool:
    """Whether an account of a role passes where ``needed`` is asked for; nobody (``None``) never does."""
    return role in _ALLOWED[needed]


class NotSignedInError(Exception):
    """The browser has no good staff login."""


class WrongRoleError(Exception):
    """The account may not do this.

    Attributes:
        role: What it may do instead.
    """

    def __init__(self, role: StaffRole) -> None:
        super().__init__("the account may not do this")
        self.role = role


class StaffOnlyError(HTTPException):
    """A route's refusal; ``app.api.staff_answers`` turns it into a page for people.

    Attributes:
        role: Of the account that asked; ``None`` where nobody is signed in.
    """

    def __init__(self, role: StaffRole | None) -> None:
        if role is None:
            super().__init__(401, "Sign in first.")
        else:
            super().__init__(403, "Your account may not do this.")
        self.role = role


class StaffGate:
    """Lets staff through by role; every refusal is logged."""

    def __init__(self, auth: StaffAuth, audit: AuditRepository) -> None:
        self._auth = auth
        self._audit = audit

    async def require(
        self, cookies: Mapping[str, str], role: StaffRole, what: str, *, active: bool = True
    ) -> Staff:
        """The account that is asking, if it may.

        Args:
            cookies: Of the request.
            role: What is needed.
            what: Name of the page or action, for the logs.
            active: Somebody does something; false for what an open page asks by itself.

        Raises:
            NotSignedInError: There is no good login.
            WrongRoleError: There is one, but it is not enough.
        """
        staff = await self._auth.who(read_token(cookies), active=active)
        if staff is None:
            _log.warning("refused %s: not signed in", what)
            raise NotSignedInError
        if not may(staff.role, role):
            _log.warning("refused %s: role %s", what, staff.role)
            await self._audit.record(staff.id, "access.refused", "page", what, {"role": staff.role.value})
            raise WrongRoleError(staff.role)
        return staff


async def _required(request: Request, role: StaffRole, *, active: bool = True) -> Staff:
    gate: StaffGate = request.app.state.staff_gate
    try:
        return await gate.require(request.cookies, role, request.url.path, active=active)
    except NotSignedInError:
        raise StaffOnlyError(None) from None
    except WrongRoleError as error:
        raise StaffOnlyError(error.role) from None


async def _annotator(request: Request) -> Staff:
    return await _required(request, StaffRole.ANNOTATOR)


async def _admin(request: Request) -> Staff:
    return await _required(request, StaffRole.ADMIN)


async def _watching_admin(request: Request) -> Staff:
    return await _required(request, StaffRole.ADMIN, active=False)


Annotator = Annotated[Staff, Depends(_annotator)]
"""Parameter type of routes for all staff."""
Admin = Annotated[Staff, Depends(_admin)]
"""Parameter type of routes for admins only."""
WatchingAdmin = Annotated[Staff, Depends(_watching_admin)]
"""The same for what an open page asks again and again, which does not keep a login alive."""
