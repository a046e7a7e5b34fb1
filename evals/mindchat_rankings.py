"""Reads blind rankings by people: from a database, a file of placed candidates, or the ranking page's CSV."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from app.db.engine import create_engine, session_factory
from app.db.ranking_outcomes import RankingOutcomes
from app.ranking_table import RankedCandidate

MOST_RANKINGS = 1_000_000
_FIGURES = {"win": "win_rate", "top_two": "top_two_rate", "mean_rank": "mean_rank"}
_BY = {"model": "by_model", "choice": "by_choice"}


async def stored_rankings(url: str) -> list[RankedCandidate]:
    """All rankings by staff in a database; it is only read.

    Raises:
        sqlalchemy.exc.SQLAlchemyError: The database can't be read.
    """
    engine = create_engine(url)
    try:
        return await RankingOutcomes(session_factory(engine)).latest(MOST_RANKINGS)
    finally:
        await engine.dispose()


def read_rankings(file: Path) -> list[RankedCandidate]:
    """Read a candidate a row, from CSV or JSON lines.

    Columns: ``ranking_id``, ``model``, ``place`` (1 is the best), and where known ``turn_id`` and ``chosen``.

    Raises:
        ValueError: The file is missing or a row is wrong; the text names file and row.
    """
    found: list[RankedCandidate] = []
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, row in _rows(file):
        try:
            place = int(row["place"])
            ranking, model = str(row["ranking_id"]).strip(), str(row["model"]).strip()
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file.name}, row {number}: {error}") from None
        if place < 1 or not ranking or not model:
            raise ValueError(f"{file.name}, row {number}: a place starts at 1; ranking and model have names")
        places[ranking].append(place)
        chosen = str(row.get("chosen", "")).strip().lower() in ("1", "true", "yes")
        found.append(RankedCandidate(ranking, str(row.get("turn_id") or ranking), model, chosen, place))
    alone = [name for name, own in places.items() if len(own) < 2]
    if alone:
        raise ValueError(f"{file.name}: ranking {alone[0]} has one candidate, so nothing was compared")
    return found


def is_page_csv(file: Path) -> bool:
    """Whether a file is what the ranking page lets admins download: figures that are already counted."""
    if file.suffix != ".csv":
        return False
    try:
        with file.open(encoding="utf-8-sig") as lines:
            return lines.readline().startswith("by,setting,")
    except (OSError, UnicodeDecodeError):
        return False


def read_page_csv(file: Path) -> dict[str, Any]:
    """Table 3 as the ranking page counted it.

    Raises:
        ValueError: A row is wrong; the text names file and row.
    """
    table: dict[str, Any] = {"by_model": [], "by_choice": []}
    for number, row in _rows(file):
        try:
            table[_BY[row["by"]]].append(_page_row(row))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{file.name}, row {number}: {error}") from None
    return table


def _page_row(row: Mapping[str, Any]) -> dict[str, Any]:
    figures = {
        name: {
            "mean": float(row[column]),
            "low": float(row[f"{column}_low"]),
            "high": float(row[f"{column}_high"]),
        }
        for name, column in _FIGURES.items()
    }
    return {
        "setting": row["setting"],
        "rankings": int(row["rankings"]),
        "candidates": int(row["candidates"]),
        "by_chance": float(row["win_by_chance"]),
        **figures,
    }


def _rows(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{file}: {type(error).__name__}") from None
    if file.suffix == ".csv":
        yield from enumerate(csv.DictReader(text.splitlines()), start=2)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                row: Any = json.loads(line)
            except ValueError:
                raise ValueError(f"{file.name}, row {number}: not JSON") from None
            if not isinstance(row, dict):
                raise ValueError(f"{file.name}, row {number}: not an object")
            yield number, cast("dict[str, Any]", row)
