"""Made-up requests to every plain route of the application: none of them may break it."""

from typing import Any

import pytest
import schemathesis
from fastapi.openapi.utils import get_openapi
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from app.db.records import StaffRole
from tests.integration.app.security.conftest import As, WholeApp

pytestmark = pytest.mark.asyncio(loop_scope="module")
EXAMPLES = 4
"""Made-up requests for each operation and role."""


def operations(whole: WholeApp) -> list[Any]:
    """What schemathesis makes of the application's own routes; Gradio's are in the walk."""
    document = get_openapi(title="Hearken", version="0", routes=whole.app.routes)
    schema = schemathesis.openapi.from_dict(document)
    return [result.ok() for result in schema.get_all_operations()]


async def test_the_schema_holds_the_routes_of_staff_and_of_persons(whole: WholeApp) -> None:
    paths = {operation.path for operation in operations(whole)}
    assert {"/login", "/logout", "/api/me/export", "/api/staff/referrals.csv", "/api/staff/me"} <= paths


@pytest.mark.parametrize("role", [None, StaffRole.ADMIN])
async def test_no_made_up_request_ends_in_an_error_of_the_server(
    whole: WholeApp, cookies_of: As, role: StaffRole | None
) -> None:
    broken: list[tuple[str, str, int]] = []
    count = 0
    for operation in operations(whole):
        # Signing out would end the login that the other requests need; signing in is the same for everybody.
        if operation.path.startswith("/log") and role is not None:
            continue
        for case in made_up(operation):
            status = await sent(whole, case, await cookies_of(role))
            count += 1
            # Readiness says 503 while a needed part is missing, which is its purpose.
            if status >= 500 and operation.path != "/readyz":
                broken.append((case.method, case.path, status))
    assert broken == []
    assert count >= 4 * EXAMPLES


def made_up(operation: Any) -> list[Any]:
    """Requests that fit the operation's schema and requests that do not, the same each time."""
    found: list[Any] = []
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    strategy = st.one_of([operation.as_strategy(generation_mode=mode) for mode in modes])

    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(case: Any) -> None:
        found.append(case)

    collect()
    return found


async def sent(whole: WholeApp, case: Any, cookies: dict[str, str]) -> int:
    """The status of the answer."""
    given_ = case.as_transport_kwargs(base_url="http://localhost")
    request = {name: given_.get(name) for name in ("params", "json", "data", "headers") if given_.get(name)}
    headers = {
        str(k): str(v).encode("utf-8", "ignore").decode("latin-1")
        for k, v in request.pop("headers", {}).items()
    }
    async with whole.browser(cookies) as browser:
        answer = await browser.request(given_["method"], given_["url"], headers=headers, **request)
    return answer.status_code
