"""Settings of a conversation's memory."""

from pydantic import BaseModel, Field


class MemorySettings(BaseModel):
    """What is remembered of a conversation beyond the turns that fit into a prompt."""

    facts: bool = Field(
        default=True,
        description="Note what people tell of themselves (names, people, pets, events, wishes), show it to "
        "them and tell it to the model again when the turns no longer fit; each can turn it off.",
    )
    prompt_tokens: int = Field(
        default=300,
        ge=0,
        le=4000,
        description="Most tokens of a prompt that facts may take, and never more than a sixth of it.",
    )
    model: bool = Field(
        default=False,
        description="Have the model behind HEARKEN_MODEL__URL read each message for facts too, in the "
        "background after its turn; it costs one short request a message.",
    )
    timeout_s: float = Field(
        default=30.0, gt=0, le=600, description="Seconds after which such a reading is given up."
    )
