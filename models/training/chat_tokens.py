"""Training examples as token batches: the prompt exactly as served, loss on the reply only."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from models.chat_model import ChatMessage
from models.profiles import load_profiles
from models.prompts import build_prompt
from models.training.example import Example

IGNORED = -100
"""Label that the loss skips (PyTorch's default)."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """One example: all token ids, where the reply begins, the span of control codes to learn."""

    source: str
    ids: tuple[int, ...]
    reply_start: int
    code: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Batch:
    """Right-padded tensors of shape (examples, tokens)."""

    input_ids: torch.Tensor
    attention_mask: torch.Tensor
    labels: torch.Tensor


EMBEDDED = "embedded"
"""Profile of the embedded model."""


def prompt_messages(
    turns: Sequence[ChatMessage], risk_level: int, profile: str = EMBEDDED, code: str = ""
) -> list[dict[str, str]]:
    """A profile's prompt for these turns, as the application builds it, with its control codes."""
    messages = build_prompt(load_profiles()[profile], turns, [], risk_level, "en")
    if code:
        messages.append(ChatMessage("system", code))
    return [{"role": message.role, "content": message.content} for message in messages]


def prompt_text(
    tokenizer: Any, turns: Sequence[ChatMessage], risk_level: int, profile: str = EMBEDDED, code: str = ""
) -> str:
    """The prompt in the model's chat template, ending where the reply begins."""
    return str(
        tokenizer.apply_chat_template(
            prompt_messages(turns, risk_level, profile, code),
            tokenize=False,
            add_generation_prompt=True,
            **load_profiles()[profile].chat_template_kwargs,
        )
    )


def end_token(tokenizer: Any) -> int:
    """Id of the mark that ends an assistant's turn, read from the chat template.

    The tokenizer's own ``eos_token`` is not always that mark: some versions of Transformers take
    another one from a GGUF file, and a model trained with it never stops.
    """
    messages = [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]
    text = str(tokenizer.apply_chat_template(messages, tokenize=False))
    rest = text[text.rindex("A") + 1 :]
    return int(tokenizer(rest, add_special_tokens=False)["input_ids"][0])


def encode(tokenizer: Any, example: Example, max_tokens: int, profile: str = EMBEDDED) -> Tokens | None:
    """Token ids of prompt, reply and end mark; older turns are left out until they fit.

    What is given of the reply counts as prompt. Without a reply the control codes are the end of it. They
    are learned too, unless they hold less than what is known of the message.
    """
    rest = example.reply.removeprefix(example.given)
    given = _ids(tokenizer, example.given)
    reply = [*given, *_ids(tokenizer, rest), end_token(tokenizer)] if example.reply else []
    for first in range(0, len(example.turns), 2):
        text = prompt_text(tokenizer, example.turns[first:], example.risk_level, profile, example.code)
        before, code, after = text.rpartition(example.code) if example.code else (text, "", "")
        start, codes = _ids(tokenizer, before), _ids(tokenizer, code)
        prompt = [*start, *codes, *(_ids(tokenizer, after) if reply else ())]
        if len(prompt) + len(reply) <= max_tokens:
            learned = (len(start), len(start) + len(codes)) if example.learn_code else (0, 0)
            return Tokens(example.source, (*prompt, *reply), len(prompt) + len(given), learned)
    return None


def _ids(tokenizer: Any, text: str) -> list[int]:
    return tokenizer(text, add_special_tokens=False)["input_ids"] if text else []


def encode_all(
    tokenizer: Any, examples: Sequence[Example], max_tokens: int, profile: str = EMBEDDED
) -> list[Tokens]:
    """Tokens of all examples that fit."""
    found = (encode(tokenizer, example, max_tokens, profile) for example in examples)
    return [tokens for tokens in found if tokens is not None]


def batches(tokens: Sequence[Tokens], size: int, pad: int, seed: int | None) -> Iterator[Batch]:
    """Batches of similar length; in random order when a seed is given."""
    order = sorted(tokens, key=lambda item: len(item.ids))
    groups = [order[start : start + size] for start in range(0, len(order), size)]
    if seed is not None:
        random.Random(seed).shuffle(groups)  # noqa: S311 - not for secrets
    for group in groups:
        yield padded(group, pad)


def padded(group: Sequence[Tokens], pad: int) -> Batch:
    """One batch of these examples, in their order."""
    width = max(len(item.ids) for item in group)
    ids = torch.full((len(group), width), pad)
    mask = torch.zeros((len(group), width), dtype=torch.long)
    labels = torch.full((len(group), width), IGNORED)
    for row, item in enumerate(group):
        length = len(item.ids)
        ids[row, :length] = torch.tensor(item.ids)
        mask[row, :length] = 1
        for start, stop in ((item.reply_start, length), item.code):
            labels[row, start:stop] = torch.tensor(item.ids[start:stop])
    return Batch(ids, mask, labels)
