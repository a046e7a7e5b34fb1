"""A causal language model that is read instead of sampled from: which strategy a reply follows.

Imports PyTorch, so it is imported where the first reply is read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import torch as safetensors_torch

from models.chat_model import ChatMessage
from models.head_file import Array, HeadError
from models.last_states import last_states
from models.reader_file import BIAS, FIRST, OUTPUT, SECOND, ReaderFacts
from models.reader_text import TurnTokens
from models.weights import Checkpoint

_LAYERS = "body.base_model.model."
"""What :class:`models.training.reader_model.Reader` has before the names of the model's own layers."""


class LanguageReader:
    """Reads replies as :mod:`models.training.reader_strategies` packs them, in float32 on the CPU.

    Args:
        checkpoint: The language model; it is changed in place.
        facts: What the file of the weights says.
        tensors: The weights.

    Raises:
        HeadError: They were learned for a model of another shape.
    """

    def __init__(
        self, checkpoint: Checkpoint, facts: ReaderFacts, tensors: Mapping[str, torch.Tensor]
    ) -> None:
        self._body: Any = checkpoint.model.base_model.float().eval()
        self._turns = TurnTokens(checkpoint.tokenizer)
        self._most = facts.context_tokens
        weights = {name: one.float() for name, one in tensors.items()}
        self._weight, self._bias = weights[OUTPUT], weights[BIAS]
        if self._weight.shape[1] != self._body.config.hidden_size:
            raise HeadError("the reader's head was learned for a language model of another size")
        _merge(self._body, weights)

    @torch.inference_mode()
    def outputs(self, replies: Sequence[str], context: Sequence[ChatMessage]) -> Array:
        """What is said of each reply, ``(replies, strategies)``, before any temperature.

        Args:
            replies: At least one.
            context: The turns that they follow, oldest first; of a long conversation the end is read, and
                once for all replies.
        """
        said = [ChatMessage(turn.role, text) for turn in context if (text := turn.content.strip())]
        texts = [self._turns.answered((), "assistant", reply.strip()).ids for reply in replies]
        states = last_states(self._body, self._turns.context(said, self._most), texts)
        return F.linear(F.layer_norm(states, states.shape[1:]), self._weight, self._bias).numpy()


def load_language_reader(path: Path, facts: ReaderFacts, checkpoint: Checkpoint) -> LanguageReader:
    """Read the weights and put them on the model.

    Args:
        path: File of the weights.
        facts: What it says.
        checkpoint: The language model; it is changed in place.

    Raises:
        HeadError: They were learned for a model of another shape.
    """
    files: Any = safetensors_torch
    return LanguageReader(checkpoint, facts, files.load_file(path))


def _merge(body: Any, weights: Mapping[str, torch.Tensor]) -> None:
    """Add the low-rank changes to the weights themselves: alpha / rank is 2 for every reader."""
    for name in weights:
        if not name.endswith(FIRST):
            continue
        layer = name.removesuffix(FIRST)
        change = 2.0 * weights[layer + SECOND] @ weights[name]
        try:
            own: torch.Tensor = body.get_submodule(layer.removeprefix(_LAYERS)).weight
        except AttributeError:
            raise HeadError(f"the language model has no layer {layer}") from None
        if own.shape != change.shape:
            raise HeadError(f"the reader's {layer} was learned for a language model of another size")
        own.data += change
