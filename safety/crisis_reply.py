"""Replies written by people, for the moments when the model has none that may be shown."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from re import Pattern
from typing import cast

from safety.levels import RiskCategory, RiskLevel
from safety.rule_book import compile_patterns
from safety.yaml_file import read_yaml

_FILE = Path(__file__).parent / "crisis_replies.yaml"
_FEWEST_LETTERS = 12
"""Fewer Latin letters ("ok", a name) say nothing about the language of a page in Chinese."""
_PIECES: Mapping[str, str] = {"c": r"[^，,。！!？?；;\n]"}
_APOSTROPHES = str.maketrans("", "", "'\u2018\u2019")
_CARRIED = {
    RiskCategory.THIRD_PARTY: "carried_third_party",
    RiskCategory.MEDICAL_EMERGENCY: "carried_medical",
    RiskCategory.GAMBLING: "carried_gambling",
}
_Variants = Mapping[str, Mapping[str, list[str]]]


def written_replies(
    level: RiskLevel, category: RiskCategory, locale: str, *, plainly: bool = False
) -> list[str]:
    """Return all written replies that fit; below ``moderate`` plain kind sentences.

    Args:
        level: The turn's level.
        category: The turn's category.
        locale: ``en`` or ``zh…``; anything else reads English.
        plainly: The wish to die was named, so the reply doesn't ask whether it is there.
    """
    if level < RiskLevel.MODERATE:
        return _variants("fallback", locale)
    group = _group(category)
    if plainly and level is RiskLevel.MODERATE and group == "distress":
        group = "plain"
    return cast("_Variants", _texts()[level.label])[group][_language(locale)]


def written_reply(level: RiskLevel, category: RiskCategory, locale: str, variant: int = 0) -> str:
    """Return one of :func:`written_replies`; neighbours of ``variant`` give different words."""
    return _one(written_replies(level, category, locale), variant)


def fallback_reply(locale: str, variant: int = 0) -> str:
    """Return a short kind sentence that blames nobody and asks the person to go on."""
    return _one(_variants("fallback", locale), variant)


def other_language_reply(locale: str, variant: int = 0) -> str:
    """Say in the person's language that the model can't read it, and what still works."""
    return _one(_variants("other_language", locale), variant)


def unsure_replies(category: RiskCategory, locale: str, level: RiskLevel = RiskLevel.MODERATE) -> list[str]:
    """Return replies that ask about one kind of danger, for a sign that no rule confirms.

    Args:
        category: What seems meant.
        locale: As for :func:`written_replies`.
        level: At ``imminent`` the reply says first what to do if it is true.
    """
    texts, group = _texts(), _group(category)
    urgent = cast("_Variants", texts["unsure_imminent"])
    kinds = cast("_Variants", texts["unsure"])
    if level is RiskLevel.IMMINENT and (group in urgent or group == "self_harm"):
        return urgent.get(group, urgent["distress"])[_language(locale)]
    return kinds[group][_language(locale)]


def secrecy_reply(locale: str, variant: int = 0) -> str:
    """Say who may read what is written here, in place of a promise that nobody can give."""
    return _one(_variants("secrecy", locale), variant)


def carried_replies(locale: str, category: RiskCategory = RiskCategory.NONE) -> list[str]:
    """Return replies for a turn that shows no danger itself in a conversation that did.

    Args:
        locale: As for :func:`written_replies`.
        category: What the danger was about: somebody else is not asked after as if it were the writer.
    """
    return _variants(_CARRIED.get(category, "carried"), locale)


def retracted_replies(locale: str, level: RiskLevel = RiskLevel.MODERATE) -> list[str]:
    """Return replies to somebody who takes back what was dangerous; none repeats it.

    Args:
        locale: As for :func:`written_replies`.
        level: Where the conversation stands; at ``imminent`` they name the emergency number all the same.
    """
    return _variants("retracted_danger" if level is RiskLevel.IMMINENT else "retracted", locale)


def act_replies(locale: str, *, put_off: bool = False) -> list[str]:
    """Return replies while what was done to a body goes on: each says to call now.

    Args:
        locale: As for :func:`written_replies`.
        put_off: The message asks or says that it can wait, so the reply begins with a no.
    """
    return _variants("act_put_off" if put_off else "act", locale)


def followed_up_replies(kind: str, category: RiskCategory, locale: str) -> list[str]:
    """Return replies to a question that followed danger; none holds a number, a way or a permission.

    Args:
        kind: ``pain_asked``, ``number_asked`` or ``permission_asked``, see ``safety.followed_up``.
        category: What the danger is about.
        locale: As for :func:`written_replies`.
    """
    groups, group = cast("_Variants", _texts()[kind]), _group(category)
    return groups.get(group, next(iter(groups.values())))[_language(locale)]


def corrected_replies(locale: str) -> list[str]:
    """Return replies to somebody who says that it was meant otherwise, and how."""
    return _variants("corrected", locale)


def says_it_plainly(text: str) -> bool:
    """Whether a message names death or suicide as wished for."""
    return _found("says_plainly", text)


def takes_it_back(text: str) -> bool:
    """Whether a message takes back an earlier one, as a joke, a mistake or somebody else's.

    Example:
        >>> takes_it_back("haha only joking, my mate typed that")
        True
    """
    return _found("takes_back", text)


def puts_it_off(text: str) -> bool:
    """Whether a message asks or says that what was done to a body can wait.

    Example:
        >>> puts_it_off("so i dont need to go to hospital?"), puts_it_off("my sister is coming")
        (True, False)
    """
    return _found("puts_off", text)


def corrects_it(text: str) -> bool:
    """Whether a message says that an earlier one meant something harmless.

    Example:
        >>> corrects_it("sorry, i mean she takes them for her heart"), corrects_it("i mean i took 30")
        (True, False)
    """
    return _found("corrects", text) and not _found("not_corrected", text)


def unsaid(options: Sequence[str], earlier: Sequence[str], variant: int) -> str:
    """Choose what was not said in this conversation; if all was, what was said longest ago.

    Args:
        options: Replies that fit, at least one.
        earlier: Replies shown before, oldest first.
        variant: Any number, such as the count of turns so far: where to begin.
    """
    ahead = [*options[variant % len(options) :], *options[: variant % len(options)]]
    last = {text: place for place, text in enumerate(earlier)}
    return min(ahead, key=lambda text: last.get(text, -1))


def language_of(text: str, locale: str) -> str:
    """``zh`` for a message that is mostly Chinese, ``en`` for one in Latin letters, else ``locale``.

    Example:
        >>> language_of("我好累", "en")
        'zh'
    """
    chinese = sum("\u3400" <= character <= "\u9fff" for character in text)
    latin = sum(character.isascii() and character.isalpha() for character in text)
    if chinese and 4 * chinese >= latin:
        return "zh"
    return "en" if latin >= _FEWEST_LETTERS and not chinese else locale


def _group(category: RiskCategory) -> str:
    return cast("Mapping[str, str]", _texts()["groups"])[category.value]


def _variants(key: str, locale: str) -> list[str]:
    return cast("_Variants", _texts())[key][_language(locale)]


def _one(variants: Sequence[str], variant: int) -> str:
    return variants[variant % len(variants)]


def _found(key: str, text: str) -> bool:
    return _pattern(key).search(text.lower().translate(_APOSTROPHES)) is not None


@lru_cache(maxsize=8)
def _pattern(key: str) -> Pattern[str]:
    return compile_patterns(cast("list[str]", _texts()[key]), _PIECES)


def _language(locale: str) -> str:
    return "zh" if locale.lower().startswith("zh") else "en"


@lru_cache(maxsize=1)
def _texts() -> Mapping[str, object]:
    return cast("Mapping[str, object]", read_yaml(_FILE))
