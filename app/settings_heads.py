"""Settings of heads that read messages and replies and are not needed for a reply."""

from pathlib import Path

from pydantic import BaseModel, Field, field_validator

from app.settings_values import ExistingFile
from models.encoder import TUNED, load_encoder
from models.head_file import HeadError
from models.strategy import load_strategy_reader


class HeadSettings(BaseModel):
    """What is read beside tactics and empathy."""

    emotions: bool = Field(
        default=True,
        description="Read the emotions of people's messages (with encoder e5-mint): stored, shown to "
        "reviewers, named to the model where one is clear.",
    )
    strategies: ExistingFile | None = Field(
        default=None,
        description="Head file of ESConv's strategies, made by models.training.pair_tune or "
        "models.training.emotion_strategy; "
        "not for commercial use. Unset: not read.",
    )

    @field_validator("strategies")
    @classmethod
    def _usable_head(cls, value: Path | None) -> Path | None:
        """Refuse a file that would fail later, in the middle of a conversation."""
        if value is None:
            return None
        try:
            load_strategy_reader(load_encoder(TUNED), value)
        except HeadError:
            raise ValueError(
                "names a file that holds no head of strategies for the encoder e5-mint, or one with an "
                "encoder of its own without that encoder's adapter.safetensors beside it"
            ) from None
        return value
