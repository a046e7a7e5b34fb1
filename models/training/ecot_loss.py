"""The loss of replies whose prompts all begin alike, without computing that beginning for each of them.

MindChat's system prompt is two thirds of a prompt's tokens. Keys and values of what all prompts share are
computed once a step, with the weights of that step and without a gradient, and every row attends to them:
the loss is exactly that of the whole prompt, in less than half the time. Only its gradient leaves out
how the shared text itself is read.
"""

import inspect
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from random import Random
from typing import Any

import torch
from transformers import DynamicCache

from models.training.chat_tokens import IGNORED, Tokens, padded
from models.training.task_mixing import shuffled_rows

_GROUPS_SORTED = 16
"""So many batches are sorted by length together: a batch then holds little padding."""


def shared_length(rows: Sequence[Tokens]) -> int:
    """How many tokens all prompts begin with."""
    # The first and the last in order differ earliest.
    first, last = min(row.ids for row in rows), max(row.ids for row in rows)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, last, strict=False)))
    return min(alike, *(row.reply_start - 1 for row in rows))


def batches_of(rows: Sequence[Tokens], size: int, seed: int) -> Iterator[list[Tokens]]:
    """Endless batches of similar length; each row comes once before any comes again.

    Args:
        rows: At least one.
        size: Rows of a batch.
        seed: Decides the order, together with nothing else.
    """
    order = shuffled_rows(len(rows), str(seed))
    chance = Random(seed)  # noqa: S311 - not for secrets
    while True:
        drawn = [rows[row] for row in islice(order, size * _GROUPS_SORTED)]
        drawn.sort(key=lambda row: len(row.ids))
        groups = [drawn[start : start + size] for start in range(0, len(drawn), size)]
        chance.shuffle(groups)
        yield from groups


def reply_loss(model: Any, group: Sequence[Tokens], pad: int, shared: int) -> Any:
    """Mean loss of the replies' tokens, in nats.

    Args:
        model: A causal language model on its device.
        group: Rows; all begin with the same ``shared`` tokens, at least one.
        pad: Id of the token that fills up.
        shared: Tokens that are computed once.
    """
    device = model.device
    batch = padded([Tokens(row.source, row.ids[shared:], row.reply_start - shared) for row in group], pad)
    cache: Any = DynamicCache(config=model.config)
    with torch.no_grad():
        beginning = torch.tensor([group[0].ids[:shared]], device=device)
        model.model(input_ids=beginning, use_cache=True, **{_cache_name(model): cache})
    cache.batch_repeat_interleave(len(group))
    seen = torch.cat([torch.ones((len(group), shared), dtype=torch.long), batch.attention_mask], dim=1)
    states = model.model(
        input_ids=batch.input_ids.to(device),
        attention_mask=seen.to(device),
        use_cache=True,
        **{_cache_name(model): cache},
    ).last_hidden_state
    labels = batch.labels[:, 1:].to(device)
    learned = labels != IGNORED
    logits = model.lm_head(states[:, :-1][learned]).float()
    return torch.nn.functional.cross_entropy(logits, labels[learned])


def _cache_name(model: Any) -> str:
    """Transformers 5.24 renamed the argument."""
    return "cache" if "cache" in inspect.signature(model.model.forward).parameters else "past_key_values"
