"""Control codes at the end of a prompt, and the mark of adapters that know them."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from models.adapter_marks import WEIGHTS, knows_codes, marks
from models.chat_model import ChatMessage
from models.control_code import CODE_START, code_text, with_code
from models.message_kind import MessageReading
from models.weights import DEFAULT_ADAPTER

PROMPT = [ChatMessage("system", "Be kind."), ChatMessage("user", "we won")]


def test_codes_stand_behind_the_newest_message() -> None:
    coded = with_code(PROMPT, MessageReading("good", ("proud", "happy")))
    assert coded[:-1] == PROMPT
    assert coded[-1] == ChatMessage("system", "Kind of message: good. Feelings: proud and happy.")


def test_an_unread_message_has_none() -> None:
    assert with_code(PROMPT, None) == PROMPT


def test_codes_begin_where_a_model_is_asked_for_its_opinion() -> None:
    assert code_text(MessageReading("low")) == f"{CODE_START} low. Feelings: none named."


@pytest.mark.parametrize("codes", [True, False])
def test_an_adapter_says_whether_it_knows_codes(codes: bool, tmp_path: Path) -> None:
    save_file({"a": np.zeros(1, np.float32)}, tmp_path / WEIGHTS, metadata=marks(codes))
    assert knows_codes(tmp_path) is codes


def test_no_adapter_or_a_broken_one_knows_none(tmp_path: Path) -> None:
    assert not knows_codes(None)
    assert not knows_codes(tmp_path)
    (tmp_path / WEIGHTS).write_bytes(b"no weights")
    assert not knows_codes(tmp_path)


def test_the_shipped_adapter_knows_codes() -> None:
    assert knows_codes(DEFAULT_ADAPTER)
