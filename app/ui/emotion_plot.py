"""Which emotions were read in a person's messages, over the turns: a drawing, and the same as a table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from math import sqrt

from app.db.records import Message
from app.ui.staff_markup import message_link
from app.ui.texts import Texts
from safety.levels import RiskLevel

_Course = Sequence[tuple[int, Mapping[str, float] | None]]
"""Number of a message in its conversation, and its emotions; ``None`` for a message in danger."""

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 420, 116, 12, 14, 26
_ROW, _LARGEST = 22, 9.0
_MOST_ROWS, _MOST_LABELS, _MOST_SAID = 8, 10, 3


def emotion_plot(messages: Sequence[Message], levels: Mapping[str, RiskLevel], texts: Texts) -> str:
    """HTML of the plot and its table.

    A row of the plot is an emotion, a column a message; the area of a dot is the emotion's probability.
    The plot has the emotions that the conversation holds most of, the table all that are stored.
    A message at moderate or imminent is a gap: the reading is made for everyday emotions, and finds
    "neutral" in "I have the pills in front of me".

    Args:
        messages: Of the conversation, oldest first; those without a reading are left out.
        levels: Risk level of messages alone, by id.
        texts: The staff texts.
    """
    course: _Course = [
        (one.seq, None if levels.get(one.id, RiskLevel.NONE) >= RiskLevel.MODERATE else one.emotions)
        for one in messages
        if one.emotions is not None
    ]
    if not course:
        return f"<p>{escape(texts('emotions.none'))}</p>"
    return (
        f"<figure class='hk-risk'>{_svg(course, texts)}"
        f"<figcaption>{escape(_caption(course, texts))}</figcaption></figure>"
        f"<details><summary>{escape(texts('risk.as_table'))}</summary>{_table(course, texts)}</details>"
    )


def _caption(course: _Course, texts: Texts) -> str:
    gaps = [f"#{seq}" for seq, emotions in course if emotions is None]
    said = texts("emotions.caption")
    return f"{said} {texts('emotions.gaps', places=', '.join(gaps))}" if gaps else said


def _svg(course: _Course, texts: Texts) -> str:
    total: Counter[str] = Counter()
    for _, emotions in course:
        total.update(emotions or {})  # pyright: ignore[reportArgumentType, reportCallIssue]  # adds shares up
    rows = [name for name, _ in total.most_common(_MOST_ROWS)]
    height = _TOP + _ROW * max(len(rows), 1) + _BOTTOM
    said = texts(
        "emotions.said",
        n=sum(emotions is not None for _, emotions in course),
        most=", ".join(texts(f"emotion.{name}") for name in rows[:_MOST_SAID]) or texts("emotions.unclear"),
    )
    grid = "".join(
        f"<line class='hk-grid' x1='{_LEFT}' x2='{_WIDTH - _RIGHT}' y1='{_down(place)}' y2='{_down(place)}'/>"
        f"<text x='{_LEFT - 8}' y='{_down(place) + 4}' text-anchor='end'>"
        f"{escape(texts(f'emotion.{name}'))}</text>"
        for place, name in enumerate(rows)
    )
    dots = "".join(
        f"<circle class='hk-dot' r='{_LARGEST * sqrt(emotions[name]):.1f}'"
        f" cx='{_across(column, len(course)):.1f}' cy='{_down(place)}'/>"
        for column, (_, emotions) in enumerate(course)
        for place, name in enumerate(rows)
        if emotions is not None and name in emotions
    )
    gaps = "".join(
        f"<line class='hk-gap' y1='{_TOP}' y2='{height - _BOTTOM}'"
        f" x1='{_across(column, len(course)):.1f}' x2='{_across(column, len(course)):.1f}'/>"
        for column, (_, emotions) in enumerate(course)
        if emotions is None
    )
    step = -(-len(course) // _MOST_LABELS)
    numbers = "".join(
        f"<text x='{_across(column, len(course)):.1f}' y='{height - 6}' text-anchor='middle'>"
        f"#{course[column][0]}</text>"
        for column in range(0, len(course), step)
    )
    return (
        f"<svg viewBox='0 0 {_WIDTH} {height}' role='img' aria-label='{escape(said)}'>"
        f"{grid}{gaps}{dots}{numbers}</svg>"
    )


def _across(column: int, count: int) -> float:
    room = _WIDTH - _LEFT - _RIGHT - 24
    return _LEFT + 12 + (room / 2 if count == 1 else room * column / (count - 1))


def _down(place: int) -> int:
    return _TOP + _ROW // 2 + _ROW * place


def _table(course: _Course, texts: Texts) -> str:
    names = ("risk.turn", "emotions.read")
    head = "".join(f"<th scope='col'>{escape(texts(name))}</th>" for name in names)
    rows = "".join(
        f"<tr><th scope='row'>{message_link(seq)}</th><td>{escape(_named(emotions, texts))}</td></tr>"
        for seq, emotions in course
    )
    title = escape(texts("emotions.as_table"))
    return (
        f"<div class='hk-strip-scroll' tabindex='0' role='region' aria-label='{title}'>"
        f"<table class='hk-strip'><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _named(emotions: Mapping[str, float] | None, texts: Texts) -> str:
    """The emotions of one message with their probabilities, likeliest first."""
    if emotions is None:
        return texts("emotions.in_danger")
    ordered = sorted(emotions.items(), key=lambda one: -one[1])
    return ", ".join(f"{texts(f'emotion.{name}')} {share:.0%}" for name, share in ordered) or texts(
        "emotions.unclear"
    )
