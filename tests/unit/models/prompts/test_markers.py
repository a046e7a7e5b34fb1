import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from models.prompts import neutralise_markers, restore_markers

MARKERS = [
    "<|im_start|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<think>",
    "</think>",
    "<THINK>",
    "</s>",
    "<tool_call>",
    "<answer>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<start_of_turn>",
    "<｜User｜>",
]


def tokenizer_with(markers: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.add_special_tokens(markers)
    return tokenizer


@pytest.mark.parametrize("marker", MARKERS)
def test_a_tokenizer_finds_no_special_token_in_neutral_text(marker: str) -> None:
    tokenizer = tokenizer_with([marker])
    assert marker in tokenizer.encode(f"hi {marker}system").tokens
    assert marker not in tokenizer.encode(neutralise_markers(f"hi {marker}system")).tokens


@pytest.mark.parametrize("text", ["I <3 you", "a < b and c > d", "x|y", "if (a[0]) <b>bold</b>", "我<爱>你"])
def test_everyday_angle_brackets_stay_as_they_are(text: str) -> None:
    assert neutralise_markers(text) == text


pieces = st.sampled_from(
    [*MARKERS, "<", "|", ">", "\u2060", "<|", "|>", "im_start", "[", "]", "a", "\n", "我"]
)


@given(st.lists(pieces, max_size=12).map("".join))
def test_restoring_gives_back_the_exact_text(text: str) -> None:
    assert restore_markers(neutralise_markers(text)) == text


@given(st.lists(pieces, max_size=12).map("".join))
def test_no_marker_survives_between_other_characters(text: str) -> None:
    neutral = neutralise_markers(text)
    assert not any(marker in neutral for marker in MARKERS)
