"""A message with the spans that a crisis layer found, each with the name of its layer and rule."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from app.ui.staff_markup import layer_name, paragraphs
from app.ui.texts import Texts
from safety.levels import RiskMatch


def marked_text(text: str, matches: Sequence[RiskMatch], texts: Texts) -> str:
    """HTML of a message.

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
            lines.append(f"<div>{''.join(_pieces(line, start, spans, texts))}</div>")
        start += len(line) + 1
    return "".join(lines)


def _is_part(match: RiskMatch, text: str) -> bool:
    start, end = max(match.start, 0), min(match.end, len(text))
    return start < end and bool(text[:start].strip() or text[end:].strip() or match.layer == "rules")


def _pieces(line: str, start: int, spans: Sequence[RiskMatch], texts: Texts) -> Iterator[str]:
    """The line cut where a span begins or ends; overlapping spans share a mark."""
    edges = {0, len(line)}
    for match in spans:
        edges |= {min(max(match.start - start, 0), len(line)), min(max(match.end - start, 0), len(line))}
    cuts = sorted(edges)
    for left, right in pairwise(cuts):
        piece = escape(line[left:right])
        over = [match for match in spans if match.start - start <= left and match.end - start >= right]
        if not over:
            yield piece
            continue
        ended = [match for match in over if min(match.end - start, len(line)) == right]
        names = ", ".join(dict.fromkeys(f"{layer_name(match.layer, texts)}: {match.rule}" for match in ended))
        label = f"<span class='hk-layer'>{escape(names)}</span>" if names else ""
        yield f"<mark>{piece}</mark>{label}"
