"""Which account a provider's word stands for, and what it may do."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from app.auth.accounts import AccountError, Accounts
from app.auth.sign_in import ANONYMOUS, SignedIn, SignInError, StaffAuth
from app.db.audit import AuditRepository
from app.db.errors import ConflictError
from app.db.records import Staff, StaffRole
from app.db.staff import StaffRepository
from app.settings_oidc import OidcSettings

_log = logging.getLogger(__name__)
ACTOR = "system:oidc"
_LONGEST_SUBJECT = 512


@dataclass(frozen=True, slots=True)
class Claims:
    """What a provider says about who signed in, after its signature was checked.

    Attributes:
        subject: Issuer and the user's unchanging id there, empty when either is missing.
        name: User name, from the claim that the settings name.
        email_verified: Whether the provider has checked the e-mail address.
        groups: Groups of the person.
    """

    subject: str
    name: str
    email_verified: bool
    groups: frozenset[str]


class ProviderSignIn:
    """Lets in who has an account, by the provider's claims; each refusal is in the audit log."""

    def __init__(
        self, auth: StaffAuth, staff: StaffRepository, audit: AuditRepository, settings: OidcSettings
    ) -> None:
        self._auth = auth
        self._staff = staff
        self._audit = audit
        self._accounts = Accounts(staff, audit, ACTOR)
        self._settings = settings
        self._groups = {
            StaffRole.ADMIN: _listed(settings.admin_groups),
            StaffRole.ANNOTATOR: _listed(settings.annotator_groups),
        }

    async def sign_in(self, token: Mapping[str, Any]) -> SignedIn:
        """Open a browser session.

        Args:
            token: Claims of the ID token, checked before.

        Raises:
            SignInError: There is no account for them, it is disabled, or the rules refuse it.
        """
        claims = self._claims(token)
        if not claims.subject:
            await self.refuse("no_subject")
        if not claims.name:
            await self.refuse("no_name")
        if self._settings.require_verified_email and not claims.email_verified:
            await self.refuse("unverified")
        role = self._role(claims)
        if role is None and any(self._groups.values()):
            await self.refuse("no_group")
        return await self._auth.admit(await self._account(claims, role))

    async def refuse(self, why: str) -> NoReturn:
        """Note a sign-in that failed before it belonged to an account.

        Raises:
            SignInError: Always.
        """
        _log.warning("sign-in by the provider failed: %s", why)
        await self._audit.record(ANONYMOUS, "sign_in.failed", "staff", None, {"by": "oidc", "why": why})
        raise SignInError

    async def _account(self, claims: Claims, role: StaffRole | None) -> Staff:
        """The account that the provider's user is bound to; at the first sign-in, that of the name."""
        account = await self._staff.by_subject(claims.subject)
        if account is None:
            account = await self._staff.by_username(claims.name)
            if account is None:
                if not self._settings.create_accounts:
                    await self.refuse("unknown")
                account = await self._created(claims.name, role or StaffRole.ANNOTATOR)
            account = await self._bound(account, claims.subject)
        if role is None or account.role is role or account.disabled_at is not None:
            return account
        try:
            await self._accounts.set_role(account, role)
        except AccountError as problem:
            # The last admin stays one, whatever the groups say.
            _log.warning("the role of an account does not follow its groups: %s", problem.code)
        return await self._staff.get(account.id) or account

    async def _bound(self, account: Staff, subject: str) -> Staff:
        """The account, bound to the user from now on; refused when it belongs to another one."""
        if account.disabled_at is not None:
            return account
        try:
            bound = await self._staff.bind(account.id, subject)
        except ConflictError:
            bound = None  # two sign-ins of one user at once, under two names
        if bound is None:
            await self.refuse("other_subject")
        await self._audit.record(ACTOR, "staff.bound", "staff", account.id)
        return bound

    async def _created(self, name: str, role: StaffRole) -> Staff:
        try:
            return await self._accounts.create(name, role, None)
        except AccountError as problem:
            await self.refuse(problem.code)

    def _claims(self, token: Mapping[str, Any]) -> Claims:
        settings = self._settings
        name = token.get(settings.name_claim)
        given = token.get(settings.groups_claim)
        groups = cast("list[object]", given) if isinstance(given, list) else []
        who = [token.get("iss"), token.get("sub")]
        subject = " ".join(str(part) for part in who) if all(who) else ""
        return Claims(
            # An id is unique at its issuer only.
            subject=subject if len(subject) <= _LONGEST_SUBJECT else "",
            name=name.strip() if isinstance(name, str) else "",
            # Some providers write "false": only the truth value counts.
            email_verified=token.get("email_verified") is True,
            groups=frozenset(str(one) for one in groups),
        )

    def _role(self, claims: Claims) -> StaffRole | None:
        for role in (StaffRole.ADMIN, StaffRole.ANNOTATOR):
            if claims.groups & self._groups[role]:
                return role
        return None


def _listed(groups: str) -> frozenset[str]:
    return frozenset(part.strip() for part in groups.split(",") if part.strip())
