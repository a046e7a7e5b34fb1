"""What a reader is given: ends of sentences, how much of a conversation, folds, and the order of rows."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.chat_model import ChatMessage
from models.reader_text import TurnTokens, last_token, sentence_ends
from models.sentences import split_sentences
from models.tactics import Tactic
from models.training.folds import conversation_folds
from models.training.mint_data import MintData, MintReply, reply_digest
from models.training.multi_task_sources import esconv_rows
from models.training.reader_data import load, save
from models.training.reader_mint import FOLDS, pack_mint
from models.training.reader_pack import load_tokenizer
from models.training.reader_strategies import pack_strategies
from tests.fakes.tiny_models import write_tiny_llama

TURNS = (ChatMessage("user", "I lost my job."), ChatMessage("assistant", "Oh."), ChatMessage("user", "Yes."))
TEXTS = ("I am sorry. 💛 It hurts!", "Really? Tell me… 好的。我在。", "One sentence without a mark")


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return load_tokenizer(str(write_tiny_llama(tmp_path_factory.mktemp("tiny"))))


@pytest.mark.parametrize("text", TEXTS)
def test_a_place_is_the_last_token_of_its_sentence(tokenizer: Any, text: str) -> None:
    sentences = split_sentences(text)
    turns = TurnTokens(tokenizer)
    before = turns.context(TURNS, 100)
    read = turns.answered(before, "assistant", text, sentences)
    begin = tokenizer.decode(read.ids[: len(before)]) + "<|im_start|>assistant\n"
    for end, place in zip(sentence_ends(text, sentences), read.places, strict=True):
        assert tokenizer.decode(read.ids[: place + 1]) == begin + text[:end]


def test_a_text_ends_with_the_mark_of_its_turn(tokenizer: Any) -> None:
    read = TurnTokens(tokenizer).answered((), "assistant", "Fine.", ["Fine."])
    assert tokenizer.decode(read.ids) == "<|im_start|>assistant\nFine.<|im_end|>"


def test_a_sentence_that_is_not_in_the_text_is_refused() -> None:
    with pytest.raises(ValueError, match="sentence 1 is not in its text"):
        sentence_ends("One. Two.", ["Two.", "One."])


def test_the_last_of_several_tokens_of_one_character_is_taken() -> None:
    assert last_token([0, 3, 3, 3, 4], 4) == 3


def test_turns_are_written_as_the_chat_template_does(tokenizer: Any) -> None:
    messages = [{"role": turn.role, "content": turn.content} for turn in TURNS]
    expected = tokenizer.apply_chat_template(messages, tokenize=False)
    assert tokenizer.decode(TurnTokens(tokenizer).context(TURNS, 1000)) == expected


def test_of_a_long_conversation_the_end_is_kept(tokenizer: Any) -> None:
    turns = TurnTokens(tokenizer)
    whole = turns.context(TURNS, 1000)
    last = turns.turn("user", "Yes.")
    for most in range(len(last), len(whole)):
        found = turns.context(TURNS, most)
        assert len(found) <= most
        assert found[-len(last) :] == last
        assert found[0] == whole[0]


def reply(conversation: str, number: int, tags: int, text: str = "It hurts. Why?") -> MintReply:
    return MintReply(
        (conversation, number), f"s{tags}", text, tuple(split_sentences(text)),
        (frozenset({Tactic.VALIDATION}), frozenset({Tactic.QUESTIONING}))[:tags], (3.0,) * 7,
    )  # fmt: skip


@pytest.fixture
def mint() -> MintData:
    replies = [reply(f"c{i}", turn, tags) for turn in (3, 1) for i in range(7) for tags in (2, 1)]
    histories = {one.context: TURNS for one in replies}
    return MintData(tuple(replies), histories)


def test_replies_stay_in_order_and_in_the_folds_of_the_heads(mint: MintData, tokenizer: Any) -> None:
    data = pack_mint(mint, tokenizer)
    arrays = data.arrays
    assert arrays["digests"].tolist() == [reply_digest(one) for one in mint.replies]
    names = arrays["conversations"][arrays["conversation"][arrays["context"]]]
    assert names.tolist() == [one.context[0] for one in mint.replies]
    folds = conversation_folds(mint.conversations, FOLDS, 0)
    assert dict(zip(arrays["conversations"].tolist(), arrays["fold"].tolist(), strict=True)) == folds


def test_tags_belong_to_the_sentences_that_they_fit(mint: MintData, tokenizer: Any) -> None:
    arrays = pack_mint(mint, tokenizer).arrays
    first = list(Tactic).index(Tactic.VALIDATION)
    second = list(Tactic).index(Tactic.QUESTIONING)
    assert arrays["aligned"].tolist() == [True, True, False, False] * 14
    assert np.argwhere(arrays["tags"][:4]).tolist() == [[0, first], [1, second]]


def test_what_was_saved_is_loaded(mint: MintData, tokenizer: Any, tmp_path: Path) -> None:
    data = pack_mint(mint, tokenizer)
    save(data, tmp_path / "mint.npz")
    found = load(tmp_path / "mint.npz")
    assert found.task == "mint"
    for name in ("ids", "starts", "places", "counts"):
        assert np.array_equal(getattr(found, name), getattr(data, name))
    assert found.tokens(3).tolist() == data.tokens(3).tolist()
    assert found.rows(np.array([2, 0])).tolist() == [4, 5, 0, 1]


DIALOGUES = {
    "train": [
        [("usr", "Hello."), ("sys", "Hi.", "Others"), ("sys", "How are you?", "Question")],
        [("sys", "Welcome.", "Others"), ("usr", " "), ("usr", "I am sad."), ("sys", "I see.", "Information")],
    ],
    "valid": [[("usr", "Help."), ("sys", "Try this.", "Providing Suggestions"), ("sys", " ", "Others")]],
}


@pytest.fixture
def esconv(tmp_path: Path) -> Path:
    for name, dialogues in DIALOGUES.items():
        rows = [
            {"dialog": [dict(zip(("speaker", "text", "strategy"), turn, strict=False)) for turn in dialogue]}
            for dialogue in dialogues
        ]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    return tmp_path


@pytest.mark.parametrize("whole", [False, True])
def test_supporter_turns_are_rows_in_the_order_of_the_labels(
    esconv: Path, tokenizer: Any, whole: bool
) -> None:
    rows = esconv_rows(esconv)[1]
    data = pack_strategies(esconv, tokenizer, whole=whole)
    assert data.arrays["label"].tolist() == [row.label for row in rows]
    assert data.arrays["train"].tolist() == [True, True, True, True, False]
    assert data.arrays["conversation"].tolist() == [0, 0, 1, 1, 2]
    place = 0
    for text in range(data.texts):
        for number in data.places[data.rows(np.array([text]))]:
            said = tokenizer.decode(data.tokens(text)[: number + 1].tolist())
            assert said.endswith(f"<|im_start|>assistant\n{rows[place].text}<|im_end|>")
            place += 1
    assert place == len(rows)


def test_no_strategy_and_no_later_turn_is_told(esconv: Path, tokenizer: Any) -> None:
    data = pack_strategies(esconv, tokenizer)
    told = [tokenizer.decode(data.tokens(text).tolist()) for text in range(data.texts)]
    assert told[0] == "<|im_start|>user\nHello.<|im_end|>\n<|im_start|>assistant\nHi.<|im_end|>"
    assert told[2] == "<|im_start|>assistant\nWelcome.<|im_end|>"
    assert not any(name in text for text in told for name in ("Others", "Question", "Suggestions"))
