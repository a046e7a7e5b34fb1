"""The real rules, built once: they are data, and a test without them would test nothing."""

import pytest

from safety.helplines import HelplineDirectory, load_directory
from safety.lexicon import Lexicon, load_real_words
from safety.normalize import Normalizer
from safety.risk import RiskAssessor, load_assessor
from safety.rule_book import load_rule_book
from safety.spelling_tables import RULES_FOLDER, load_spelling_tables


@pytest.fixture(scope="session")
def assessor() -> RiskAssessor:
    return load_assessor()


@pytest.fixture(scope="session")
def directory() -> HelplineDirectory:
    return load_directory()


@pytest.fixture(scope="session")
def normalizer() -> Normalizer:
    tables = load_spelling_tables()
    words = load_rule_book(RULES_FOLDER / "en.yaml").vocabulary
    real_words = load_real_words(RULES_FOLDER / "real_words.txt") | frozenset(tables.slang)
    return Normalizer(tables, Lexicon(words, tables.typo_words, real_words))
