"""A language model with an adapter and two heads: the passes that the multi-task loss needs."""

from collections.abc import Mapping, Sequence
from typing import Any

import peft
import torch

from models.training.chat_tokens import Tokens, padded
from models.training.lora import adapter_weights
from models.training.multi_task_config import LoraSettings
from models.training.task_heads import TaskHeads
from models.training.task_losses import emotion_loss, kl_loss, language_loss, strategy_loss
from models.training.task_tokens import Reading, emotion_targets, pad_readings, strategy_targets

State = Mapping[str, torch.Tensor]


class MultiTaskModel:
    """The trained parts are the adapter and the heads; the base is frozen.

    Args:
        base: A Transformers causal language model on its device; the adapter is put into it.
        heads: Emotion and strategy head.
        settings: Shape of the adapter.
        pad: Id of the padding token.
    """

    def __init__(self, base: Any, heads: TaskHeads, settings: LoraSettings, pad: int) -> None:
        config = peft.LoraConfig(
            r=settings.rank,
            lora_alpha=settings.alpha,
            lora_dropout=settings.dropout,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        )
        self.adapted: Any = peft.get_peft_model(base, config)
        self.device: torch.device = self.adapted.device
        self.heads = heads.to(self.device)
        self._pad = pad

    def train(self, on: bool) -> None:
        """Switch dropout on or off."""
        self.adapted.train(on)
        self.heads.train(on)

    def adapter_parameters(self) -> list[torch.nn.Parameter]:
        """What is learned inside the language model."""
        return [one for one in self.adapted.parameters() if one.requires_grad]

    def state(self) -> tuple[State, State]:
        """Copies of the adapter's and the heads' weights."""
        heads = {name: one.detach().cpu().clone() for name, one in self.heads.state_dict().items()}
        return adapter_weights(self.adapted), heads

    def restore(self, adapter: State, heads: State) -> None:
        """Put weights back."""
        library: Any = peft
        library.set_peft_model_state_dict(self.adapted, dict(adapter))
        self.heads.load_state_dict(dict(heads))

    def reply_losses(
        self, dialogues: Sequence[Tokens], safety: Sequence[Tokens]
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Language loss of the dialogues' reply tokens and KL of the safety replies' tokens.

        Returns:
            ``(tokens of dialogue replies,)`` and ``(tokens of safety replies,)``; empty for no rows.
        """
        batch = padded([*dialogues, *safety], self._pad)
        labels = batch.labels[:, 1:].to(self.device)
        is_reply = labels >= 0
        is_safety = is_reply.clone()
        is_safety[: len(dialogues)] = False
        is_dialogue = is_reply & ~is_safety
        with self._precision():
            hidden = self._hidden(batch.input_ids, batch.attention_mask)[:, :-1]
            language = language_loss(self._logits(hidden[is_dialogue]), labels[is_dialogue])
            if not safety:
                return language, hidden.new_zeros(0)
            tuned = self._logits(hidden[is_safety])
            kl = kl_loss(
                self._base_logits(batch.input_ids, batch.attention_mask, is_safety, len(dialogues)), tuned
            )
        return language, kl

    def reading_losses(self, readings: Sequence[Reading]) -> dict[str, torch.Tensor]:
        """One value for each text of the tasks that occur."""
        logits = self.read(readings)
        losses: dict[str, torch.Tensor] = {}
        emotions = [one for one in readings if one.task == "emotion"]
        strategies = [one for one in readings if one.task == "strategy"]
        if emotions:
            losses["emotion"] = emotion_loss(logits["emotion"], emotion_targets(emotions).to(self.device))
        if strategies:
            targets = strategy_targets(strategies).to(self.device)
            losses["strategy"] = strategy_loss(logits["strategy"], targets)
        return losses

    def read(self, readings: Sequence[Reading]) -> dict[str, torch.Tensor]:
        """The heads' outputs, ``(texts of the task, classes)``, in the order of the texts."""
        batch = pad_readings(readings, self._pad)
        with self._precision():
            hidden = self._hidden(batch.input_ids, batch.attention_mask)
        rows = torch.arange(len(readings), device=self.device)
        last = hidden[rows, batch.last.to(self.device)].float()
        is_emotion = torch.tensor([one.task == "emotion" for one in readings], device=self.device)
        return {
            "emotion": self.heads.emotion(last[is_emotion]),
            "strategy": self.heads.strategy(last[~is_emotion]),
        }

    def _hidden(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """Last hidden states, ``(rows, tokens, width)``."""
        inner: Any = self.adapted.get_base_model().base_model
        output = inner(input_ids=ids.to(self.device), attention_mask=mask.to(self.device), use_cache=False)
        return output.last_hidden_state

    def _logits(self, hidden: torch.Tensor) -> torch.Tensor:
        head: Any = self.adapted.get_base_model().get_output_embeddings()
        return head(hidden)

    def _base_logits(
        self, ids: torch.Tensor, mask: torch.Tensor, places: torch.Tensor, first: int
    ) -> torch.Tensor:
        """Logits of the untouched base at ``places``, which begin with row ``first``."""
        adapted: Any = self.adapted
        with torch.no_grad(), adapted.disable_adapter():
            hidden = self._hidden(ids[first:], mask[first:])[:, :-1]
            return self._logits(hidden[places[first:]])

    def _precision(self) -> Any:
        # bfloat16 arithmetic where the card has it; adapter, heads and optimiser stay in float32.
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.device.type == "cuda")
