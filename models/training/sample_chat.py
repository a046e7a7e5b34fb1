"""Samples replies of a model in this process, for reading and for evaluations after a training."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from models.chat_model import ChatMessage
from models.profiles import load_profiles
from models.training.chat_tokens import EMBEDDED, end_token, prompt_text
from models.training.example import Example

CUT = "[…]"
"""How a reply ends that the token limit cut."""


def sample_replies(
    model: Any,
    tokenizer: Any,
    contexts: Sequence[tuple[Sequence[ChatMessage], int]],
    n: int,
    seed: int,
    batch_size: int = 64,
    profile: str = EMBEDDED,
    most_tokens: int | None = None,
    temperature: float | None = None,
    codes: Sequence[str] | None = None,
) -> list[list[str]]:
    """``n`` replies to each context, with a profile's sampling settings.

    Args:
        model: A causal language model.
        tokenizer: Its tokenizer; the padding side is set to left.
        contexts: Turns (the person's message last) and the risk level.
        n: Replies a context.
        seed: Of the sampling.
        batch_size: Contexts that are answered at once.
        profile: Key of ``models/profiles.yaml``.
        most_tokens: Of a reply, if other than the profile's.
        temperature: Of the sampling, if other than the profile's.
        codes: Control codes of each context's prompt, empty texts for none.

    Returns:
        A reply that was cut by the token limit ends with `` […]``.
    """
    library: Any = torch
    library.manual_seed(seed)
    model.eval()
    tokenizer.padding_side = "left"
    told = codes or [""] * len(contexts)
    texts = [
        prompt_text(tokenizer, turns, risk, profile, code)
        for (turns, risk), code in zip(contexts, told, strict=True)
    ]
    sampling = dict(load_profiles()[profile].sampling)
    if most_tokens is not None:
        sampling["max_tokens"] = most_tokens
    if temperature is not None:
        sampling["temperature"] = temperature
    replies: list[list[str]] = []
    for start in range(0, len(texts), batch_size):
        replies += _sample_batch(model, tokenizer, texts[start : start + batch_size], n, sampling)
    return replies


def read_contexts(file: Path) -> list[list[str]]:
    """Messages of a person, one a line; conversations are divided by lines ``==``."""
    parts = file.read_text("utf-8").split("\n==\n")
    lines = [
        [line for line in part.splitlines() if line.strip() and not line.startswith("#")] for part in parts
    ]
    return [part for part in lines if part]


def held_out_rows(
    model: Any, tokenizer: Any, examples: Sequence[Example], n: int, seed: int, profile: str = EMBEDDED
) -> list[dict[str, Any]]:
    """Replies to the contexts of examples, with source, risk level and turns."""
    contexts = [(example.turns, example.risk_level) for example in examples]
    codes = [example.code for example in examples]
    replies = sample_replies(model, tokenizer, contexts, n, seed, profile=profile, codes=codes)
    return [
        {
            "source": example.source,
            "risk": example.risk_level,
            "turns": [[turn.role, turn.content] for turn in example.turns],
            "replies": found,
        }
        for example, found in zip(examples, replies, strict=True)
    ]


def scripted_rows(
    model: Any,
    tokenizer: Any,
    scripts: Sequence[Sequence[str]],
    n: int,
    seed: int,
    profile: str = EMBEDDED,
) -> list[dict[str, Any]]:
    """Plays each script; the first sampled reply goes on in the conversation."""
    histories: list[list[ChatMessage]] = [[] for _ in scripts]
    rows: list[dict[str, Any]] = []
    for turn in range(max((len(script) for script in scripts), default=0)):
        running = [index for index, script in enumerate(scripts) if turn < len(script)]
        for index in running:
            histories[index].append(ChatMessage("user", scripts[index][turn]))
        contexts = [(tuple(histories[index]), 0) for index in running]
        found = sample_replies(model, tokenizer, contexts, n, seed + turn, profile=profile)
        for index, replies in zip(running, found, strict=True):
            turns = [[message.role, message.content] for message in histories[index]]
            rows.append({"source": f"script {index}", "risk": 0, "turns": turns, "replies": replies})
            histories[index].append(ChatMessage("assistant", replies[0]))
    return rows


def _sample_batch(
    model: Any, tokenizer: Any, texts: Sequence[str], n: int, sampling: Mapping[str, Any]
) -> list[list[str]]:
    encoded = tokenizer(list(texts), return_tensors="pt", padding=True, add_special_tokens=False)
    encoded = {key: encoded[key].to(model.device) for key in ("input_ids", "attention_mask")}
    end = end_token(tokenizer)
    with torch.no_grad(), torch.autocast(model.device.type, torch.bfloat16, model.device.type == "cuda"):
        output = model.generate(
            **encoded,
            do_sample=True,
            num_return_sequences=n,
            temperature=sampling["temperature"],
            top_p=sampling["top_p"],
            top_k=sampling["top_k"],
            repetition_penalty=sampling.get("repetition_penalty", 1.0),
            max_new_tokens=sampling["max_tokens"],
            eos_token_id=end,
            pad_token_id=end,
        )
    width = encoded["input_ids"].shape[1]
    found = [_text(tokenizer, row[width:].tolist(), end) for row in output]
    return [found[start : start + n] for start in range(0, len(found), n)]


def _text(tokenizer: Any, ids: list[int], end: int) -> str:
    kept = ids[: ids.index(end)] if end in ids else ids
    text = str(tokenizer.decode(kept, skip_special_tokens=True)).strip()
    return text if end in ids else f"{text} {CUT}"
