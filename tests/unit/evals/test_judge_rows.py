import gzip
import json
from pathlib import Path

import pytest

from app.api.export_lines import BOM, RATING_COLUMNS, csv_lines, harmless
from app.db.measures import EMPATHY
from evals.judge_rating import chosen_rows
from evals.judge_rows import FROM_MINT, FROM_PEOPLE, read_rated
from models.chat_model import ChatMessage


def export(file: Path, *rows: dict[str, object], bom: str = "") -> Path:
    """Written by the code that writes the app's exports."""
    lines = [list(RATING_COLUMNS), *([row.get(name) for name in RATING_COLUMNS] for row in rows)]
    file.write_bytes((bom + csv_lines(lines)).encode())  # type: ignore[arg-type]
    return file


def rated(message: str, rater: str, reply: str = "I hear you.", **scores: object) -> dict[str, object]:
    return {
        "session_id": "s1",
        "user_message_id": "u1",
        "message_id": message,
        "rater": rater,
        "language": "zh",
        "reply": reply,
        **{name.replace("__", "."): value for name, value in scores.items()},
    }


@pytest.mark.parametrize("bom", ["", BOM])
def test_raters_of_one_reply_are_averaged(tmp_path: Path, bom: str) -> None:
    file = export(
        tmp_path / "ratings.csv",
        rated("m1", "staff-a", empathy__self_oriented=1, support__encouragement=4),
        rated("m1", "staff-b", empathy__self_oriented=2),
        rated("m2", "staff-a"),
        bom=bom,
    )
    found = read_rated(file)
    (reply,) = found.replies
    assert reply.ratings == {"empathy.self_oriented": 1.5, "support.encouragement": 4.0}
    assert (reply.language, reply.context, found.unrated, found.reference) == ("zh", (), 1, FROM_PEOPLE)


def test_the_dialogue_comes_from_the_export_of_prompts(tmp_path: Path) -> None:
    file = export(tmp_path / "ratings.csv", rated("m1", "staff-a", support__encouragement=4))
    kto = tmp_path / "kto.jsonl"
    prompt = [{"role": "user", "content": "My cat died."}]
    kto.write_text(json.dumps({"prompt": prompt, "message_id": "m1"}) + "\n")
    assert read_rated(file, kto).replies[0].context == (ChatMessage("user", "My cat died."),)


def test_a_reply_is_read_without_the_mark_against_formulas(tmp_path: Path) -> None:
    texts = ["- one thing", "'- quoted'", "'twas hard"]
    assert harmless(texts[0]) == "'- one thing"
    rows = [rated(f"m{n}", "a", text, support__encouragement=3) for n, text in enumerate(texts)]
    found = read_rated(export(tmp_path / "ratings.csv", *rows)).replies
    assert found[0].reply == "- one thing"
    assert found[2].reply == "'twas hard"


@pytest.mark.parametrize("value", [0, 6, "x", "nan"])
def test_a_rating_off_the_scale_is_named_with_its_row(tmp_path: Path, value: object) -> None:
    file = export(tmp_path / "ratings.csv", rated("m1", "a", support__encouragement=value))
    with pytest.raises(ValueError, match=r"ratings\.csv, row 2: support\.encouragement"):
        read_rated(file)


def mint(folder: Path, *rows: dict[str, object]) -> Path:
    contexts = [{"conversation_id": "c", "turn_index": 1, "history": [{"role": "user", "content": "Hello"}]}]
    for name, lines in (("contexts.jsonl.gz", contexts), ("replies.jsonl.gz", rows)):
        with gzip.open(folder / name, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
    return folder / "replies.jsonl.gz"


def test_released_replies_bring_their_dialogue_along(tmp_path: Path) -> None:
    ratings = {name.partition(".")[2]: 3.0 for name in EMPATHY} | {"aggregated_empathy": 3.0}
    row: dict[str, object] = {"conversation_id": "c", "turn_index": 1, "system": "gold", "reply": "Hi"}
    found = read_rated(mint(tmp_path, {**row, "ratings": ratings}, {**row, "system": "x"}))
    (reply,) = found.replies
    assert reply.context == (ChatMessage("user", "Hello"),)
    assert reply.ratings == dict.fromkeys(EMPATHY, 3.0)
    assert (reply.key, found.unrated, found.reference) == ("replies.jsonl.gz:c:1:gold", 1, FROM_MINT)


@pytest.mark.parametrize(
    ("line", "what"),
    [("{", "not JSON"), ("[]", "not an object"), ('{"reply": "x"}', "turn_index"), ("{}", "conversation_id")],
)
def test_a_broken_row_is_named(tmp_path: Path, line: str, what: str) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(f"{line}\n")
    with pytest.raises(ValueError, match=rf"replies\.jsonl, row 1: .*{what}"):
        read_rated(file)


@pytest.mark.parametrize("name", ["none.csv", "none.jsonl.gz"])
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=name):
        read_rated(tmp_path / name)


def test_rows_are_drawn_by_the_seed_in_file_order(tmp_path: Path) -> None:
    rows = [rated(f"m{n}", "a", support__encouragement=3) for n in range(20)]
    replies = read_rated(export(tmp_path / "ratings.csv", *rows)).replies
    some = chosen_rows(replies, 5, 1)
    assert some == chosen_rows(replies, 5, 1) != chosen_rows(replies, 5, 2)
    assert some == [reply for reply in replies if reply in some]
    assert chosen_rows(replies, 99, 1) == list(replies)
