"""No page and no file of a deployment names a setting that does not exist."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from app.settings import variables
from app.settings_given import TEST_VARIABLES
from docs.check_links import ROOT, pages

_NAME = re.compile(r"\bHEARKEN_[A-Z0-9_]+")


def unknown(text: str, known: Collection[str]) -> Iterator[str]:
    """Names in a text that no setting has; one that ends in ``__`` stands for its group."""
    for name in _NAME.findall(text):
        group = name.endswith("__") and any(one.startswith(name) for one in known)
        if not group and name not in known and name not in TEST_VARIABLES:
            yield name


def files() -> list[Path]:
    deployed = [path for path in (ROOT / "deploy").iterdir() if path.is_file()]
    # The changelog may name what was there once.
    return [*(page for page in pages(ROOT) if page.name != "CHANGELOG.md"), ROOT / "Dockerfile", *deployed]


def test_every_setting_that_is_named_exists() -> None:
    known = variables()
    named = {file: file.read_text("utf-8") for file in files()}
    assert sum("HEARKEN_" in text for text in named.values()) > 5
    assert {(file.name, name) for file, text in named.items() for name in unknown(text, known)} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("`HEARKEN_INSIGHTS__IMMINENT_MINUTES`", ["HEARKEN_INSIGHTS__IMMINENT_MINUTES"]),
        ("HEARKEN_NO_SUCH__… and HEARKEN_SERVER__…", ["HEARKEN_NO_SUCH__"]),
        ("HEARKEN_SERVER__PORT=1, HEARKEN_SKIP_VLLM=1", []),
    ],
)
def test_a_name_that_no_setting_has_is_found(text: str, found: list[str]) -> None:
    assert list(unknown(text, variables())) == found
