"""How exported rows are written: CSV that is safe to open in a spreadsheet, and JSON lines for TRL."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Sequence

from app.agreement_report import Disagreement, MeasureAgreement
from app.db.export_records import LabelledReply, PreferencePair, RankingLine, RatingLine
from app.db.measures import MEASURES

BOM = "\ufeff"
"""Tells Excel that a CSV is UTF-8."""
RATING_COLUMNS = (
    "session_id",
    "user_message_id",
    "message_id",
    "rater",
    "model",
    "language",
    "style",
    "status",
    "source",
    "superseded",
    "thumbs",
    "reasons",
    "comment",
    *MEASURES,
    "reply",
    "replied_at",
    "rated_at",
)
RANKING_COLUMNS = (
    "ranking_id",
    "session_id",
    "user_message_id",
    "rater",
    "candidate_id",
    "place",
    "shown",
    "model",
    "language",
    "style",
    "superseded",
    "predicted_quality",
    "novelty",
    "candidate",
    "ranked_at",
)
AGREEMENT_COLUMNS = (
    "period",
    "measure",
    "metric",
    "alpha",
    "low_95",
    "high_95",
    "units",
    "raters",
    "values",
)
DISAGREEMENT_COLUMNS = ("session_id", "message_id", "raters", "disagreement", "values")

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""Beginnings that spreadsheets may run as a formula (OWASP, "CSV Injection")."""
_PSEUDONYM = 12
_DIGITS = 4

Cell = str | int | float | bool | None


def csv_lines(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as CSV (RFC 4180).

    A row ends in CR LF and no cell holds a CR, so the number of CR LF is the number of rows.
    """
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _cell(value: Cell) -> Cell:
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    return harmless(text)


def harmless(text: str) -> str:
    """A cell's text with a mark before it where a spreadsheet would run it as a formula."""
    return f"'{text}" if text.lstrip(" \n").startswith(_FORMULA) else text


def pseudonym(rater: str) -> str:
    """A name for a rater that is the same in all exports and does not show the account's id."""
    kind, _, _ = rater.partition(":")
    return f"{kind}-{hashlib.sha256(rater.encode()).hexdigest()[:_PSEUDONYM]}"


def rating_cells(line: RatingLine) -> list[Cell]:
    """One row of the ratings, in the order of :data:`RATING_COLUMNS`; what was not said is empty."""
    return [
        line.session_id,
        line.user_message_id,
        line.message_id,
        pseudonym(line.rater),
        line.model,
        line.language,
        line.style,
        line.status,
        line.source,
        line.superseded,
        line.value,
        " ".join(line.reasons),
        line.comment,
        *(line.scores.get(measure) for measure in MEASURES),
        line.reply,
        line.replied_at.isoformat(),
        line.rated_at.isoformat(),
    ]


def ranking_cells(line: RankingLine) -> list[Cell]:
    """One row of the rankings, in the order of :data:`RANKING_COLUMNS`."""
    return [
        line.ranking_id,
        line.session_id,
        line.user_message_id,
        pseudonym(line.rater),
        line.candidate_id,
        line.place,
        line.shown,
        line.model,
        line.language,
        line.style,
        line.superseded,
        line.quality,
        line.novelty,
        line.text,
        line.ranked_at.isoformat(),
    ]


def agreement_cells(line: MeasureAgreement) -> list[Cell]:
    """One row of the agreement, in the order of :data:`AGREEMENT_COLUMNS`."""
    found = line.found
    numbers = (found.alpha, found.low, found.high)
    return [
        line.period,
        line.measure,
        line.metric.value,
        *(None if number is None else round(number, _DIGITS) for number in numbers),
        found.units,
        line.raters,
        found.values,
    ]


def disagreement_cells(line: Disagreement) -> list[Cell]:
    """One row of the disagreements, in the order of :data:`DISAGREEMENT_COLUMNS`."""
    said = "; ".join(f"{measure}: {' '.join(map(str, values))}" for measure, values in line.values.items())
    return [line.session_id, line.message_id, line.raters, round(line.size, _DIGITS), said]


def kto_lines(examples: Iterable[LabelledReply]) -> str:
    """Lines of TRL's conversational, unpaired form; ids beside it let rows be joined and split."""
    return _json_lines(
        {
            "prompt": list(example.prompt),
            "completion": [{"role": "assistant", "content": example.completion}],
            "label": example.label,
            "session_id": example.session_id,
            "message_id": example.message_id,
        }
        for example in examples
    )


def dpo_lines(pairs: Iterable[PreferencePair]) -> str:
    """Lines of TRL's conversational preference form with explicit prompts; ids beside it as above."""
    return _json_lines(
        {
            "prompt": list(pair.prompt),
            "chosen": [{"role": "assistant", "content": pair.chosen}],
            "rejected": [{"role": "assistant", "content": pair.rejected}],
            "session_id": pair.session_id,
            "user_message_id": pair.user_message_id,
            "chosen_id": pair.chosen_id,
            "rejected_id": pair.rejected_id,
        }
        for pair in pairs
    )


def _json_lines(rows: Iterable[object]) -> str:
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    # They are no line ends in JSON, but some readers of lines think so.
    for mark, written in _LINE_ENDS.items():
        lines = lines.replace(mark, written)
    return lines


_LINE_ENDS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}
