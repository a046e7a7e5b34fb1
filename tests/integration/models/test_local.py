"""The model in this process, on a small checkpoint that says what the test wrote down."""

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from models.chat_model import (
    ChatMessage,
    ContextTooLongError,
    ModelBusyError,
    ModelTimeoutError,
    ModelUnreachableError,
    SamplingParams,
)
from models.embedded_readers import EmbeddedReaders
from models.head_file import HeadError
from models.later_sentences import SentenceBook
from models.local import LocalChatModel
from models.local_engine import Generation, LocalEngine, Prompt
from models.message_kind import KINDS, KindReader, MessageReading, Opinion
from models.profiles import load_profiles
from models.sentences import split_sentences
from models.weights import load_checkpoint
from tests.scripted_qwen3 import ENDLESS, write_checkpoint

QWEN = load_profiles()["qwen3"]
HELLO = [ChatMessage("system", "Be kind."), ChatMessage("user", "Hello.")]
PLAIN = SamplingParams(thinking=False, max_tokens=40)
LONG = SamplingParams(thinking=False, max_tokens=1900)
SHORT = SamplingParams(thinking=False, max_tokens=2)
REPLY = "I hear you. That sounds hard!"
THOUGHT = "She needs comfort before advice, so listen"


@pytest.fixture(scope="module")
def scripted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("scripted") / "small-qwen3")


@pytest.fixture(scope="module")
def endless_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_checkpoint(tmp_path_factory.mktemp("endless") / "endless-qwen3", ENDLESS)


@pytest.fixture
async def model(scripted_folder: Path) -> AsyncIterator[LocalChatModel]:
    model = LocalChatModel(scripted_folder, profile=QWEN, threads=1)
    yield model
    await model.close()


@pytest.fixture
async def endless(endless_folder: Path) -> AsyncIterator[LocalChatModel]:
    model = LocalChatModel(endless_folder, profile=QWEN, threads=1, max_queue=2)
    await model.sample(HELLO, 1, SHORT)
    yield model
    await model.close()


async def test_every_candidate_of_a_batch_is_a_whole_reply(model: LocalChatModel) -> None:
    candidates = await model.sample(HELLO, 5, PLAIN)
    assert [(candidate.text, candidate.finish_reason) for candidate in candidates] == [(REPLY, "stop")] * 5


async def test_tokens_and_time_of_a_candidate_are_told(model: LocalChatModel) -> None:
    (candidate,) = await model.sample(HELLO, 1, PLAIN)
    assert candidate.completion_tokens == 9  # eight words and the end mark
    assert candidate.prompt_tokens > 10
    assert candidate.latency_s > 0


async def test_thoughts_are_kept_apart_from_the_reply(model: LocalChatModel) -> None:
    (candidate,) = await model.sample(HELLO, 1, SamplingParams(thinking=True, max_tokens=40))
    assert (candidate.text, candidate.reasoning) == (REPLY, THOUGHT)


async def test_a_cut_thought_leads_to_a_reply_without_thinking_and_is_told(scripted_folder: Path) -> None:
    told: list[str] = []
    model = LocalChatModel(
        scripted_folder, profile=QWEN, threads=1, on_thoughts_only=lambda: told.append("again")
    )
    await model.sample(HELLO, 1, PLAIN)
    assert told == []
    candidates = await model.sample(HELLO, 2, SamplingParams(thinking=True, max_tokens=6))
    assert [candidate.text for candidate in candidates] == ["I hear you. That sounds"] * 2
    assert told == ["again"]
    await model.close()


async def test_a_reply_that_is_cut_says_so(model: LocalChatModel) -> None:
    (candidate,) = await model.sample(HELLO, 1, SHORT)
    assert (candidate.text, candidate.finish_reason) == ("I hear", "length")


async def test_greedy_sampling_needs_no_temperature(model: LocalChatModel) -> None:
    (candidate,) = await model.sample(HELLO, 1, SamplingParams(temperature=0, thinking=False, max_tokens=40))
    assert candidate.text == REPLY


async def test_a_stream_adds_up_to_the_reply(model: LocalChatModel) -> None:
    chunks = [chunk async for chunk in model.stream(HELLO, PLAIN)]
    assert "".join(chunk.text for chunk in chunks) == REPLY
    assert [chunk.finish_reason for chunk in chunks] == [None] * (len(chunks) - 1) + ["stop"]


async def test_a_stream_shows_no_tag_and_keeps_thoughts_apart(model: LocalChatModel) -> None:
    chunks = [chunk async for chunk in model.stream(HELLO, SamplingParams(thinking=True, max_tokens=40))]
    assert "".join(chunk.text for chunk in chunks) == REPLY
    assert "".join(chunk.reasoning for chunk in chunks).strip() == THOUGHT


async def test_tokens_are_counted_as_the_prompt_has_them(model: LocalChatModel) -> None:
    (candidate,) = await model.sample(HELLO, 1, PLAIN)
    assert candidate.prompt_tokens <= model.count_tokens(HELLO) <= candidate.prompt_tokens + len(HELLO)


async def test_no_message_has_no_tokens(model: LocalChatModel) -> None:
    assert model.count_tokens([]) == 0


async def test_the_model_is_loading_before_it_is_ready(model: LocalChatModel) -> None:
    assert (await model.check()).detail == "loading"
    await model.sample(HELLO, 1, SHORT)
    status = await model.check()
    assert (status.ready, status.detail, status.served) == (True, "ok", ("small-qwen3",))


async def test_a_prompt_that_does_not_fit_is_refused_while_loading(model: LocalChatModel) -> None:
    with pytest.raises(ContextTooLongError):
        await model.sample([ChatMessage("user", "long " * 3000)], 1, PLAIN)


async def test_a_prompt_that_does_not_fit_need_not_wait_for_its_turn(endless: LocalChatModel) -> None:
    busy = asyncio.create_task(endless.sample(HELLO, 1, LONG))
    await asyncio.sleep(0)
    with pytest.raises(ContextTooLongError):
        await endless.sample(HELLO, 1, SamplingParams(max_tokens=2048))
    assert not busy.done()
    busy.cancel()


async def test_a_folder_without_a_model_is_unreachable(tmp_path: Path) -> None:
    model = LocalChatModel(tmp_path)
    with pytest.raises(ModelUnreachableError, match=r"config\.json"):
        await model.sample(HELLO, 1)
    status = await model.check()
    assert (status.ready, status.detail) == (False, "unreachable")
    await model.close()


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How the generations of the engine ended, in order."""
    seen: list[str] = []
    generate = LocalEngine.generate

    def noted(self: LocalEngine, *arguments: Any, **options: Any) -> list[Generation]:
        made = generate(self, *arguments, **options)
        seen.extend(one.finish_reason for one in made)
        return made

    monkeypatch.setattr(LocalEngine, "generate", noted)
    return seen


async def test_a_cancelled_sample_frees_the_worker(endless: LocalChatModel, ends: list[str]) -> None:
    task = asyncio.create_task(endless.sample(HELLO, 4, LONG))
    places: list[int] = []
    waiting = asyncio.create_task(endless.sample(HELLO, 1, SHORT, on_queue=places.append))
    while places != [1]:
        await asyncio.sleep(0)
    task.cancel()
    await waiting
    assert task.cancelled()
    assert ends.count("length") == 1  # only the short one: the four were given up before their last token


async def test_a_closed_stream_frees_the_worker(endless: LocalChatModel, ends: list[str]) -> None:
    async with aclosing(endless.stream(HELLO, LONG)) as chunks:
        await anext(chunks)
    await endless.sample(HELLO, 1, SHORT)
    assert ends == ["aborted", "length"]


async def test_requests_are_answered_in_order_of_arrival(endless: LocalChatModel) -> None:
    answered: list[int] = []

    async def ask(number: int) -> None:
        await endless.sample(HELLO, 1, SHORT)
        answered.append(number)

    await asyncio.gather(*(ask(number) for number in range(3)))
    assert answered == [0, 1, 2]


async def test_places_are_told_on_the_event_loop(endless: LocalChatModel) -> None:
    heard: list[tuple[int, int, int]] = []
    await asyncio.gather(
        *(
            endless.sample(
                HELLO,
                1,
                SHORT,
                on_queue=lambda place, who=who: heard.append((who, place, threading.get_ident())),
            )
            for who in range(3)
        )
    )
    assert [(who, place) for who, place, _ in heard] == [(0, 0), (1, 1), (2, 2), (2, 1), (1, 0), (2, 0)]
    assert {thread for _, _, thread in heard} == {threading.get_ident()}


async def test_a_full_queue_is_busy(endless: LocalChatModel) -> None:
    tasks = [asyncio.create_task(endless.sample(HELLO, 1, LONG)) for _ in range(3)]
    await asyncio.sleep(0)
    with pytest.raises(ModelBusyError):
        await endless.sample(HELLO, 1, SHORT)
    for task in tasks:
        task.cancel()


async def test_a_reply_that_takes_too_long_is_given_up(endless_folder: Path) -> None:
    model = LocalChatModel(endless_folder, profile=QWEN, timeout_s=0.05, threads=1)
    with pytest.raises(ModelTimeoutError):
        await model.sample(HELLO, 1, LONG)
    await model.close()


async def test_closing_ends_what_is_running(endless: LocalChatModel) -> None:
    task = asyncio.create_task(endless.sample(HELLO, 1, LONG))
    await asyncio.sleep(0)
    await endless.close()
    (candidate,) = await task
    assert candidate.finish_reason == "aborted"
    assert (await endless.check()).detail == "unreachable"


async def test_a_closed_model_is_unreachable(model: LocalChatModel) -> None:
    await model.close()
    with pytest.raises(ModelUnreachableError):
        await model.sample(HELLO, 1, SHORT)


async def test_the_event_loop_goes_on_while_a_reply_is_made(endless: LocalChatModel) -> None:
    task = asyncio.create_task(endless.sample(HELLO, 1, SamplingParams(thinking=False, max_tokens=200)))
    turns = 0
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


async def test_what_two_prompts_begin_with_is_computed_once(model: LocalChatModel) -> None:
    await model.sample(HELLO, 1, SHORT)
    engine = model._worker.engine
    assert engine is not None
    stop, likeliest = threading.Event(), SamplingParams(thinking=False, max_tokens=12, temperature=0.0)
    one, other = (
        engine.prompt(
            [*HELLO, ChatMessage("system", f"Kind of message: {kind}.")], {"enable_thinking": False}
        )
        for kind in ("good", "hurt")
    )
    (fresh,) = engine.generate(other, 1, likeliest, stop=stop, timeout_s=60)
    assert engine._computed is None
    engine.first_sentences(one, 2, likeliest, stop=stop, timeout_s=60)
    assert engine._computed is not None
    (after,) = engine.generate(other, 1, likeliest, stop=stop, timeout_s=60)
    assert after.text == fresh.text
    engine.first_sentences(one, 2, likeliest, stop=stop, timeout_s=60)
    unlike = engine.prompt([ChatMessage("user", "Bye.")], {"enable_thinking": False})
    (then,) = engine.generate(unlike, 1, likeliest, stop=stop, timeout_s=60)
    (alone,) = engine.generate(unlike, 1, likeliest, stop=stop, timeout_s=60)
    assert then.text == alone.text


class _Reads:
    """Says what it was asked, and takes every message for good news."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], Opinion | None]] = []

    def read(self, said: Sequence[str], opinion: Opinion | None = None) -> MessageReading:
        self.asked.append((list(said), opinion))
        return MessageReading("good", ("proud",))


@pytest.mark.parametrize("streamed", [False, True])
async def test_a_model_with_a_reader_is_told_the_kind_of_message(
    scripted_folder: Path, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    model = LocalChatModel(scripted_folder, profile=QWEN, threads=1)
    reader, prompts = _Reads(), list[list[ChatMessage]]()
    _give(model, reader, opinion=_Thinks())
    prompt = LocalEngine.prompt

    def seen(self: LocalEngine, messages: Sequence[ChatMessage], template_kwargs: dict[str, Any]) -> Prompt:
        prompts.append(list(messages))
        return prompt(self, messages, template_kwargs)

    monkeypatch.setattr(LocalEngine, "prompt", seen)
    if streamed:
        async with aclosing(model.stream(HELLO, PLAIN)) as pieces:
            assert "".join([piece.text async for piece in pieces])
    else:
        assert (await model.sample(HELLO, 2, PLAIN))[0].text
    await model.close()

    ((said, opinion),) = reader.asked
    assert said == ["Hello."]
    assert opinion is OPINION
    assert prompts[-1] == [*HELLO, ChatMessage("system", "Kind of message: good. Feelings: proud.")]


OPINION = Opinion(np.full(len(KINDS), 1 / len(KINDS), np.float32), np.zeros(1, np.float32))


class _Thinks:
    """Has one opinion of everything."""

    def read(self, said: Sequence[str]) -> Opinion:
        assert said == ["Hello."]
        return OPINION


def _give(
    model: LocalChatModel,
    kinds: Any,
    *,
    firsts: Any = None,
    opinion: Any = None,
    book: SentenceBook | None = None,
) -> None:
    """Readers and sentences in place of those that only the embedded model has."""
    model._readers = EmbeddedReaders(kinds, on_weights=False, book=book)
    model._readers._firsts = firsts
    model._readers._opinion = opinion


class _Judges:
    """Finds nothing of one sentence and much of all others, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], list[str]]] = []

    def worths(self, context: Sequence[ChatMessage], sentences: Sequence[str]) -> list[float]:
        self.asked.append(([turn.content for turn in context], list(sentences)))
        return [0.1 if sentence == "I hear you." else 0.9 for sentence in sentences]


@pytest.mark.parametrize("streamed", [False, True])
async def test_replies_begin_with_first_sentences_that_were_judged(
    scripted_folder: Path, streamed: bool
) -> None:
    model = LocalChatModel(scripted_folder, profile=QWEN, threads=1)
    judge = _Judges()
    _give(model, _Reads(), firsts=judge)
    if streamed:
        async with aclosing(model.stream(HELLO, PLAIN)) as pieces:
            assert "".join([piece.text async for piece in pieces]) == REPLY
    else:
        candidates = await model.sample(HELLO, 3, PLAIN)
        assert [(one.text, one.completion_tokens) for one in candidates] == [(REPLY, 9)] * 3
    await model.close()
    # Eight were drawn, all alike: this model has one reply only.
    assert judge.asked == [(["Hello."], ["I hear you."])]


@pytest.mark.parametrize("streamed", [False, True])
async def test_behind_its_first_sentence_a_reply_keeps_to_the_list_and_repeats_nothing(
    scripted_folder: Path, streamed: bool
) -> None:
    model = LocalChatModel(scripted_folder, profile=QWEN, threads=1)
    book = SentenceBook({"good": ["Be {feel} of it.", "How nice.", "Who knows of it?", "What comes next?"]})
    _give(model, _Reads(), firsts=_Judges(), book=book)
    turns = [*HELLO, ChatMessage("assistant", "I hear you. How nice. Who knows of it?"), *HELLO]
    if streamed:
        async with aclosing(model.stream(turns, PLAIN)) as pieces:
            texts = ["".join([piece.text async for piece in pieces])]
    else:
        texts = [one.text for one in await model.sample(turns, 3, PLAIN)]
    await model.close()
    left = {"Be proud of it.", "What comes next?"}
    for text in texts:
        first, *later = split_sentences(text)
        assert first == "I hear you."
        assert later
        assert {*later} <= left
        assert len(later) == len({*later})


async def test_a_reply_to_the_listener_itself_begins_as_the_model_likes(
    scripted_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = LocalChatModel(scripted_folder, profile=QWEN, threads=1)
    judge, reads = _Judges(), _Reads()
    monkeypatch.setattr(reads, "read", lambda _said, _opinion: MessageReading("hello"))
    _give(model, reads, firsts=judge)
    assert (await model.sample(HELLO, 1, PLAIN))[0].text == REPLY
    await model.close()
    assert judge.asked == []


@pytest.mark.parametrize(
    ("read", "named"), [("read_firsts_facts", "first sentences"), ("read_kinds_facts", "kinds of messages")]
)
async def test_a_missing_reader_is_told_to_admins(
    monkeypatch: pytest.MonkeyPatch, read: str, named: str
) -> None:
    monkeypatch.setattr(f"models.embedded_readers.{read}", _no_file)
    model = LocalChatModel()
    status = await model.check()
    await model.close()
    assert [named in warning for warning in status.warnings] == [True]


async def test_a_reader_that_does_not_fit_the_weights_is_left_out_and_told(scripted_folder: Path) -> None:
    readers = EmbeddedReaders(cast(KindReader, _Reads()), on_weights=True)
    readers.load(load_checkpoint(scripted_folder, None, None), None)
    assert len(readers.warnings) == 2
    assert readers._firsts is readers._opinion is None


def _no_file() -> None:
    raise HeadError("cannot read it")


def test_only_adapters_that_know_codes_have_a_reader() -> None:
    assert LocalChatModel()._readers is not None
    assert LocalChatModel(adapter="none")._readers is None
