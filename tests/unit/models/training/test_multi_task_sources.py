"""Public data become rows: which text is on which side, and what its label is."""

import gzip
from pathlib import Path

import pytest

from models.training.multi_task_sources import emotion_rows, esconv_rows, safety_rows, strategy_rows
from models.training.strategies import load_strategies
from tests.fakes.multi_task_data import ratings, write_emotions, write_lines, write_raw_data, write_safety


def test_a_text_that_is_measured_on_is_never_learned_from(tmp_path: Path) -> None:
    write_emotions(tmp_path / "g")
    for name in ("train", "dev"):
        file = tmp_path / "g" / f"{name}.tsv.gz"
        file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()) + b"\nSo Glad\t17,27\tid"))
    rows = [row for row in emotion_rows(tmp_path / "g") if row.text == "So Glad"]
    assert [row.split for row in rows] == ["test"]
    assert rows[0].labels == (17,)  # 27 is neutral: no emotion


def test_labels_of_another_set_are_refused(tmp_path: Path) -> None:
    write_emotions(tmp_path / "g")
    (tmp_path / "g" / "labels.txt").write_text("joy anger", "utf-8")
    with pytest.raises(ValueError, match=r"labels\.txt: expected 27"):
        emotion_rows(tmp_path / "g")


def mint(folder: Path, tags: list[list[str]], turn: int = 1) -> Path:
    key = {"conversation_id": "c", "turn_index": 1}
    history = [{"role": "user", "content": "I lost my job."}]
    write_lines(folder / "contexts.jsonl.gz", [key | {"history": history}])
    reply = {"reply": "That hurts. What now?", "sentence_tactics": tags, "ratings": ratings()}
    write_lines(folder / "replies.jsonl.gz", [key | {"turn_index": turn} | reply])
    return folder


def test_each_tagged_sentence_is_a_row_with_its_message(tmp_path: Path) -> None:
    rows = strategy_rows(mint(tmp_path, [["validation"], ["questioning"]]))
    names = load_strategies().names
    assert [(row.text, names[row.label]) for row in rows] == [
        ("That hurts.", "Affirmation and Reassurance"),
        ("What now?", "Question"),
    ]
    assert {row.context for row in rows} == {"I lost my job."}
    assert {row.group for row in rows} == {"mint:c"}


def test_a_reply_whose_tags_do_not_match_its_sentences_is_left_out(tmp_path: Path) -> None:
    assert strategy_rows(mint(tmp_path, [["validation"]])) == []


def test_a_reply_without_a_context_is_refused_with_its_row(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"replies\.jsonl\.gz, row 1: no context c 3"):
        strategy_rows(mint(tmp_path, [["validation"], []], turn=3))


def test_messages_about_self_harm_carry_the_crisis_guidance(tmp_path: Path) -> None:
    write_safety(tmp_path / "s")
    levels = {row.source: row.risk_level for row in safety_rows(tmp_path / "s")}
    expected = {"simple_safety_tests": 2, "xstest": 0, "openai_moderation": 2, "crisis_cases": 0}
    assert levels == expected


def test_esconv_messages_in_a_row_become_one_turn_and_each_label_a_row(tmp_path: Path) -> None:
    dialogues, strategies = esconv_rows(write_raw_data(tmp_path / "raw") / "esconv")
    first = dialogues[0]
    assert [turn.content for turn in first.turns] == ["I am sad about my job. It has been a month."]
    assert first.reply.startswith("A month of my job is long")
    assert (strategies[0].context, strategies[0].text) == ("", "Hello.")
    assert strategies[1].context == "It has been a month."
    assert {row.split for row in strategies} == {"train", "valid"}
