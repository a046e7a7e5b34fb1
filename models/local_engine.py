"""Generation with a Transformers model: synchronous, stoppable after each token, n replies at once."""

import importlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from models.chat_model import (
    ChatMessage,
    ContextTooLongError,
    FinishReason,
    ModelTimeoutError,
    Role,
    SamplingParams,
)
from models.later_sentences import Later
from models.sentence_limit import LimitSentence, SentenceLimit
from models.sentences import split_sentences
from models.weights import Checkpoint

_PREFILL_CHUNK = 256
"""Prompt tokens computed between two looks at the stop signal."""

TextListener = Callable[[str], None]
"""Called with each new piece of the first reply, in the thread that generates."""


@dataclass(frozen=True, slots=True)
class Generation:
    """One raw output of the model.

    Attributes:
        text: What was generated, special tokens left out.
        finish_reason: Why it ended.
        tokens: Tokens generated, the end mark included.
        seconds: From the start of the generation to its last token.
    """

    text: str
    finish_reason: FinishReason
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Begun:
    """How a reply begins: its first sentence, in tokens and in words."""

    ids: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt in tokens; ``opens_thought`` when the template itself wrote ``<think>`` at its end."""

    ids: tuple[int, ...]
    opens_thought: bool


class LocalEngine:
    """Samples from a loaded checkpoint; used by one thread at a time."""

    def __init__(self, checkpoint: Checkpoint, context_length: int) -> None:
        self._tokenizer: Any = checkpoint.tokenizer
        self._model: Any = checkpoint.model
        self._torch: Any = importlib.import_module("torch")
        self._transformers: Any = importlib.import_module("transformers")
        self.context_length = min(context_length, checkpoint.context_length)
        self._ends = self._end_tokens()
        self._around_prompt, self._around_message = self._template_tokens()
        self._computed: tuple[list[int], Any] | None = None

    @property
    def ends(self) -> frozenset[int]:
        """Every token that ends a reply."""
        return self._ends

    def prompt(self, messages: Sequence[ChatMessage], template_kwargs: dict[str, Any]) -> Prompt:
        """Render the chat template and turn it into tokens."""
        text: str = self._tokenizer.apply_chat_template(
            [{"role": message.role, "content": message.content} for message in messages],
            add_generation_prompt=True,
            tokenize=False,
            **template_kwargs,
        )
        ids: list[int] = self._tokenizer(text, add_special_tokens=False).input_ids
        return Prompt(tuple(ids), text.rstrip().endswith("<think>"))

    def require_room(self, prompt: Prompt, params: SamplingParams) -> None:
        """Check that the prompt and the reply fit.

        Raises:
            ContextTooLongError: They do not.
        """
        if len(prompt.ids) + params.max_tokens > self.context_length:
            msg = (
                f"{len(prompt.ids)} tokens of prompt and {params.max_tokens} of reply "
                f"do not fit {self.context_length}"
            )
            raise ContextTooLongError(msg)

    def count(self, messages: Sequence[ChatMessage]) -> int:
        """Tokens a prompt of these messages has, or a few more."""
        texts = [message.content for message in messages]
        if not texts:
            return 0
        ids: list[list[int]] = self._tokenizer(texts, add_special_tokens=False).input_ids
        return self._around_prompt + sum(len(row) + self._around_message for row in ids)

    def generate(
        self,
        prompt: Prompt,
        n: int,
        params: SamplingParams,
        *,
        stop: threading.Event,
        timeout_s: float,
        on_text: TextListener | None = None,
        begun: Sequence[Begun] = (),
        later: Sequence[Later] = (),
    ) -> list[Generation]:
        """Draw ``n`` replies; the prompt is computed once for all of them.

        Args:
            prompt: From :meth:`prompt`.
            n: Number of replies.
            params: How to sample.
            stop: Ends the generation after the current token when set.
            timeout_s: Seconds this call may take.
            on_text: Told the text as it grows; only with ``n`` = 1.
            begun: How each reply begins, where that is settled; these tokens count as drawn.
            later: What may follow these beginnings; empty for anything.

        Raises:
            ModelTimeoutError: ``timeout_s`` has passed.
        """
        watch = _Watch(stop, timeout_s, self._ends, n)
        ids = self._torch.tensor([prompt.ids])
        with self._torch.inference_mode():
            cache = self._prefilled(ids, n, watch)
            if cache is None:
                return [Generation("", "aborted", 0, watch.elapsed())] * n
            starts = [one.ids for one in begun] or [()] * n
            width = max(map(len, starts))
            # Padding stands between prompt and beginning, where the mask hides it.
            padded = [[min(self._ends)] * (width - len(own)) + list(own) for own in starts]
            mask = [[0] * (width - len(own)) + [1] * len(own) for own in starts]
            prompts = ids.repeat(n, 1)
            batch = self._torch.cat([prompts, self._torch.tensor(padded, dtype=ids.dtype)], dim=1)
            seen = self._torch.tensor(mask, dtype=ids.dtype)
            output = self._model.generate(
                input_ids=batch,
                attention_mask=self._torch.cat([self._torch.ones_like(prompts), seen], dim=1),
                cache=cache,
                generation_config=self._config(params, max(1, params.max_tokens - width)),
                stopping_criteria=self._transformers.StoppingCriteriaList([watch.criterion(self._torch)]),
                logits_processor=self._limits(later if begun else (), batch.shape[1]),
                streamer=None if on_text is None else _TextStreamer(self._decode, on_text, starts[0]),
            )
        watch.raise_when_late()
        rows: list[list[int]] = output[:, len(prompt.ids) :].tolist()
        return [
            self._generation(row[width - len(own) :], watch, index)
            for index, (row, own) in enumerate(zip(rows, starts, strict=True))
        ]

    def first_sentences(
        self,
        prompt: Prompt,
        n: int,
        params: SamplingParams,
        *,
        stop: threading.Event,
        timeout_s: float,
    ) -> list[Begun]:
        """Draw ``n`` first sentences and give those that differ; ones that were cut are left out.

        What was computed of the prompt is kept for the replies that go on with one of them.

        Args:
            prompt: From :meth:`prompt`.
            n: How many are drawn.
            params: How to sample; ``max_tokens`` are the most of a sentence.
            stop: Ends the generation after the current token when set; there are none then.
            timeout_s: Seconds this call may take.

        Raises:
            ModelTimeoutError: ``timeout_s`` has passed.
        """
        watch = _Watch(stop, timeout_s, self._ends, n)
        ids = self._torch.tensor([prompt.ids])
        size = len(prompt.ids)

        def over(input_ids: Any, scores: Any, **kwargs: Any) -> Any:
            del scores, kwargs
            rows: list[list[int]] = input_ids[:, size:].tolist()
            if watch.over():
                return self._torch.full((len(rows),), True)
            return self._torch.tensor([len(split_sentences(self._decode(row))) > 1 for row in rows])

        with self._torch.inference_mode():
            cache = self._prefilled(ids, n, watch)
            if cache is None:
                return []
            batch = ids.repeat(n, 1)
            output = self._model.generate(
                input_ids=batch,
                attention_mask=self._torch.ones_like(batch),
                cache=cache,
                generation_config=self._config(params, params.max_tokens),
                stopping_criteria=self._transformers.StoppingCriteriaList([over]),
            )
            watch.raise_when_late()
            if watch.stopped:
                return []
            cache.crop(size - 1 - cache.get_seq_length())
            cache.batch_select_indices(self._torch.tensor([0]))
        self._computed = (list(prompt.ids[:-1]), cache)
        found = (self._begun(row) for row in output[:, size:].tolist())
        return list({one.text: one for one in found if one is not None}.values())

    def _limits(self, later: Sequence[Later], start: int) -> Any:
        """What limits rows to these sentences from ``start`` on; nothing where there are none."""
        if not later:
            return self._transformers.LogitsProcessorList()
        rows: list[list[int]] = self._tokenizer(
            [f" {one.text}" for one in later], add_special_tokens=False
        ).input_ids
        sentences = [
            LimitSentence(tuple(row), one.last, one.step) for row, one in zip(rows, later, strict=True)
        ]
        return self._transformers.LogitsProcessorList([SentenceLimit(sentences, self._ends, start)])

    def _begun(self, row: list[int]) -> Begun | None:
        """The first sentence of a row, if it is whole: another one follows, or the reply ends with it."""
        end = next((at for at, token in enumerate(row) if token in self._ends), None)
        kept = row if end is None else row[:end]
        sentences = split_sentences(self._decode(kept))
        if not sentences or (end is None and len(sentences) == 1):
            return None
        first = sentences[0]
        size = next(at for at in range(1, len(kept) + 1) if self._decode(kept[:at]).strip().startswith(first))
        return Begun(tuple(kept[:size]), first)

    def _prefilled(self, ids: Any, n: int, watch: "_Watch") -> Any:
        """Keys and values of the prompt but for its last token, for ``n`` replies; ``None`` when stopped.

        Raises:
            ModelTimeoutError: The time has passed.
        """
        cache = self._prefill(ids, watch)
        watch.raise_when_late()
        if watch.stopped:
            return None
        cache.batch_repeat_interleave(n)
        return cache

    def _prefill(self, ids: Any, watch: "_Watch") -> Any:
        """Keys and values of the prompt but for its last token; incomplete when stopped."""
        computed, self._computed = self._computed, None
        last = ids.shape[1] - 1
        done, cache = 0, None
        if computed and (done := _common(computed[0], ids[0, :last].tolist())):
            cache = computed[1]
            if done < len(computed[0]):
                cache.crop(done - len(computed[0]))
        if cache is None:
            cache = self._transformers.DynamicCache(config=self._model.config)
        for start in range(done, last, _PREFILL_CHUNK):
            if watch.over():
                break
            chunk = ids[:, start : min(start + _PREFILL_CHUNK, last)]
            self._model(input_ids=chunk, cache=cache, use_cache=True, logits_to_keep=1)
        return cache

    def _generation(self, row: list[int], watch: "_Watch", index: int) -> Generation:
        end = next((at for at, token in enumerate(row) if token in self._ends), None)
        if end is not None:
            return Generation(self._decode(row[:end]), "stop", end + 1, watch.finished_at(index))
        reason: FinishReason = "aborted" if watch.stopped else "length"
        return Generation(self._decode(row), reason, len(row), watch.elapsed())

    def _config(self, params: SamplingParams, most: int) -> Any:
        sampled: dict[str, Any] = (
            {
                "do_sample": True,
                "temperature": params.temperature,
                "top_p": params.top_p,
                "top_k": params.top_k or 0,
            }
            if params.temperature > 0
            else {"do_sample": False}
        )
        return self._transformers.GenerationConfig(
            max_new_tokens=most,
            repetition_penalty=params.repetition_penalty,
            eos_token_id=sorted(self._ends),
            pad_token_id=min(self._ends),
            **sampled,
        )

    def _decode(self, ids: Sequence[int]) -> str:
        return self._tokenizer.decode(ids, skip_special_tokens=True)

    def _end_tokens(self) -> frozenset[int]:
        """Every token that ends a reply: the tokenizer's and those of the generation settings."""
        configured: list[int] | int | None = self._model.generation_config.eos_token_id
        ends = configured if isinstance(configured, list) else [configured]
        return frozenset(token for token in (*ends, self._tokenizer.eos_token_id) if token is not None)

    def _template_tokens(self) -> tuple[int, int]:
        """Most tokens the chat template adds to a prompt as a whole, and to each of its messages."""
        roles: tuple[Role, ...] = ("system", "user", "assistant", "user")
        dialogue = [ChatMessage(role, "a") for role in roles]
        sizes = [len(self.prompt(dialogue[:end], {"enable_thinking": False}).ids) for end in (2, 3, 4)]
        around = max(after - before for before, after in pairwise(sizes)) - 1
        return max(sizes[0] - 2 * (around + 1), 0), around


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many tokens both begin with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


class _Watch:
    """Sees the stop signal and the clock at each token, and notes when each reply ended."""

    def __init__(self, stop: threading.Event, timeout_s: float, ends: frozenset[int], n: int) -> None:
        self._stop = stop
        self._start = time.perf_counter()
        self._timeout_s = timeout_s
        self._ends = ends
        self._finished: list[float | None] = [None] * n
        self._late = False
        self.stopped = False

    def elapsed(self) -> float:
        return time.perf_counter() - self._start

    def over(self) -> bool:
        """Whether the generation must end now."""
        self.stopped = self.stopped or self._stop.is_set()
        self._late = self._late or self.elapsed() > self._timeout_s
        return self.stopped or self._late

    def raise_when_late(self) -> None:
        if self._late and not self.stopped:
            msg = f"no complete answer within {self._timeout_s:g} s"
            raise ModelTimeoutError(msg)

    def finished_at(self, index: int) -> float:
        """Seconds until the reply's end mark."""
        seconds = self._finished[index]
        return self.elapsed() if seconds is None else seconds

    def criterion(self, torch: Any) -> Any:
        """A stopping criterion for ``generate``."""

        def check(input_ids: Any, scores: Any, **kwargs: Any) -> Any:
            del scores, kwargs
            for index, token in enumerate(input_ids[:, -1].tolist()):
                if token in self._ends and self._finished[index] is None:
                    self._finished[index] = self.elapsed()
            return torch.full((input_ids.shape[0],), self.over(), dtype=torch.bool)

        return check


class _TextStreamer:
    """Receives tokens from ``generate`` and passes the text on as it grows."""

    def __init__(
        self, decode: Callable[[Sequence[int]], str], on_text: TextListener, begun: Sequence[int] = ()
    ) -> None:
        self._decode = decode
        self._on_text = on_text
        self._prompt_seen = False
        self._ids = list(begun)
        self._sent = 0
        if begun:
            self._send(decode(self._ids))

    def put(self, value: Any) -> None:
        """The prompt at the first call, then one token each."""
        if not self._prompt_seen:
            self._prompt_seen = True
            return
        self._ids.extend(value.reshape(-1).tolist())
        text = self._decode(self._ids)
        # A character of several tokens is not whole yet.
        if not text.endswith("\ufffd"):
            self._send(text)

    def end(self) -> None:
        """The generation is over."""
        self._send(self._decode(self._ids))

    def _send(self, text: str) -> None:
        if len(text) > self._sent:
            self._on_text(text[self._sent :])
            self._sent = len(text)
