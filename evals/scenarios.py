r"""Multi-turn scenarios in the manner of EQ-Bench 3: which configuration answers difficult people best?

    python -m evals.scenarios \
        --configuration name=one,url=http://127.0.0.1:8000/v1,n=1 \
        --configuration name=ranked,url=http://127.0.0.1:8000/v1,n=8,rerank=on \
        --judge http://127.0.0.1:8001/v1 --model NAME --json OUT.json --html OUT.html --transcripts OUT.jsonl

The scenarios are this project's own (``evals/data/scenarios.yaml``, 12 English and 12 Chinese, four turns of
the person each), and so is the wording of the criteria: no figure here is an EQ-Bench score. Every
conversation is graded by every judge and compared with every other configuration's, in both orders.
Conversations and answers are stored as they come; the same command after a stop goes on. Conversations of
another revision of the code are not used again.
"""

import argparse
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from app.chat.choice import ReplyChooser
from app.metrics import Metrics
from evals.answer_log import Row, log_for
from evals.asking import Ask, ask_all
from evals.judge_command import noted, to_results
from evals.judge_options import add_judge_options, judge_options
from evals.provenance import provenance, write_results
from evals.scenario_data import (
    EMBEDDED,
    SCENARIOS,
    Configuration,
    Scenario,
    check_names,
    read_configuration,
    read_scenarios,
)
from evals.scenario_figures import figures
from evals.scenario_judging import judge_all
from evals.scenario_play import Transcript, play
from evals.scenario_report import report_html
from models.chat_model import ChatMessage, ChatModel
from models.local import LocalChatModel
from models.rerank import RerankWeights
from models.scorer import load_scorer
from models.vllm import VllmChatModel
from safety.risk import RiskAssessor, load_assessor
from safety.toxicity import load_toxicity_checker

DRAWS = 1000
MakeChooser = Callable[[], ReplyChooser]


def app_chooser() -> ReplyChooser:
    """Checks, scorer and weights as the app uses them."""
    toxicity = load_toxicity_checker(checkpoint=None, config=None, allow_download=False)
    return ReplyChooser(load_scorer(), toxicity, RerankWeights(), Metrics())


async def play_all(
    configurations: Sequence[Configuration],
    scenarios: Sequence[Scenario],
    answers: Path,
    make_chooser: MakeChooser,
    *,
    revision: str,
    at_once: int,
    timeout_s: float,
) -> dict[str, dict[str, Transcript]]:
    """Have every configuration answer every scenario; what was played before is not played again."""
    found: dict[str, dict[str, Transcript]] = {}
    parts: list[tuple[ReplyChooser, RiskAssessor]] = []
    for configuration in configurations:
        log = log_for(answers, "conversations", {**configuration.facts(), "revision": revision})
        model = open_model(configuration, timeout_s)
        keys = {json.dumps(asdict(scenario), ensure_ascii=False): scenario for scenario in scenarios}

        def asking(scenario: Scenario, by: Configuration = configuration, to: ChatModel = model) -> Ask:
            async def ask() -> Row:
                if not parts:  # loaded once, and only when something is left to play
                    parts.append((make_chooser(), load_assessor()))
                return asdict(await play(scenario, by, to, *parts[0]))

            return ask

        try:
            questions = {name: asking(scenario) for name, scenario in keys.items()}
            await ask_all(questions, log, at_once=at_once, title=f"{configuration.name} answers")
        finally:
            await model.close()
        found[configuration.name] = {scenario.id: _transcript(log.rows[k]) for k, scenario in keys.items()}
    return found


def open_model(configuration: Configuration, timeout_s: float) -> ChatModel:
    """What answers: the model of this process for the address ``embedded``, otherwise a server."""
    if configuration.url == EMBEDDED:
        return LocalChatModel(timeout_s=timeout_s)
    key = None if configuration.key_env is None else os.environ.get(configuration.key_env)
    return VllmChatModel(configuration.url, api_key=key, model=configuration.model, timeout_s=timeout_s)


def write_transcripts(file: Path, played: Mapping[str, Mapping[str, Transcript]]) -> None:
    """Write every conversation, one a line."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as lines:
        for name, transcripts in played.items():
            for transcript in transcripts.values():
                row = {"configuration": name, **asdict(transcript)}
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


async def run(given: argparse.Namespace, make_chooser: MakeChooser, revision: str) -> dict[str, Any]:
    """Play, judge, count."""
    options = judge_options(given)
    configurations = [read_configuration(text) for text in given.configuration]
    check_names(configurations)
    scenarios = [s for s in read_scenarios(given.scenarios) if given.language in (None, s.language)]
    scenarios = scenarios[: given.most]
    if not scenarios:
        raise ValueError("no scenario is left to play")
    played = await play_all(
        configurations,
        scenarios,
        options.answers,
        make_chooser,
        revision=revision,
        at_once=options.at_once,
        timeout_s=options.timeout_s,
    )
    if given.transcripts is not None:
        write_transcripts(given.transcripts, played)
    judged = await judge_all(scenarios, played, options)
    return figures(configurations, scenarios, played, judged, draws=given.draws, seed=given.draw_seed)


def main(arguments: Sequence[str] | None = None, make_chooser: MakeChooser = app_chooser) -> None:
    """Play, judge, print the table and write the files."""
    given = _parser().parse_args(arguments)
    about = provenance(
        seed=given.draw_seed, data=f"{given.scenarios.name}: scenarios written for this project"
    )
    results = to_results(
        "evals.scenarios", given.answers, lambda: run(given, make_chooser, str(about["revision"]))
    )
    for name, row in results["configurations"].items():
        print(name, json.dumps({key: row[key] for key in ("conversations", "failures", "score", "elo")}))
    if given.json is not None:
        write_results(given.json, noted(results, given.note), about)
    if given.html is not None:
        given.html.parent.mkdir(parents=True, exist_ok=True)
        given.html.write_text(report_html(results, about, given.note), encoding="utf-8")


def _transcript(row: Mapping[str, Any]) -> Transcript:
    turns = tuple(ChatMessage(turn["role"], turn["content"]) for turn in cast("list[Any]", row["turns"]))
    failures = tuple(row["failures"])
    return Transcript(
        row["scenario"], turns, row["fallbacks"], row["written"], failures, row["completion_tokens"]
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.scenarios", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--configuration",
        action="append",
        required=True,
        metavar="name=…,url=…[,model=…][,n=…][,rerank=on][,key_env=…]",
        help="a way of answering; repeat for more",
    )
    parser.add_argument("--scenarios", type=Path, default=SCENARIOS, help="another file of scenarios")
    parser.add_argument("--language", choices=("en", "zh"), help="only these")
    parser.add_argument("--most", type=int, help="only so many")
    parser.add_argument("--draws", type=int, default=DRAWS, help="draws for the intervals")
    parser.add_argument("--draw-seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="file of the results")
    parser.add_argument("--html", type=Path, help="file of the report")
    parser.add_argument("--transcripts", type=Path, help="file of the conversations, a line each")
    parser.add_argument("--note", default="", help="a sentence that stands with the results")
    add_judge_options(parser)
    return parser


if __name__ == "__main__":
    main()
