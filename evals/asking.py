"""Asks many questions, only so many at once, with a progress bar; each answer is stored as it comes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from tqdm import tqdm

from evals.answer_log import AnswerLog, Row

Ask = Callable[[], Awaitable[Row]]

TRANSIENT = frozenset({"timeout", "unreachable", "busy", "model_error", "engine_dead"})
"""Failures that may be over at the next run, which therefore asks again."""
_PATIENCE = 8


class JudgeLostError(Exception):
    """Nobody answers any more; what was answered before is stored."""


def settled(row: Row) -> bool:
    """Whether a stored answer need not be asked for again."""
    return not TRANSIENT & {str(failure) for failure in row.get("failures", ())}


async def ask_all(questions: Mapping[str, Ask], log: AnswerLog, *, at_once: int, title: str) -> None:
    """Ask all questions whose answers are not in the log, in their order.

    Args:
        questions: By key. A row with the list ``failures`` tells what went wrong.
        log: Where answers go.
        at_once: Most questions that are open at the same time.
        title: Beside the progress bar.

    Raises:
        JudgeLostError: Several answers in a row failed because no server was there.
    """
    missing = iter([key for key in questions if key not in log.rows or not settled(log.rows[key])])
    done = sum(key in log.rows and settled(log.rows[key]) for key in questions)
    lost = 0
    with tqdm(total=len(questions), initial=done, desc=title, unit="answer", smoothing=0.1) as bar:

        async def work() -> None:
            nonlocal lost
            for key in missing:
                row = await questions[key]()
                log.add(key, row)
                bar.update()
                failures = row.get("failures", ())
                lost = lost + 1 if failures and set(failures) <= {"unreachable", "engine_dead"} else 0
                if lost >= _PATIENCE:
                    raise JudgeLostError(f"{lost} answers in a row failed: no server answers")

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(at_once, 1)):
                    group.create_task(work())
        except* JudgeLostError as errors:
            raise JudgeLostError(str(errors.exceptions[0])) from None
