"""How a command that asks judges ends: with results, or with one line that says why and how to go on."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import openai

from evals.asking import JudgeLostError

Results = dict[str, Any]


def to_results(name: str, answers: Path, work: Callable[[], Awaitable[Results]]) -> Results:
    """Run ``work``; when it can't come to its end, leave with one line instead of a traceback.

    Args:
        name: Of the command, such as ``evals.scenarios``.
        answers: Where answers are kept, from which the same command goes on.
        work: Checks what was given, asks and computes.

    Raises:
        SystemExit: With the line.
    """

    async def all_of_it() -> Results:
        return await work()

    again = f"the same command goes on from {answers}"
    try:
        return asyncio.run(all_of_it())
    except ValueError as error:
        sys.exit(f"{name}: {error}")
    except openai.OpenAIError as error:
        sys.exit(f"{name}: a judge can't be asked for its model ({type(error).__name__}); {again}")
    except JudgeLostError as error:
        sys.exit(f"{name}: {error}; {again}")
    except KeyboardInterrupt:
        sys.exit(f"{name}: stopped; {again}")


def noted(results: Mapping[str, Any], note: str) -> Results:
    """Results with a note before them, if there is one."""
    return {**({"note": note} if note else {}), **results}
