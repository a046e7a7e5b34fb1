"""Puts results of any number of configurations side by side on one page of HTML.

    python -m evals report evals/results/*.json --html OUT.html

The page holds its plots, loads nothing, and reads on a phone and on paper. Files are told apart by what they
hold; a file of no known kind is named as such, and so is every kind for which no file was given.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, cast

from evals import report_heads, report_parts
from evals.html_page import page, paragraph, provenance_list
from evals.report_parts import Part, Results
from evals.run_configurations import WHAT

PARTS = (
    Part("Configurations", "evals run", lambda r: r.get("what") == WHAT, report_parts.played),
    Part("Replayed conversations", "evals.live", lambda r: "n1" in r and "turns" in r, report_parts.live),
    Part("Scenarios and Elo", "evals.scenarios", lambda r: "games" in r, report_parts.scenarios),
    Part(
        "MindChat's dimensions",
        "evals.mindchat judge",
        lambda r: r.get("table") == "judged",
        report_parts.judged,
    ),
    Part(
        "Preferred by people",
        "evals.mindchat prefer",
        lambda r: r.get("table") == "preferred",
        report_parts.preferred,
    ),
    Part("MINT's systems", "evals.mint", lambda r: "systems" in r and "pool" not in r, report_parts.mint),
    Part("Re-ranking", "evals.rerank", lambda r: "pool" in r and "oracle" in r, report_parts.rerank),
    Part("Heads", "evals.emotions, evals.tagger", report_heads.is_heads, report_heads.heads),
    Part("Predicted Q", "evals.quality", report_heads.is_quality, report_heads.quality),
    Part("Checks for failures", "evals.failure_checks", report_heads.is_failures, report_heads.failures),
    Part("Crises", "evals.crisis", report_heads.is_crisis, report_heads.crisis),
)


@dataclass(frozen=True, slots=True)
class ResultsFile:
    """A file that was read.

    Attributes:
        name: Of the file, without its folder.
        results: What it holds.
    """

    name: str
    results: Results


def read_results(file: Path) -> ResultsFile:
    """Read a results file.

    Raises:
        ValueError: It is missing or holds no object.
    """
    try:
        found: Any = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{file}: no results")
    return ResultsFile(file.name, cast("Results", found))


def report_page(files: Sequence[ResultsFile], title: str = "Evaluations") -> str:
    """The page; every file is shown or named as not shown."""
    shown: list[str] = []
    missing: list[str] = []
    left: dict[str, ResultsFile] = {str(number): file for number, file in enumerate(files)}
    links: list[str] = []
    for number, part in enumerate(PARTS):
        own = [key for key, file in left.items() if part.reads(file.results)]
        if not own:
            missing.append(f"{part.name} (python -m {part.command})")
            continue
        links.append(f'<li><a href="#part{number}">{escape(part.name)}</a></li>')
        shown.append(f'<h2 id="part{number}">{escape(part.name)}</h2>')
        for key in own:
            shown += _file_html(part, left.pop(key))
    return page(
        title,
        [
            f"<nav><ul>{''.join(links)}</ul></nav>" if links else "",
            _said("Not measured here, because no file was given: ", missing),
            _said("Given, but of no kind that this page shows: ", [file.name for file in left.values()]),
            *shown,
        ],
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, draw and write."""
    parser = argparse.ArgumentParser(
        prog="python -m evals report", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="results (JSON)")
    parser.add_argument("--html", type=Path, required=True, help="file of the page")
    parser.add_argument("--title", default="Evaluations")
    given = parser.parse_args(arguments)
    try:
        files = [read_results(file) for file in given.files]
    except ValueError as error:
        sys.exit(f"evals report: {error}")
    given.html.parent.mkdir(parents=True, exist_ok=True)
    given.html.write_text(report_page(files, given.title), encoding="utf-8")
    print(f"{given.html}: {len(files)} files")


def _file_html(part: Part, file: ResultsFile) -> list[str]:
    try:
        body = part.html(file.results)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        body = [paragraph(f"Of an older form, so not shown: {type(error).__name__} {error}", "missing")]
    note = file.results.get("note")
    about = file.results.get("provenance")
    return [
        f"<h3>{escape(file.name)}</h3>",
        paragraph(str(note), "note") if note else "",
        *body,
        provenance_list(cast("Mapping[str, Any]", about)) if isinstance(about, Mapping) else "",
    ]


def _said(what: str, names: Sequence[str]) -> str:
    return paragraph(what + "; ".join(names) + ".", "missing") if names else ""
