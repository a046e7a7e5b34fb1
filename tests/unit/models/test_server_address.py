import pytest

from models.server_address import Reach, exposure_warnings, is_internal, reach_of


@pytest.mark.parametrize(
    ("url", "reach"),
    [
        ("http://127.0.0.1:8000", "loopback"),
        ("http://localhost:8000", "loopback"),
        ("http://[::1]:8000", "loopback"),
        ("http://10.0.0.5:8000", "private"),
        ("http://192.168.1.2", "private"),
        ("http://[fd00::1]:8000", "private"),
        ("http://8.8.8.8:8000", "public"),
    ],
)
async def test_addresses_are_told_apart(url: str, reach: str) -> None:
    assert await reach_of(url) == reach


async def test_a_name_that_cannot_be_looked_up_is_unknown() -> None:
    assert await reach_of("http://nobody.invalid:8000") == "unknown"


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8000",
        "http://localhost",
        "http://vllm:8000",
        "http://10.1.2.3",
        "http://gpu.internal",
    ],
)
def test_internal_names_pass_proxies_by(url: str) -> None:
    assert is_internal(url)


@pytest.mark.parametrize("url", ["https://models.example.org/v1", "http://8.8.8.8"])
def test_public_names_may_use_a_proxy(url: str) -> None:
    assert not is_internal(url)


@pytest.mark.parametrize("reach", ["loopback", "private", "unknown"])
def test_a_server_in_a_private_place_needs_no_warning(reach: Reach) -> None:
    assert exposure_warnings(reach, open_to_all=True) == ()


@pytest.mark.parametrize(("open_to_all", "words"), [(True, "without a key"), (False, "only a part")])
def test_a_server_at_a_public_address_is_warned_of(open_to_all: bool, words: str) -> None:
    (warning,) = exposure_warnings("public", open_to_all=open_to_all)
    assert words in warning
