"""A message with the spans that a crisis layer found, and below it the layer and rule of each."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby, pairwise

from app.ui.staff_markup import layer_name, paragraphs
from app.ui.texts import Texts
from safety.levels import RiskMatch

_QUOTED = 60
"""Characters of marked words that are quoted below; all of them stand in the message."""


def marked_text(text: str, matches: Sequence[RiskMatch], texts: Texts) -> str:
    """HTML of a message; nothing stands between its words, so that it reads as it was written.

    Findings about the message as a whole mark nothing; the facts above the message name their layer.

    Args:
        text: As the person wrote it; spans count its characters.
        matches: What the layers found in it.
        texts: Names of the layers in the reader's language.
    """
    spans = [match for match in matches if _is_part(match, text)]
    if not spans:
        return paragraphs(text)
    lines: list[str] = []
    start = 0
    for line in text.split("\n"):
        if line.strip():
            lines.append(f"<div>{''.join(_pieces(line, start, spans))}</div>")
        start += len(line) + 1
    return "".join(lines) + _found(text, spans, texts)


def _found(text: str, spans: Sequence[RiskMatch], texts: Texts) -> str:
    """Notes in the order of the message: the words that are marked, and what found them."""
    names: dict[tuple[int, int], dict[str, None]] = {}
    for match in sorted(spans, key=lambda one: (one.start, one.end)):
        place = max(match.start, 0), min(match.end, len(text))
        names.setdefault(place, {})[f"{layer_name(match.layer, texts)}: {match.rule}"] = None
    notes = (
        texts("review.found", words=_short(text[start:end]), layers=", ".join(found))
        for (start, end), found in names.items()
    )
    return "<ul class='hk-found'>" + "".join(f"<li>{escape(note)}</li>" for note in notes) + "</ul>"


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _QUOTED else f"{line[:_QUOTED].rstrip()} …"


def _is_part(match: RiskMatch, text: str) -> bool:
    start, end = max(match.start, 0), min(match.end, len(text))
    return start < end and bool(text[:start].strip() or text[end:].strip() or match.layer == "rules")


def _pieces(line: str, start: int, spans: Sequence[RiskMatch]) -> Iterator[str]:
    """The line cut where a mark begins or ends; overlapping spans share one."""
    edges = {0, len(line)}
    for match in spans:
        edges |= {min(max(match.start - start, 0), len(line)), min(max(match.end - start, 0), len(line))}

    def found(cut: tuple[int, int]) -> bool:
        return any(match.start - start <= cut[0] and match.end - start >= cut[1] for match in spans)

    for over, cuts in groupby(pairwise(sorted(edges)), found):
        piece = escape("".join(line[left:right] for left, right in cuts))
        yield f"<mark>{piece}</mark>" if over else piece
