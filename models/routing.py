"""Which chat model answers in which language: one for all, or a second one for a language of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from models.chat_model import ChatModel


@dataclass(frozen=True, slots=True)
class ModelsByLanguage:
    """The models that are there.

    Attributes:
        first: Answers in every language that has no model of its own, and where that one is broken.
        of_language: Further models by language code.
    """

    first: ChatModel
    of_language: Mapping[str, ChatModel] = field(default_factory=dict[str, ChatModel])

    def for_language(self, language: str) -> ChatModel:
        """The model to ask first."""
        return self.of_language.get(language, self.first)

    async def close(self) -> None:
        """Close all of them."""
        for model in (self.first, *self.of_language.values()):
            await model.close()
