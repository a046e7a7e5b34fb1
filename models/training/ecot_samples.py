"""Lets a small ECoT model answer held-out prompts and measures the form of what it writes."""

import re
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import torch

from models.ecot_form import read_ecot
from models.format_reward import format_reward
from models.profiles import load_profiles
from models.training.ecot_book import Book
from models.training.ecot_talks import PROFILE, Composer, request, unseen_conversations

FULL = 1 - 1e-9
_MAX_TOKENS = 320
_AT_ONCE = 64
_HAN, _LATIN = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[A-Za-z]")

Request = list[dict[str, str]]


def held_out_requests(book: Book, count: int, seed: int) -> dict[str, list[Request]]:
    """Prompts that nothing was trained on.

    Returns:
        ``wording``: conversations whose last message is one of those kept apart, ``count`` of them.
        ``topic``: conversations of topics that no conversation was composed of, at most ``count``.
    """
    composer = Composer(book, seed + 1, held_out=True)
    return {
        "wording": [composer.example().prompt for _ in range(count)],
        "topic": [request(turns) for turns in unseen_conversations(book)][:count],
    }


def figures_of(outputs: Sequence[str]) -> dict[str, float]:
    """What outputs are like.

    Returns:
        ``replies``; ``full_reward``, share whose format reward is 1; ``mean_reward``; ``usable``, share
        with an answer that may be shown; ``chinese``, share of Chinese among the answers' letters.
    """
    rewards = [format_reward(output) for output in outputs]
    readings = [read_ecot(output) for output in outputs]
    answers = "".join(reading.answer for reading in readings)
    han, latin = len(_HAN.findall(answers)), len(_LATIN.findall(answers))
    return {
        "replies": len(outputs),
        "full_reward": round(fmean(reward >= FULL for reward in rewards), 4),
        "mean_reward": round(fmean(rewards), 4),
        "usable": round(fmean(bool(reading.answer) for reading in readings), 4),
        "chinese": round(han / max(1, han + latin), 4),
    }


def sample_figures(model: Any, tokenizer: Any, book: Book, count: int, seed: int) -> dict[str, Any]:
    """One sampled reply for each held-out prompt, and what they are like, by kind of prompt.

    Args:
        model: On its device.
        tokenizer: With the chat template.
        book: The phrase books.
        count: Prompts of each kind.
        seed: Of prompts and sampling.
    """
    library: Any = torch
    library.manual_seed(seed)
    found: dict[str, Any] = {}
    for kind, requests in held_out_requests(book, count, seed).items():
        outputs = [text for group in _groups(requests) for text in _answers(model, tokenizer, group)]
        found[kind] = {**figures_of(outputs), "first": outputs[:3]}
    return found


def _groups(requests: Sequence[Request]) -> list[Sequence[Request]]:
    return [requests[start : start + _AT_ONCE] for start in range(0, len(requests), _AT_ONCE)]


def _answers(model: Any, tokenizer: Any, requests: Sequence[Request]) -> list[str]:
    profile = load_profiles()[PROFILE]
    kwargs = profile.chat_template_kwargs
    texts = [
        tokenizer.apply_chat_template(one, tokenize=False, add_generation_prompt=True, **kwargs)
        for one in requests
    ]
    tokenizer.padding_side = "left"
    inputs = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False).to(model.device)
    model.eval()
    with torch.no_grad():
        ids = model.generate(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            do_sample=True,
            temperature=profile.sampling["temperature"],
            top_p=profile.sampling["top_p"],
            top_k=profile.sampling["top_k"],
            max_new_tokens=_MAX_TOKENS,
            pad_token_id=tokenizer.pad_token_id,
        )
    return tokenizer.batch_decode(ids[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True)
