"""Settings of a second chat model that answers in a language of its own."""

from typing import Literal

from pydantic import BaseModel, Field, HttpUrl, SecretStr

ProfileName = Literal["mint-4b", "mint-1.7b", "mindchat-r0", "qwen3", "embedded"]


class SecondModelSettings(BaseModel):
    """A second chat model, for one language; all others are answered by the first one.

    Its limits (seconds, requests at once, candidates) are those of the first.
    """

    url: HttpUrl | None = Field(
        default=None,
        description="OpenAI-compatible address of the server of a second model, which may be that of the "
        "first; unset means that one model answers in all languages.",
    )
    language: Literal["zh", "en"] = Field(
        default="zh", description="Language of the conversations that it answers."
    )
    api_key: SecretStr | None = Field(default=None, description="Key that its server was started with.")
    name: str | None = Field(
        default=None,
        description="Served model to ask for; unset takes the first served one that a profile knows.",
    )
    profile: ProfileName | None = Field(
        default=None, description="Checkpoint profile; unset takes the one that fits the model's name."
    )
