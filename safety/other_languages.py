"""Plain words of danger in languages that no rule book reads: a floor for everybody who writes in one."""

from pathlib import Path

from safety.levels import RiskMatch
from safety.normalize import Normalizer
from safety.rule_book import load_rule_book
from safety.rules import RuleEngine
from safety.spelling_tables import RULES_FOLDER


class OtherLanguages:
    """Looks for a few phrases of each language; shareable between threads.

    They are looked for in a text whose characters alone are folded: English slang and slips would turn the
    Italian ``di`` into ``die`` and the Polish ``od`` into an overdose.

    Args:
        normalizer: Folds the text, and the patterns in the same way.
        path: The phrases.
    """

    def __init__(self, normalizer: Normalizer, path: Path = RULES_FOLDER / "others.yaml") -> None:
        self._normalizer = normalizer
        self._engine = RuleEngine([load_rule_book(path, lambda words: normalizer.fold(words).text)], ())

    def find(self, text: str) -> tuple[RiskMatch, ...]:
        """Findings in ``text`` as it was written, strongest first."""
        return self._engine.find(self._normalizer.fold(text)).matches
