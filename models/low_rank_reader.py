"""Reads texts with the weights of the chat model, changed while it reads.

Low-rank changes of the embedded network, learned for one question each, tell what the network itself can't:
which first sentence fits, what kind of message it is. They were learned for the model without any adapter,
so while it reads, the adapter's own change is taken off; neither costs anything while the model answers.

Imports PyTorch, so it is imported where the model is loaded.
"""

import contextlib
import json
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from safetensors import torch as safetensors_torch

from models.adapter_marks import WEIGHTS
from models.head_file import HeadError
from models.last_states import last_states
from models.reader_file import BIAS, FIRST, OUTPUT, SECOND
from models.weights import Checkpoint

_LAYERS = "body.base_model.model."
"""What a tuned reader has before the names of the model's own layers."""
_ADAPTED = "base_model.model.model."
"""What a chat adapter has there."""
_A, _B = ".lora_A.weight", ".lora_B.weight"
LowRank = tuple[torch.Tensor, torch.Tensor]


class LowRankReader:
    """Reads texts behind one context.

    Args:
        checkpoint: The chat model; its weights stay as they are.
        tensors: What was learned.
        adapter: Low-rank factors of the adapter that was merged into the chat model, by layer; none for none.

    Raises:
        HeadError: They were learned for a model of another shape.
    """

    def __init__(
        self, checkpoint: Checkpoint, tensors: Mapping[str, torch.Tensor], adapter: Mapping[str, LowRank]
    ) -> None:
        self._body: Any = checkpoint.model.base_model
        self._weight, self._bias = tensors[OUTPUT].float(), tensors[BIAS].float()
        if self._weight.shape[1] != self._body.config.hidden_size:
            raise HeadError("the reader's head was learned for a language model of another size")
        self._changes = list(self._joined(tensors, adapter))

    @torch.inference_mode()
    def outputs(self, context: Sequence[int], texts: Sequence[Sequence[int]]) -> torch.Tensor:
        """What the head makes of each text's last token, ``(texts, outputs)``.

        Args:
            context: Token ids of what stands before each text, computed once for all; may be empty.
            texts: Token ids, at least one text.
        """
        with self._changed():
            states = last_states(self._body, context, texts).float()
        return F.linear(F.layer_norm(states, states.shape[1:]), self._weight, self._bias)

    @contextlib.contextmanager
    def _changed(self) -> Generator[None]:
        with contextlib.ExitStack() as stack:
            for layer, first, second in self._changes:
                hook = layer.register_forward_hook(_adding(first, second))
                stack.callback(hook.remove)
            yield

    def _joined(
        self, tensors: Mapping[str, torch.Tensor], adapter: Mapping[str, LowRank]
    ) -> Iterator[tuple[Any, torch.Tensor, torch.Tensor]]:
        """For each layer both changes side by side: the reader's added, the adapter's taken off."""
        own = {
            name.removeprefix(_LAYERS).removesuffix(FIRST): (
                one.float(),
                2 * tensors[name.removesuffix(FIRST) + SECOND].float(),
            )
            for name, one in tensors.items()
            if name.endswith(FIRST)
        }
        for name in sorted({*own, *adapter}):
            try:
                layer: Any = self._body.get_submodule(name)
            except AttributeError:
                raise HeadError(f"the language model has no layer {name}") from None
            parts = [own[name]] if name in own else []
            if name in adapter:
                first, second = adapter[name]
                parts.append((first, -second))
            first, second = torch.cat([a for a, _ in parts]), torch.cat([b for _, b in parts], dim=1)
            if (second.shape[0], first.shape[1]) != tuple(layer.weight.shape):
                raise HeadError(f"the reader's {name} was learned for a language model of another size")
            yield layer, first.to(layer.weight.dtype), second.to(layer.weight.dtype)


def _adding(first: torch.Tensor, second: torch.Tensor) -> Any:
    def add(_layer: Any, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> torch.Tensor:
        return output + F.linear(F.linear(inputs[0], first), second)

    return add


def adapter_factors(folder: Path) -> dict[str, LowRank]:
    """The low-rank factors of a chat adapter by layer, the second with the adapter's scale.

    Raises:
        OSError: A file is missing.
    """
    config: dict[str, Any] = json.loads((folder / "adapter_config.json").read_text("utf-8"))
    scale = float(config["lora_alpha"]) / float(config["r"])
    files: Any = safetensors_torch
    tensors: dict[str, torch.Tensor] = files.load_file(folder / WEIGHTS)
    return {
        name.removeprefix(_ADAPTED).removesuffix(_A): (
            one.float(),
            scale * tensors[name.removesuffix(_A) + _B].float(),
        )
        for name, one in tensors.items()
        if name.endswith(_A)
    }


def load_low_rank_reader(path: Path, checkpoint: Checkpoint, adapter: Path | None) -> LowRankReader:
    """Read the weights and put them beside the chat model's.

    Args:
        path: File of the reader.
        checkpoint: The chat model.
        adapter: Folder of the adapter that was merged into it.

    Raises:
        HeadError: They were learned for a model of another shape.
        OSError: A file can't be read.
    """
    files: Any = safetensors_torch
    factors = adapter_factors(adapter) if adapter else {}
    return LowRankReader(checkpoint, files.load_file(path), factors)
