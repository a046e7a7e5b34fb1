"""Admins read the audit log in words: every action, detail and object that the code can write has some."""

import ast
import inspect
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, get_args

import pytest

import app
from app.auth import oidc
from app.db.audit_words import Action, DetailName
from app.db.insights_records import Figure
from app.db.ownership import owned_tables
from app.db.records import FlagOutcome, StaffRole
from app.db.staff_records import AuditEntry
from app.ui.accounts_desk import AuditPage
from app.ui.audit_markup import SHARED, action_name, actor_name, audit_markup, detail_words
from app.ui.staff_texts import load_staff_texts
from safety.levels import RiskCategory, RiskLevel

TEXTS = load_staff_texts()
ROOT = Path(next(iter(app.__path__)))
Locale = Literal["en", "zh"]
LOCALES = pytest.mark.parametrize("locale", ["en", "zh"])
VALUES: dict[str, list[object]] = {
    "by": ["oidc"],
    "category": [one.value for one in RiskCategory],
    "kind": ["csv", "jsonl"],
    "language": ["en", "zh"],
    "level": [one.label for one in RiskLevel],
    "locked": [True, False],
    "outcome": [one.value for one in FlagOutcome],
    "raters": ["all", "staff"],
    "role": [one.value for one in StaffRole],
    "series": [*(one.value for one in Figure), "responses"],
    "to": [None],
    "value": [1, -1, None],
    "why": ["provider", "answer", "no_token", "empty_name", "long_name", "taken"],
}


def written() -> list[ast.Call]:
    """All calls of the code that append to the audit log by name."""
    names = {"record", "append", "_note"}
    found: list[ast.Call] = []
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and len(node.args) >= 2:
                called = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if called in names:
                    found.append(node)
    return found


def said(call: ast.Call) -> set[str]:
    return {one.value for one in call.args if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def test_every_action_that_the_code_names_is_in_the_list_and_the_list_has_no_others() -> None:
    spoken = set().union(*map(said, written()))
    by_name = set(get_args(Action)) - {"export.finished", "export.broken_off"}
    assert by_name <= spoken
    dotted = {one for one in spoken if "." in one and " " not in one}
    assert dotted <= set(get_args(Action))


@LOCALES
@pytest.mark.parametrize("action", get_args(Action))
def test_every_action_has_words(action: str, locale: Locale) -> None:
    assert action_name(action, TEXTS[locale]) not in ("", action)


@LOCALES
@pytest.mark.parametrize("name", get_args(DetailName))
def test_every_detail_has_a_name_in_words(name: str, locale: Locale) -> None:
    assert TEXTS[locale].has(f"detail.{name}")


@LOCALES
@pytest.mark.parametrize(("name", "value"), [(name, one) for name, ones in VALUES.items() for one in ones])
def test_every_value_of_a_fixed_set_has_words(name: str, value: object, locale: Locale) -> None:
    texts = TEXTS[locale]
    told = detail_words({name: value}, {}, texts)
    raw = texts("audit.pair", name=texts(f"detail.{name}"), value=value)
    shared = {key for key in (f"{SHARED.get(name)}{mark}{value}" for mark in "._:") if texts.has(key)}
    assert shared or told != raw
    assert "None" not in told


@LOCALES
def test_every_reason_for_which_a_provider_is_refused_has_words(locale: Locale) -> None:
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(oidc))) if isinstance(node, ast.Call)]
    whys = set().union(
        *(said(one) for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr == "refuse")
    )
    assert len(whys) > 4
    assert {why for why in whys if not TEXTS[locale].has(f"detail.why.{why}")} == set()


@LOCALES
@pytest.mark.parametrize(
    "kind", ["staff", "session", "message", "flag", "page", "report", "export", "database", "staff_sessions"]
    + [table.name for table in owned_tables()],
)  # fmt: skip
def test_every_kind_of_object_has_words(kind: str, locale: Locale) -> None:
    assert TEXTS[locale].has(f"object.{kind}") or TEXTS[locale].has(f"stored.{kind}")


@LOCALES
@pytest.mark.parametrize("job", ["command-line", "retention", "oidc", "encryption"])
def test_every_job_has_a_name(job: str, locale: Locale) -> None:
    assert actor_name(f"system:{job}", {}, TEXTS[locale]) != f"system:{job}"


@pytest.mark.parametrize(
    ("locale", "line"),
    [
        ("en", "to: anna, outcome: Real crisis, thumb: none, answers to questions: 0, with crises: no"),
        ("zh", "分派给：anna，结论：真实危机，点赞或点踩：无，回答的题目数：0，包含危机对话：否"),
    ],
)
def test_details_read_as_people_write(locale: str, line: str) -> None:
    detail = {
        "to": "id-7",
        "outcome": "true_alarm",
        "value": None,
        "measures": 0,
        "crisis": False,
        "year": None,
    }
    assert detail_words(detail, {"id-7": "anna"}, TEXTS[locale]) == line


def test_what_an_older_version_wrote_is_shown_as_it_is_stored_and_does_no_harm() -> None:
    entry = AuditEntry("1", datetime(2026, 1, 1, tzinfo=UTC), "<i>", "<b>", "<u>", "<s>", {"<q>": "<em>"})
    shown = audit_markup(AuditPage((entry,), {}, more=False), TEXTS["en"])
    assert "&lt;q&gt;: &lt;em&gt;" in shown
    assert not {"<i>", "<b>", "<u>", "<s>", "<q>", "<em>"} & {f"<{part}" for part in shown.split("<")}
