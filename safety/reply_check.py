"""Check what a model wrote before a person sees it, in whole sentences, English and Chinese."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from re import Pattern
from typing import Any, cast

from safety.levels import RiskLevel
from safety.lexicon import Lexicon
from safety.normalize import Normalizer
from safety.rule_book import compile_patterns
from safety.rules import clause_around, split_units
from safety.spelling_tables import RULES_FOLDER, load_spelling_tables
from safety.yaml_file import read_yaml

_PIECES: Mapping[str, str] = {"c": r"[^，,。！？!?；;\n]"}


@dataclass(frozen=True, slots=True)
class ReplyVerdict:
    """Whether a reply may be shown.

    Attributes:
        ok: No reason was found.
        reasons: Stable codes such as ``method_detail``, in the order of the rule file, each once.
    """

    ok: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Check:
    reason: str
    pattern: Pattern[str]
    unless: Pattern[str] | None
    from_level: RiskLevel


@dataclass(frozen=True, slots=True)
class _AnswerCheck:
    """A fault that is none by itself: what the person's message holds, or doesn't hold, makes it one."""

    asked: Pattern[str]
    reply: _Check
    holds: bool


class ReplyChecker:
    """Holds the compiled checks; may be shared between threads."""

    def __init__(
        self,
        checks: Sequence[_Check],
        normalizer: Normalizer,
        answers: Sequence[_AnswerCheck] = (),
        secrecy: Pattern[str] | None = None,
    ) -> None:
        self._checks = tuple(checks)
        self._answers = tuple(answers)
        self._normalizer = normalizer
        self._secrecy = secrecy

    def check(self, text: str, level: RiskLevel = RiskLevel.NONE, asked: str = "") -> ReplyVerdict:
        """Look for anything that must not be shown at ``level``; an empty reply is not shown either.

        Args:
            text: The reply.
            level: Risk level of the turn.
            asked: The message that is answered: what would harm must not be cheered, and no wish to die that
                isn't in it may be put into the person's mouth.
        """
        if not text.strip():
            return ReplyVerdict(False, ("empty",))
        sentences = [unit.text for unit in split_units(self._normalizer.normalize(text).text)]
        due = (check for check in self._checks if level >= check.from_level)
        reasons = tuple(dict.fromkeys(check.reason for check in due if _found(check, sentences)))
        reasons = tuple(dict.fromkeys(reasons + self._in_answer_to(asked, sentences)))
        return ReplyVerdict(not reasons, reasons)

    def asks_for_secrecy(self, message: str) -> bool:
        """Whether a person wants a promise that what they write stays secret."""
        said = self._normalizer.normalize(message).text.replace("\n", " ")
        return self._secrecy is not None and self._secrecy.search(said) is not None

    def _in_answer_to(self, asked: str, sentences: Sequence[str]) -> tuple[str, ...]:
        message = self._normalizer.normalize(asked).text.replace("\n", " ") if asked else ""
        return tuple(
            check.reply.reason
            for check in self._answers
            if message
            and (check.asked.search(message) is not None) is check.holds
            and _found(check.reply, sentences)
        )


def check_reply(text: str, level: RiskLevel = RiskLevel.NONE, asked: str = "") -> ReplyVerdict:
    """Check one reply with the committed rules; see :meth:`ReplyChecker.check`."""
    return load_reply_checker().check(text, level, asked)


def asks_for_secrecy(message: str) -> bool:
    """See :meth:`ReplyChecker.asks_for_secrecy`; with the committed rules."""
    return load_reply_checker().asks_for_secrecy(message)


@lru_cache(maxsize=1)
def load_reply_checker(path: Path = RULES_FOLDER / "replies.yaml") -> ReplyChecker:
    """Read and compile the checks; raises ``ValueError`` or ``re.error`` when the file is broken."""
    raw = cast("dict[str, list[dict[str, Any]]]", read_yaml(path))
    # Slang and slips are no matter in a model's text, so the lexicon stays empty.
    normalizer = Normalizer(load_spelling_tables(), Lexicon((), (), ()))
    answers = [
        _AnswerCheck(
            compile_patterns(entry["asked"], _PIECES),
            _read_check({**entry, "patterns": entry["reply"]}),
            holds,
        )
        for key, holds in (("answers", True), ("unasked", False))
        for entry in raw.get(key, [])
    ]
    wanted = {
        entry["kind"]: compile_patterns(entry["patterns"], _PIECES) for entry in raw.get("requests", [])
    }
    checks = [_read_check(entry) for entry in raw["checks"]]
    return ReplyChecker(checks, normalizer, answers, wanted.get("secrecy"))


def _read_check(entry: Mapping[str, Any]) -> _Check:
    return _Check(
        reason=entry["reason"],
        pattern=compile_patterns(entry["patterns"], _PIECES),
        unless=compile_patterns(entry["unless"], _PIECES) if "unless" in entry else None,
        from_level=RiskLevel[entry.get("from_level", "none").upper()],
    )


def _found(check: _Check, sentences: Sequence[str]) -> bool:
    return any(
        not (check.unless and check.unless.search(clause_around(sentence, match)))
        for sentence in sentences
        for match in check.pattern.finditer(sentence)
    )
