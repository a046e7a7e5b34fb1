"""What a language model that is read, not sampled from, makes of several texts behind one context."""

from collections.abc import Sequence
from typing import Any

import torch
from transformers import DynamicCache


def last_states(body: Any, context: Sequence[int], texts: Sequence[Sequence[int]]) -> torch.Tensor:
    """States of each text's last token, ``(texts, hidden)``; the context is computed once for all.

    Padding is on the right, where no token of a text sees it.

    Args:
        body: A causal language model below its output layer.
        context: Token ids of what stands before each text; may be empty.
        texts: Token ids, at least one text.
    """
    cache: Any = DynamicCache(config=body.config)
    if context:
        body(input_ids=torch.tensor([context]), cache=cache, use_cache=True)
        cache.batch_repeat_interleave(len(texts))
    width = max(map(len, texts))
    ids = torch.tensor([[*text, *[0] * (width - len(text))] for text in texts])
    states = body(input_ids=ids, cache=cache, use_cache=True).last_hidden_state
    return states[torch.arange(len(texts)), torch.tensor([len(text) - 1 for text in texts])]
