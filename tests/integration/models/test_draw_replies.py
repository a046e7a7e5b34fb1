"""Drawing replies for reading, with a random model of a few weights."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from models.chat_model import ChatMessage
from models.training import read_codes, sample_chat
from models.training.chat_tokens import prompt_text
from models.training.draw_replies import main, read_scripts
from tests.fakes.tiny_models import write_tiny_llama


@pytest.fixture(scope="module")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_llama(tmp_path_factory.mktemp("tiny"))


def test_conversations_go_on_with_the_first_reply(tiny_model: Path, tmp_path: Path) -> None:
    file, output = tmp_path / "said.jsonl", tmp_path / "out" / "drawn.jsonl"
    rows = [{"text": "my llama bit me"}, {"source": "talk", "turns": ["lost my job", "to a robot"]}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    main([str(file), "--base", str(tiny_model), "--draws", "0.3=1", "0.9=2", "--output", str(output)])

    drawn = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row["source"] for row in drawn] == ["said", "talk", "talk"]
    first, second = drawn[1:]
    assert second["turns"] == [
        *first["turns"],
        ["assistant", first["replies"][0]["text"]],
        ["user", "to a robot"],
    ]
    for row in drawn:
        assert row["replies"][0]["temperature"] == 0.3
        texts = [reply["text"] for reply in row["replies"]]
        assert len(set(texts)) == len(texts) <= 3


def test_prompts_end_with_the_codes_of_their_row(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, output = tmp_path / "said.jsonl", tmp_path / "drawn.jsonl"
    rows = [{"turns": ["we won", "twice"], "codes": ["Kind of message: good.", ""]}, {"text": "hello"}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    prompts: list[str] = []

    def seen(tokenizer: Any, turns: Sequence[ChatMessage], risk: int, profile: str, code: str) -> str:
        prompts.append(code)
        return prompt_text(tokenizer, turns, risk, profile, code)

    monkeypatch.setattr(sample_chat, "prompt_text", seen)
    main([str(file), "--base", str(tiny_model), "--draws", "0.3=1", "--output", str(output)])

    assert prompts == ["Kind of message: good.", "", ""]
    drawn = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [row.get("code") for row in drawn] == ["Kind of message: good.", None, None]


def test_codes_are_read_for_each_message(tmp_path: Path) -> None:
    file, output = tmp_path / "said.jsonl", tmp_path / "out" / "coded.jsonl"
    file.write_text(json.dumps({"source": "a", "turns": ["are you a robot?", "我失业了"]}) + "\n")

    read_codes.main([str(file), "--output", str(output)])

    row = json.loads(output.read_text("utf-8"))
    assert row["source"] == "a"
    assert row["codes"] == ["Kind of message: who. Feelings: none named.", ""]
    assert read_scripts(output)[0].codes == tuple(row["codes"])


@pytest.mark.parametrize("row", ['{"text": "a", "codes": []}', "{}", '{"turns": []}', '{"text": " "}', "no"])
def test_a_bad_row_is_named(row: str, tmp_path: Path) -> None:
    file = tmp_path / "said.jsonl"
    file.write_text('{"text": "hello"}\n' + row + "\n")

    with pytest.raises(ValueError, match="row 2"):
        read_scripts(file)


def test_a_wrong_temperature_ends_kindly(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="TEMPERATURE=NUMBER"):
        main([str(tmp_path / "none.jsonl"), "--draws", "warm", "--output", str(tmp_path / "out.jsonl")])
