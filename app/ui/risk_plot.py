"""How a conversation's risk went over its turns: a drawing, and the same as a table."""

from collections.abc import Sequence
from html import escape

from app.db.records import StoredAssessment
from app.ui.staff_markup import layer_name, message_link
from app.ui.texts import Texts
from safety.levels import RiskLevel

_WIDTH, _HEIGHT = 420, 170
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 12, 14, 26
_MOST_LABELS = 10


_Course = Sequence[tuple[int, StoredAssessment]]
"""Number of a message in its conversation, and the verdict on it."""


def risk_plot(course: _Course, texts: Texts) -> str:
    """HTML of the plot and its table.

    The line is the level the conversation stood at after each message of the person; a dot is the
    level of the message alone.

    Args:
        course: Messages of the person by their number in the conversation, oldest first, with verdicts.
        texts: The staff texts.
    """
    if not course:
        return f"<p>{escape(texts('risk.none'))}</p>"
    return (
        f"<figure class='hk-risk'>{_svg(course, texts)}"
        f"<figcaption>{escape(texts('risk.caption'))}</figcaption></figure>"
        f"<details><summary>{escape(texts('risk.as_table'))}</summary>{_table(course, texts)}</details>"
    )


def _svg(course: _Course, texts: Texts) -> str:
    highest = max(entry.session.level for _, entry in course)
    said = texts(
        "risk.said",
        n=len(course),
        first=texts(f"level.{course[0][1].session.level.label}"),
        last=texts(f"level.{course[-1][1].session.level.label}"),
        highest=texts(f"level.{highest.label}"),
    )
    grid = "".join(
        f"<line class='hk-grid' x1='{_LEFT}' x2='{_WIDTH - _RIGHT}'"
        f" y1='{_up(level):.1f}' y2='{_up(level):.1f}'/>"
        f"<text x='{_LEFT - 8}' y='{_up(level) + 4:.1f}' text-anchor='end'>"
        f"{escape(texts(f'level.{level.label}'))}</text>"
        for level in RiskLevel
    )
    count = len(course)
    points = [(_across(place, count), _up(entry.session.level)) for place, (_, entry) in enumerate(course)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(
        f"<circle class='hk-dot hk-at-{entry.level.label}' r='4' cx='{_across(place, count):.1f}'"
        f" cy='{_up(entry.level):.1f}'/>"
        for place, (_, entry) in enumerate(course)
    )
    step = -(-count // _MOST_LABELS)
    numbers = "".join(
        f"<text x='{_across(place, count):.1f}' y='{_HEIGHT - 6}' text-anchor='middle'>"
        f"#{course[place][0]}</text>"
        for place in range(0, count, step)
    )
    return (
        f"<svg viewBox='0 0 {_WIDTH} {_HEIGHT}' role='img' aria-label='{escape(said)}'>"
        f"{grid}<polyline class='hk-line' points='{line}'/>{dots}{numbers}</svg>"
    )


def _across(place: int, count: int) -> float:
    room = _WIDTH - _LEFT - _RIGHT - 16
    return _LEFT + 8 + (room / 2 if count == 1 else room * place / (count - 1))


def _up(level: RiskLevel) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - level / RiskLevel.IMMINENT)


def _table(course: _Course, texts: Texts) -> str:
    names = ("risk.turn", "risk.message", "risk.conversation", "risk.layer")
    head = "".join(f"<th scope='col'>{escape(texts(name))}</th>" for name in names)
    rows = "".join(
        f"<tr><th scope='row'>{message_link(number)}</th>"
        f"<td>{escape(texts(f'level.{entry.level.label}'))}</td>"
        f"<td>{escape(texts(f'level.{entry.session.level.label}'))}</td>"
        f"<td>{escape(layer_name(entry.layer, texts))}</td></tr>"
        for number, entry in course
    )
    title = escape(texts("risk.as_table"))
    return (
        f"<div class='hk-strip-scroll' tabindex='0' role='region' aria-label='{title}'>"
        f"<table class='hk-strip'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
