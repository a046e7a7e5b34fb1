"""The page of evaluations: every kind is shown, what is missing or unknown is said, and nothing is loaded."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from evals import __main__ as evals_main
from evals.html_page import Bar, bars
from evals.report import PARTS, ResultsFile, main, read_results, report_page

RESULTS = Path(__file__).parents[3] / "evals" / "results"
SHIPPED = {
    "Replayed conversations": "live",
    "Scenarios and Elo": "scenarios_smollm2",
    "MINT's systems": "mint",
    "Re-ranking": "rerank_4b",
    "Heads": "tagger",
    "Predicted Q": "quality",
    "Checks for failures": "failure_checks",
    "Crises": "crisis",
}
FIGURE = {"mean": 0.5, "low": 0.4, "high": 0.6}
PLAYED: dict[str, Any] = {
    "n": 8,
    "rerank": True,
    "turns": 20,
    "fallback_turns": 1,
    "failures": {"timeout": 2},
    **dict.fromkeys(("quality", "stickiness", "repeated_openings", "words"), FIGURE),
}
DIMENSION = {**FIGURE, "variance": 0.01}
MADE: dict[str, Any] = {
    "Configurations": {"what": "configurations played", "configurations": {"a": PLAYED, "<i>b": PLAYED}},
    "MindChat's dimensions": {
        "table": "judged",
        "configurations": {
            "a": {"graded": 3, "replies": 4, "dimensions": {"encouragement": DIMENSION, "all": DIMENSION}}
        },
    },
    "Preferred by people": {
        "table": "preferred",
        "by_model": [
            {
                "setting": "a",
                "rankings": 3,
                "candidates": 6,
                "by_chance": 0.5,
                "win": FIGURE,
                "top_two": FIGURE,
                "mean_rank": FIGURE,
            }
        ],
        "by_choice": [],
    },
}


class Page(HTMLParser):
    """Tags, addresses and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "action")]

    def handle_data(self, data: str) -> None:
        self.text += data


def made(name: str) -> ResultsFile:
    return ResultsFile(f"{name}.json", MADE[name])


@pytest.mark.parametrize(("part", "file"), SHIPPED.items())
def test_a_shipped_file_is_shown_under_its_heading(part: str, file: str) -> None:
    text = Page(report_page([read_results(RESULTS / f"{file}.json")])).text
    assert f"\n{part}{file}.json" in text.replace(f"{part}\n", f"{part}")
    assert "Of an older form" not in text
    assert "of no kind" not in text


@pytest.mark.parametrize("part", MADE)
def test_every_other_kind_is_shown_with_its_figures(part: str) -> None:
    text = Page(report_page([made(part)])).text
    assert "0.50" in text
    assert "Of an older form" not in text
    assert f"{part} (python -m" not in text


def test_every_kind_is_covered_by_a_test() -> None:
    assert {part.name for part in PARTS} == SHIPPED.keys() | MADE.keys()


def test_configurations_stand_side_by_side_and_names_are_text() -> None:
    page = Page(report_page([made("Configurations")]))
    assert "<i>b" in page.text
    assert "i" not in page.tags
    assert "timeout 2" in page.text


def test_what_is_missing_and_what_is_unknown_is_said() -> None:
    text = Page(report_page([made("Configurations"), ResultsFile("odd.json", {"x": 1})])).text
    assert "Crises (python -m evals.crisis)" in text
    assert "of no kind that this page shows: odd.json" in text


def test_a_file_of_an_older_form_does_not_break_the_page() -> None:
    old = ResultsFile("old.json", {"games": [], "configurations": {"a": {}}})
    text = Page(report_page([old, made("Configurations")])).text
    assert "Of an older form" in text
    assert "timeout 2" in text


def test_the_page_loads_nothing() -> None:
    files = [read_results(RESULTS / f"{name}.json") for name in SHIPPED.values()]
    html = report_page([*files, *map(made, MADE)])
    page = Page(html)
    assert all(address.startswith("#part") for address in page.addresses)
    assert not {"script", "link", "img", "iframe", "svg"} & set(page.tags)
    assert "default-src 'none'" in html
    assert "url(" not in html


def test_a_bar_is_where_its_value_is() -> None:
    html = bars("t", [Bar("low", 0.0), Bar("mid", 0.5, 0.25, 0.75), Bar("high", 1.0)])
    # 6 % of room on both sides: 0.5 is the middle of −0.06 … 1.06
    dots = [float(x) for x in re.findall(r'"dot" style="left:([\d.]+)%', html)]
    assert dots == [5.4, 50.0, 94.6]
    assert "left:27.7%;width:44.6%" in html


def test_the_command_writes_the_page_and_tells_of_a_broken_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "a.json", tmp_path / "deep" / "out.html"
    source.write_text(json.dumps({**MADE["Configurations"], "note": "Only a test."}))
    evals_main.main(["report", str(source), "--html", str(out)])
    assert "Only a test." in out.read_text("utf-8")
    source.write_text("{")
    with pytest.raises(SystemExit, match=r"a\.json"):
        main([str(source), "--html", str(out)])
    capsys.readouterr()
    evals_main.main([])
    listed = capsys.readouterr().out
    assert "python -m evals.mindchat" in listed
    assert "python -m evals report" in listed
    with pytest.raises(SystemExit, match="no command"):
        evals_main.main(["nonsense"])
