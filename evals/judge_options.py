"""What every command with judges is told: which servers and models, how often, how many at once."""

import argparse
import os
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.judge import ReplyJudge
from models.judge_rubrics import FILE
from models.judge_server import JudgeServer


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """How judges are asked.

    Attributes:
        urls: Address of each judge.
        models: Its model; the only served one where it is ``None``.
        key_names: Name of the environment variable with its key, or ``None``.
        repeats: Answers to each question.
        temperature: 0 for the likeliest answer.
        seed: Seed of the first repetition, or ``None``.
        timeout_s: Seconds until an answer comes too late.
        retries: Tries after the first.
        at_once: Most questions open at the same time.
        answers: Folder of the answers.
    """

    urls: tuple[str, ...]
    models: tuple[str | None, ...]
    key_names: tuple[str | None, ...]
    repeats: int
    temperature: float
    seed: int | None
    timeout_s: float
    retries: int
    at_once: int
    answers: Path

    def settings(self, name: str) -> dict[str, Any]:
        """On what an answer of one judge depends besides the text."""
        return {
            "judge": name,
            "repeats": self.repeats,
            "temperature": self.temperature,
            "seed": self.seed,
            "rubrics": FILE.read_text("utf-8"),
        }


def add_judge_options(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options; the first three may be repeated, in the same order, for several judges.

    Args:
        parser: Of the command.
        required: Whether there must be a judge with an address.
    """
    parser.add_argument(
        "--judge", action="append", required=required, metavar="URL", help="address ending in /v1"
    )
    parser.add_argument(
        "--model", action="append", metavar="NAME", help="its model (default: the first served)"
    )
    parser.add_argument(
        "--key-env", action="append", metavar="VARIABLE", help="environment variable with its key; - for none"
    )
    parser.add_argument(
        "--repeats", type=int, default=1, help="answers to each question; more than 1 needs --seed"
    )
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--seed", type=int, help="sent with each question, counted up by repetition")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS")
    parser.add_argument("--retries", type=int, default=2)
    parser.add_argument("--concurrency", type=int, default=4, help="questions open at the same time")
    parser.add_argument("--answers", type=Path, default=Path("var/judges"), help="folder to go on from")


def judge_options(given: argparse.Namespace) -> JudgeOptions:
    """Check what was given.

    Raises:
        ValueError: Options do not fit together.
    """
    urls = tuple(given.judge or ())
    models, keys = tuple(given.model or ()), tuple(given.key_env or ())
    for name, values in (("--model", models), ("--key-env", keys)):
        if values and len(values) != len(urls):
            raise ValueError(f"{name} is given {len(values)} times and --judge {len(urls)} times")
    if given.repeats > 1 and given.seed is None:
        raise ValueError("--repeats over 1 needs --seed")
    if min(given.repeats, given.concurrency) < 1 or given.timeout <= 0 or given.retries < 0:
        raise ValueError("--repeats, --concurrency and --timeout must be over 0, --retries not under it")
    named = tuple(None if key == "-" else key for key in keys) or (None,) * len(urls)
    unset = [key for key in named if key is not None and not os.environ.get(key)]
    if unset:
        raise ValueError(f"the environment has no {', '.join(unset)}")
    return JudgeOptions(
        urls,
        models or (None,) * len(urls),
        named,
        given.repeats,
        given.temperature,
        given.seed,
        given.timeout,
        given.retries,
        given.concurrency,
        given.answers,
    )


@asynccontextmanager
async def open_judges(options: JudgeOptions) -> AsyncGenerator[Mapping[str, ReplyJudge]]:
    """The judges by name: that of the model, numbered where two are the same.

    Raises:
        openai.OpenAIError: A server can't be asked for its model.
    """
    judges: dict[str, ReplyJudge] = {}
    try:
        for url, model, key in zip(options.urls, options.models, options.key_names, strict=True):
            server = JudgeServer(
                url,
                api_key=None if key is None else os.environ[key],
                model=model,
                timeout_s=options.timeout_s,
                retries=options.retries,
            )
            name = await server.model()
            if name in judges:
                name = f"{name}#{len(judges) + 1}"
            judges[name] = ReplyJudge(
                server, repeats=options.repeats, temperature=options.temperature, seed=options.seed
            )
        yield judges
    finally:
        for judge in judges.values():
            await judge.close()
