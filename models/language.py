"""Which of the two languages a person writes in: told by script, and slow to change its mind.

English and Chinese share no letters, so counting characters decides; no model is needed for that
(docs/decisions/0010-language-routing.md). What takes care is how much a short or mixed message says:

- Latin words and Chinese characters are brought to one measure, words: 1.6 characters make a word;
- a message *leans* to a language when most of its words are of it, and is *clear* when it has enough of
  them and next to none of the other's;
- a conversation begins in the language of the page, takes the first one that a message leans to, and then
  changes by a clear message, by the second leaning one in a row, or by a leaning one when the page is in
  that language too, which is how the person's own switch counts.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "zh"]

_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_KANA = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?", re.IGNORECASE | re.ASCII)
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+|\S+@\S+|`[^`]*`")
_CHARACTERS_A_WORD = 1.6
_LEANING = 0.6
_CLEAR = 0.8
_CLEAR_WORDS = 3.5
_SAYS_NOTHING = frozenset(
    (
        *("ok", "okay", "yes", "no", "hi", "hello", "hey", "bye", "lol", "haha", "hmm", "thanks", "thx"),
        *("sorry", "wow", "omg", "emo", "app", "gpa", "hr", "ppt", "kpi", "offer"),
    )
)
"""Latin words that people use in Chinese as well; alone they are no English."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one message says; ``language`` is ``None`` when that is nothing."""

    language: Language | None
    clear: bool


def evidence(text: str) -> Evidence:
    """What a message says about the language of a conversation.

    Examples:
        >>> evidence("我好累")
        Evidence(language='zh', clear=False)
        >>> evidence("ok")
        Evidence(language=None, clear=False)
    """
    text = _ADDRESS.sub(" ", text)
    if _KANA.search(text):
        return Evidence(None, False)
    chinese = len(_HAN.findall(text)) / _CHARACTERS_A_WORD
    english = float(sum(word.casefold() not in _SAYS_NOTHING for word in _WORD.findall(text)))
    words = chinese + english
    if not words or (not chinese and english < 2):
        # One Latin word may be a name, a place, a song.
        return Evidence(None, False)
    language: Language = "zh" if chinese >= english else "en"
    share = max(chinese, english) / words
    if share < _LEANING:
        return Evidence(None, False)
    return Evidence(language, share >= _CLEAR and max(chinese, english) >= _CLEAR_WORDS)


def conversation_language(messages: Iterable[str], page: str) -> Language:
    """The language of a conversation after its messages.

    Args:
        messages: What the person wrote, oldest first, the newest last.
        page: Language of the person's page, such as ``zh``; a hint.
    """
    hint: Language = "zh" if page.lower().startswith("zh") else "en"
    now: Language = hint
    settled = False
    before: Language | None = None
    for text in messages:
        found = evidence(text)
        if found.language is None:
            continue
        enough = found.clear or not settled or found.language in (before, hint)
        if found.language != now and enough:
            now = found.language
        settled, before = True, found.language
    return now
