"""What becomes of a candidate by the form of its output: kept, repaired or dropped."""

from collections.abc import Sequence
from dataclasses import replace

from models.chat_model import Candidate
from models.ecot_form import Form, read_ecot

DEFAULT_THRESHOLD = 0.9
"""Every output that lacks a tag lies below it; one with two parts swapped, or one part twice, does not."""

_ROUNDING = 1e-9


def judge_form(candidate: Candidate, threshold: float = DEFAULT_THRESHOLD, attempt: int = 1) -> Candidate:
    """The candidate with nothing but its answer as text, and with its form.

    An output whose answer is in doubt is dropped whatever its reward; one below the threshold is
    repaired where the missing tag is certain and brings it up to the threshold, else dropped. The
    text of a dropped candidate is empty, all it wrote is in its reasoning.

    Args:
        candidate: As sampled.
        threshold: Lowest format reward, 0 to 1, that is good enough.
        attempt: Which sample of the turn it belongs to.
    """
    reading = read_ecot(candidate.output if candidate.output is not None else candidate.text)
    form = replace(reading.form, attempt=attempt, dropped=_reason(reading.form, threshold))
    dropped = form.dropped is not None
    thoughts = [reading.reasoning, reading.answer if dropped else None]
    if reading.reasoning is None and not reading.answer:
        thoughts = [candidate.reasoning]
    reasoning = "\n".join(part for part in thoughts if part) or None
    return replace(candidate, text="" if dropped else reading.answer, reasoning=reasoning, form=form)


def all_dropped(candidates: Sequence[Candidate]) -> bool:
    """Whether no candidate kept its form."""
    return all(candidate.form is not None and candidate.form.dropped is not None for candidate in candidates)


def _reason(form: Form, threshold: float) -> str | None:
    if form.doubt is not None:
        return form.doubt
    if form.repaired_reward >= threshold - _ROUNDING:
        return None
    return "beyond repair" if form.repairs else "below the threshold"
