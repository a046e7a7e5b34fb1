"""Scenarios played and judged against a small real HTTP server that is model and judge at once."""

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from app.chat.choice import ReplyChooser
from app.metrics import Metrics
from evals import scenarios
from models.rerank import RerankWeights
from tests.fakes.judge_server import Says, form_of, grades, judge_server, subject_of
from tests.fakes.scoring import FakeScorer, FakeToxicity

SCENARIOS = """
- id: cat
  language: en
  theme: loss
  turns: [My cat died., She was fifteen.]
- id: job
  language: zh
  theme: 失业
  turns: [我被裁员了。, 还没告诉家里。]
"""
SHORT, LONG = "Tell me more.", "That sounds very hard, and it makes sense that it hurts. Tell me more."


def a_chooser() -> ReplyChooser:
    return ReplyChooser(FakeScorer(), FakeToxicity(), RerankWeights(), Metrics())


def chats(asked: dict[str, Any]) -> Says:
    return Says(f"<think>hm</think>{LONG if asked['model'] == 'kind' else SHORT}")


def supporter(turns: list[dict[str, str]]) -> str:
    return " ".join(turn["text"] for turn in turns if turn["who"] == "supporter")


def world(asked: dict[str, Any]) -> Says:
    """Replies of two models, and a judge that likes long ones."""
    if form_of(asked) == "scenario":
        return grades(asked, 15 if LONG in supporter(subject_of(asked)["dialogue"]) else 5)
    if form_of(asked) == "comparison":
        data = subject_of(asked)
        longer = len(supporter(data["first"])) > len(supporter(data["second"]))
        return Says(json.dumps({"better": "first" if longer else "second"}))
    return chats(asked)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "scenarios.yaml"
    file.write_text(SCENARIOS, "utf-8")
    return file


def run(file: Path, url: str, *configurations: str, more: tuple[str, ...] = ()) -> dict[str, Any]:
    folder = file.parent
    named = [
        f"--configuration=name={name},url={url},{rest}"
        for name, rest in (c.split(":") for c in configurations)
    ]
    outputs = [f"--{kind}={folder / f'out.{kind}'}" for kind in ("json", "html")]
    scenarios.main(
        [
            *named,
            *outputs,
            f"--transcripts={folder / 'conversations.jsonl'}",
            f"--scenarios={file}",
            f"--answers={folder / 'answers'}",
            f"--judge={url}",
            "--retries=0",
            "--draws=50",
            *more,
        ],
        a_chooser,
    )
    return json.loads((folder / "out.json").read_text("utf-8"))


def serving(rule: Callable[[dict[str, Any]], Says]) -> Any:
    return judge_server(rule, models=("judge-1", "kind", "curt"))


def test_configurations_are_played_graded_and_compared(file: Path) -> None:
    with serving(world) as server:
        found = run(file, server.url, "warm:model=kind", "cold:model=curt,n=2,rerank=on")
    warm, cold = found["configurations"]["warm"], found["configurations"]["cold"]
    assert (warm["conversations"], warm["failures"]) == (2, {})
    assert (warm["score"]["mean"], cold["score"]["mean"]) == (75.0, 25.0)
    assert warm["score_by_language"]["zh"]["n"] == 1
    assert set(warm["items"].values()) == {15.0}
    assert warm["elo"]["elo"] > 1000 > cold["elo"]["elo"]
    assert found["games"] == [{"a": "cold", "b": "warm", "games": 2, "won_by_a": 0.0}]
    assert found["cost"]["judge-1"]["grades"]["texts"] == 4
    assert found["cost"]["judge-1"]["comparisons"]["pairs"] == 2
    rows = [
        json.loads(line) for line in (file.parent / "conversations.jsonl").read_text("utf-8").splitlines()
    ]
    assert [turn["role"] for turn in rows[0]["turns"]] == ["user", "assistant"] * 2
    assert rows[0]["turns"][1]["content"] == LONG


def test_without_re_ranking_the_first_is_taken_and_with_it_the_best(file: Path) -> None:
    answers = ["3.0 Tell me more.", "4.5 That is so hard.", "3.1 Go on please."]

    def rule(asked: dict[str, Any]) -> Says:
        return Says(several=[f"<think>x</think>{a}" for a in answers]) if not form_of(asked) else world(asked)

    with serving(rule) as server:
        run(file, server.url, "first:model=curt,n=3", "best:model=curt,n=3,rerank=on", more=("--most=1",))
    rows = [
        json.loads(line) for line in (file.parent / "conversations.jsonl").read_text("utf-8").splitlines()
    ]
    assert [row["turns"][1]["content"] for row in rows] == [answers[0], answers[1]]


def test_a_second_run_asks_nothing_again(file: Path) -> None:
    with serving(world) as server:
        first = run(file, server.url, "warm:model=kind", "cold:model=curt")
        asked = len(server.asked)
        second = run(file, server.url, "warm:model=kind", "cold:model=curt")
        assert len(server.asked) == asked
    del first["provenance"], second["provenance"]
    assert first == second


def test_a_model_that_fails_is_counted_and_judged_by_nobody(file: Path) -> None:
    def rule(asked: dict[str, Any]) -> Says:
        return Says("x", status=500) if not form_of(asked) and asked["model"] == "curt" else world(asked)

    with serving(rule) as server:
        found = run(file, server.url, "warm:model=kind", "broken:model=curt")
    broken = found["configurations"]["broken"]
    assert (broken["conversations"], broken["failures"]) == (0, {"model_error": 2})
    assert broken["score"]["mean"] is None
    assert broken["elo"]["games"] == 0
    assert found["cost"]["judge-1"]["grades"]["texts"] == 2


def test_a_silent_judge_leaves_scores_empty_and_its_failures_in_the_table(file: Path) -> None:
    with serving(lambda asked: Says('{"dem', finish="length") if form_of(asked) else chats(asked)) as server:
        found = run(file, server.url, "warm:model=kind", "cold:model=curt")
    assert found["configurations"]["warm"]["score"]["n"] == 0
    assert found["cost"]["judge-1"]["grades"]["failures"] == {"cut": 4}
    assert found["cost"]["judge-1"]["comparisons"]["failures"] == {"cut": 4}
    assert "cut 4" in (file.parent / "out.html").read_text("utf-8")


class Page(HTMLParser):
    """Tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_is_one_page_that_loads_nothing_and_takes_names_as_text(file: Path) -> None:
    with serving(world) as server:
        run(
            file,
            server.url,
            "<b>warm</b><script>:model=kind",
            "cold:model=curt",
            more=("--note=Only <a> test",),
        )
    page = Page()
    page.feed((file.parent / "out.html").read_text("utf-8"))
    assert page.tags.count("svg") == 3
    assert not {"script", "link", "img", "b", "a"} & set(page.tags)
    assert page.addresses == []
    assert "<b>warm</b><script>" in page.text
    assert "Only <a> test" in page.text


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (("--configuration=name=x",), "needs name="),
        (("--most=0",), "no scenario"),
        (("--repeats=2",), "needs --seed"),
    ],
)
def test_what_can_not_be_run_is_told(file: Path, more: tuple[str, ...], what: str) -> None:
    with pytest.raises(SystemExit, match=what):
        run(file, "http://127.0.0.1:9/v1", "a:n=1", more=more)
