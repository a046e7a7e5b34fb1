"""For staff: a conversation's tactics by turn, its repetition over time, why each reply was chosen."""

from collections.abc import Mapping, Sequence
from html import escape

from app.db.records import NewCandidate
from app.ui.staff_markup import message_link
from app.ui.texts import Texts
from models.novelty import TacticHistory
from models.tactics import Tactic

_NO_POINTS = frozenset({"format_reward", "attempt"})
"""Numbers of an explanation that are no terms of the sum."""
_CHECK = "check:"
"""Begins the name of a check for a failure; its value is a share."""


def strip_markup(chosen: Sequence[tuple[int, NewCandidate]], texts: Texts) -> str:
    """A table with a row for each tactic and a column for each reply, and a list of reasons below.

    A cell says how many sentences carry the tactic, so nothing is told by colour alone.

    Args:
        chosen: The candidates that were shown, oldest first, with the number of each reply in its
            conversation.
        texts: The staff texts.
    """
    if not chosen:
        return f"<p>{escape(texts('strip.none'))}</p>"
    history = TacticHistory.from_rows(one.tactic_counts for _, one in chosen)
    title, sticky_name = escape(texts("strip.title")), escape(texts("strip.stickiness"))
    head = "".join(f"<th scope='col'>{message_link(seq)}</th>" for seq, _ in chosen)
    rows = "".join(_row(tactic, history, texts) for tactic in Tactic)
    sticky = "".join(f"<td>{_share(value)}</td>" for value in stickiness_by_turn(history))
    return (
        f"<div class='hk-strip-scroll' tabindex='0' role='region' aria-label='{title}'>"
        f"<table class='hk-strip'><caption>{escape(texts('strip.caption'))}</caption>"
        f"<thead><tr><th scope='col'>{escape(texts('strip.reply'))}</th>{head}</tr></thead>"
        f"<tbody>{rows}</tbody>"
        f"<tfoot><tr><th scope='row'>{sticky_name}</th>{sticky}</tr></tfoot></table></div>"
        f"<details class='hk-why'><summary>{escape(texts('strip.why'))}</summary>"
        f"<ul>{''.join(_why(seq, one.explanation, texts) for seq, one in chosen)}</ul></details>"
    )


def stickiness_by_turn(history: TacticHistory) -> list[float | None]:
    """Stickiness of the conversation up to each turn; ``None`` while it is not defined."""
    return [TacticHistory(history.turns[:end]).stickiness() for end in range(1, len(history.turns) + 1)]


def _row(tactic: Tactic, history: TacticHistory, texts: Texts) -> str:
    cells = "".join(_cell(turn.get(tactic, 0)) for turn in history.turns)
    return f"<tr><th scope='row'>{escape(texts(f'tactic.{tactic.value}'))}</th>{cells}</tr>"


def _cell(count: int) -> str:
    return f"<td class='hk-used'>{count}</td>" if count else "<td>0</td>"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _why(seq: int, explanation: Mapping[str, float | str | None], texts: Texts) -> str:
    """The terms of the choice that are not 0, in points of Q, and what the checks for failures say."""
    parts = [
        f"{escape(_term(name, texts))} {value:{'.2f' if name == 'quality' else '+.2f'}}"
        for name, value in explanation.items()
        if not _no_points(name) and isinstance(value, int | float) and abs(value) >= 0.005
    ]
    strategy = explanation.get("strategy")
    if isinstance(strategy, str):
        parts.append(escape(texts("strip.strategy", name=strategy)))
    checks = [
        f"{texts(f'check.{key}')} {value:.0%}"
        for name, value in explanation.items()
        if (key := name.removeprefix(_CHECK)) != name
        and isinstance(value, int | float)
        and texts.has(f"check.{key}")
    ]
    if checks:
        parts.append(escape(texts("strip.checks", values=", ".join(checks))))
    return f"<li>{message_link(seq)}: {', '.join(parts) or '–'}</li>"


def _no_points(name: str) -> bool:
    return name in _NO_POINTS or name.startswith(_CHECK)


def _term(name: str, texts: Texts) -> str:
    key, _, penalty = name.partition(":")
    known = texts(f"term.{key}") if texts.has(f"term.{key}") else key
    return f"{known}: {penalty.replace('_', ' ')}" if penalty else known
