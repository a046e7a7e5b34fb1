"""Texts made to slow the layers down or to hide a sentence from them."""

from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from safety.levels import RiskLevel, SessionRisk
from safety.normalize import Normalizer
from safety.risk import RiskAssessor
from safety.rule_book import RulePattern, load_rule_book
from safety.rules import split_units
from safety.spelling_tables import RULES_FOLDER

_LIMIT_S = 0.5
"""For one pattern over 4,000 characters; an exponential one takes minutes."""
_PLAIN = {"en": "I want to kill myself.", "zh": "我想自杀。"}
_STRANGE = st.text(
    st.characters() | st.sampled_from("\u200b\u200d\ufeff\u202e\u0301\ud800’“”…*#@$|\n\r\t 💀🔪自殺４𝕂"),
    max_size=120,
)


def _patterns(language: str) -> list[RulePattern]:
    return [p for rule in load_rule_book(RULES_FOLDER / f"{language}.yaml").rules for p in rule.patterns]


@pytest.mark.parametrize("language", ["en", "zh", "answers", "others"])
def test_no_pattern_is_slow_on_its_own_words_repeated(language: str) -> None:
    slow: list[str] = []
    for pattern in _patterns(language):
        for clause in pattern.clauses or (frozenset({"i "}),):
            piece = min(clause)
            for text in (f"{piece} " * 4000, f"i {piece} to my " * 4000, piece * 4000):
                start = process_time()
                for unit in split_units(text[:4000]):
                    list(pattern.regex.finditer(unit.text))
                if process_time() - start > _LIMIT_S:
                    slow.append(pattern.regex.pattern[:80])
    assert slow == []


@pytest.mark.parametrize(
    "text", ["i " * 2000, "我" * 4000, "k i l l " * 500, "a" * 4000, "!1|" * 1300, "#" * 4000]
)
def test_the_normalizer_reads_repetitions_in_time(normalizer: Normalizer, text: str) -> None:
    start = process_time()
    normalizer.normalize(text)
    assert process_time() - start < _LIMIT_S


@pytest.mark.parametrize("lang", ["en", "zh"])
@given(before=_STRANGE, after=_STRANGE)
@settings(max_examples=60, deadline=None)
def test_strange_neighbours_hide_no_plain_sentence(
    assessor: RiskAssessor, lang: str, before: str, after: str
) -> None:
    found = assessor.assess(f"{before}\n\n{_PLAIN[lang]}\n\n{after}", SessionRisk())
    assert found.level >= RiskLevel.LOW
    assert not found.failed_layers


@given(text=_STRANGE)
@settings(max_examples=200, deadline=None)
def test_folding_twice_changes_little_and_maps_back(normalizer: Normalizer, text: str) -> None:
    once = normalizer.normalize(text)
    assert len(once.text) == len(once.starts) == len(once.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(once.starts, once.ends, strict=True))
    assert once.text == once.text.lower()


@given(
    text=st.sampled_from(["I want to die", "i dont want to live anymore", "我不想活了", "想死"]),
    mark=st.sampled_from(["\u200b", "\u00ad", "\ufeff", "\u2060"]),
    place=st.integers(1, 20),
)
@settings(max_examples=80, deadline=None)
def test_an_invisible_character_anywhere_hides_nothing(
    assessor: RiskAssessor, text: str, mark: str, place: int
) -> None:
    cut = place % len(text)
    assert assessor.assess(text[:cut] + mark + text[cut:], SessionRisk()).level >= RiskLevel.MODERATE
