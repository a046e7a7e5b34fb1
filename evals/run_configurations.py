r"""Has configurations answer the same scenarios and measures what they said, without a judge.

    python -m evals run --config evals/configs/embedded.yaml --json OUT.json --transcripts OUT.jsonl

The file names the configurations (model, candidates, re-ranking on or off) and what they answer; see
``evals/configs/embedded.yaml``. Figures are those of the app's own scorer: predicted Q, stickiness against
the own previous turn, how often a reply opens like an earlier one, words; intervals draw scenarios.
Conversations are stored as they come, and the same command after a stop goes on. ``evals.mindchat judge``
grades the transcripts, and ``python -m evals report`` puts everything on one page.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.judge_command import noted, to_results
from evals.provenance import provenance, write_results
from evals.run_figures import MEASURES, measured
from evals.scenario_data import SCENARIOS, Configuration, Scenario, check_names, read_scenarios
from evals.scenarios import MakeChooser, app_chooser, play_all, write_transcripts
from models.scorer import ReplyScorer, load_scorer

WHAT = "configurations played"


class _Named(BaseModel):
    """A configuration as the file writes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1)
    url: str = Field(min_length=1)
    model: str | None = None
    n: int = Field(default=1, ge=1, le=32)
    rerank: bool = False
    key_env: str | None = None


class _File(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    scenarios: Path | None = None
    language: str | None = None
    most: int | None = Field(default=None, ge=1)
    configurations: tuple[_Named, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run."""

    configurations: tuple[Configuration, ...]
    scenarios: tuple[Scenario, ...]
    source: str


def read_plan(file: Path) -> Plan:
    """Read a file of configurations.

    Raises:
        ValueError: It is missing or wrong; the text says where.
    """
    try:
        raw = _File.model_validate(yaml.safe_load(file.read_text("utf-8")))
    except (OSError, yaml.YAMLError) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"{file.name}: {place}: {first['msg']}") from None
    configurations = [Configuration(**one.model_dump()) for one in raw.configurations]
    check_names(configurations)
    source = raw.scenarios or SCENARIOS
    scenarios = [one for one in read_scenarios(source) if raw.language in (None, one.language)][: raw.most]
    if not scenarios:
        raise ValueError(f"{file.name}: no scenario is left to play")
    return Plan(tuple(configurations), tuple(scenarios), source.name)


async def run(
    plan: Plan, given: argparse.Namespace, make_chooser: MakeChooser, scorer: ReplyScorer, revision: str
) -> dict[str, Any]:
    """Play what is missing, and measure."""
    played = await play_all(
        plan.configurations,
        plan.scenarios,
        given.answers,
        make_chooser,
        revision=revision,
        at_once=given.concurrency,
        timeout_s=given.timeout,
    )
    if given.transcripts is not None:
        write_transcripts(given.transcripts, played)
    rows = measured(plan.configurations, plan.scenarios, played, scorer, draws=given.draws, seed=given.seed)
    return {"what": WHAT, "scenarios": len(plan.scenarios), "configurations": rows}


def main(
    arguments: Sequence[str] | None = None,
    make_chooser: MakeChooser = app_chooser,
    scorer: ReplyScorer | None = None,
) -> None:
    """Play, measure, print the table and write the files."""
    given = _parser().parse_args(arguments)
    try:
        plan = read_plan(given.config)
    except ValueError as error:
        raise SystemExit(f"evals run: {error}") from None
    about = provenance(seed=given.seed, data=f"{plan.source}: scenarios written for this project")
    revision = str(about["revision"])
    results = to_results(
        "evals run",
        given.answers,
        lambda: run(plan, given, make_chooser, scorer or load_scorer(), revision),
    )
    print_rows(results["configurations"])
    if given.json is not None:
        write_results(given.json, noted(results, given.note), about)


def print_rows(rows: Mapping[str, Any]) -> None:
    """Print a line a configuration."""
    for name, row in rows.items():
        means = {measure: row[measure]["mean"] for measure in MEASURES}
        print(f"{name:24} {row['conversations']} conversations, {row['turns']} turns  {json.dumps(means)}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals run", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--config", type=Path, required=True, help="file of configurations (YAML)")
    parser.add_argument("--answers", type=Path, default=Path("var/judges"), help="folder to go on from")
    parser.add_argument("--concurrency", type=int, default=1, help="conversations at the same time")
    parser.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS", help="of one turn")
    parser.add_argument("--draws", type=int, default=2000, help="draws for the intervals")
    parser.add_argument("--seed", type=int, default=0, help="of the draws")
    parser.add_argument("--json", type=Path, help="file of the results")
    parser.add_argument("--transcripts", type=Path, help="file of the conversations, a line each")
    parser.add_argument("--note", default="", help="a sentence that stands with the results")
    return parser
