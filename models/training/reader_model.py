"""A causal language model with a LoRA adapter that is read instead of sampled from."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import peft
import torch
import torch.nn.functional as F
from torch import nn

from models.training.reader_batches import Ints, by_length, padded, positions
from models.training.reader_data import ReaderData

HEAD_DROPOUT = 0.1


@dataclass(frozen=True, slots=True)
class Read:
    """Outputs for some texts.

    Attributes:
        texts: Of each text's last token, ``(texts, text_outputs)``, in the order that was asked for.
        places: Of each place of these texts, ``(places, place_outputs)``, in their order.
    """

    texts: torch.Tensor
    places: torch.Tensor


class Reader(nn.Module):
    """The model below its language head, and a linear head on normalised states for texts and places.

    Args:
        base: A causal language model of Transformers; its weights stay as they are.
        rank: Of the low-rank changes on every linear layer; alpha is twice the rank.
        text_outputs: Numbers read from a text's last token; 0 for none.
        place_outputs: Numbers read from each place.
        device: Where it computes; on CUDA in bfloat16, with changes and heads in float32.
    """

    def __init__(
        self, base: Any, rank: int, text_outputs: int, place_outputs: int, device: torch.device
    ) -> None:
        super().__init__()
        body: Any = base.base_model
        body.to(device)
        self._half = device.type == "cuda"
        if self._half:
            # Once, here: autocast would do it again in each pass, since it keeps no copy of fixed weights.
            for module in body.modules():
                if isinstance(module, nn.Linear):
                    module.to(torch.bfloat16)
        config = peft.LoraConfig(
            r=rank, lora_alpha=2 * rank, lora_dropout=0.0, target_modules="all-linear", task_type=None
        )
        self.body: Any = peft.get_peft_model(body, config)
        hidden = int(body.config.hidden_size)
        self.text_head = nn.Linear(hidden, text_outputs) if text_outputs else None
        self.place_head = nn.Linear(hidden, place_outputs)
        self._device = device
        self.to(device)

    @property
    def low_rank(self) -> list[nn.Parameter]:
        """What is learned of the language model."""
        return [one for one in self.body.parameters() if one.requires_grad]

    @property
    def heads(self) -> list[nn.Parameter]:
        """What is learned on top of it."""
        return [one for head in (self.text_head, self.place_head) if head for one in head.parameters()]

    def learned(self) -> dict[str, torch.Tensor]:
        """Everything that was learned, by name, in bfloat16 on the CPU."""
        return {
            name: one.detach().to("cpu", torch.bfloat16).contiguous()
            for name, one in self.named_parameters()
            if one.requires_grad
        }

    def forward(self, data: ReaderData, texts: Ints, tokens: int) -> Read:
        """Read texts, in passes of similar length with at most ``tokens`` tokens, padding included."""
        groups = by_length(data, texts, tokens)
        last: list[torch.Tensor] = []
        places: list[torch.Tensor] = []
        for group in groups:
            one = padded(data, group, self._device)
            with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._half):
                states = self.body(input_ids=one.ids, use_cache=False).last_hidden_state
            last.append(states[torch.arange(len(group), device=self._device), one.last].float())
            places.append(states[one.text, one.place].float())
        done = np.concatenate(groups)
        order = torch.tensor(positions(done, texts), device=self._device)
        rows = torch.tensor(positions(data.rows(done), data.rows(texts)), device=self._device)
        return Read(self._text(torch.cat(last)[order]), self._head(self.place_head, torch.cat(places)[rows]))

    def _text(self, states: torch.Tensor) -> torch.Tensor:
        return states[:, :0] if self.text_head is None else self._head(self.text_head, states)

    def _head(self, head: nn.Linear, states: torch.Tensor) -> torch.Tensor:
        states = F.layer_norm(states, states.shape[1:])
        return head(F.dropout(states, HEAD_DROPOUT, self.training))
