"""The assessor takes the maximum, counts a failure as caution, and never raises."""

import json
from pathlib import Path

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.normalize import NormalizedText
from safety.risk import RiskAssessor
from safety.rules import Findings


class _Broken:
    """A part that fails in every call."""

    def normalize(self, text: str) -> NormalizedText:
        raise RuntimeError(text)

    def find(self, text: NormalizedText, earlier: frozenset[str] = frozenset()) -> Findings:
        raise RuntimeError(f"{text} {earlier}")


@pytest.fixture
def broken(assessor: RiskAssessor) -> dict[str, RiskAssessor]:
    normalizer, engine = assessor._normalizer, assessor._engine  # pyright: ignore[reportPrivateUsage]
    return {
        "normalize": RiskAssessor(_Broken(), engine),  # pyright: ignore[reportArgumentType]
        "rules": RiskAssessor(normalizer, _Broken()),  # pyright: ignore[reportArgumentType]
    }


@pytest.mark.parametrize("layer", ["normalize", "rules"])
def test_a_failed_layer_is_named(broken: dict[str, RiskAssessor], layer: str) -> None:
    assert layer in broken[layer].assess("hello", SessionRisk()).failed_layers


@pytest.mark.parametrize("layer", ["normalize", "rules"])
def test_a_failed_layer_raises_caution(broken: dict[str, RiskAssessor], layer: str) -> None:
    assert broken[layer].assess("hello", SessionRisk()).level is RiskLevel.LOW


@pytest.mark.parametrize("layer", ["normalize", "rules"])
@pytest.mark.parametrize("text", ["I want to die", "我想自杀", "thinking about suicide"])
def test_plain_words_are_noticed_even_then(broken: dict[str, RiskAssessor], layer: str, text: str) -> None:
    assert broken[layer].assess(text, SessionRisk()).level >= RiskLevel.MODERATE


def test_the_log_does_not_hold_the_message(
    broken: dict[str, RiskAssessor], caplog: pytest.LogCaptureFixture
) -> None:
    broken["rules"].assess("a very private sentence", SessionRisk())
    assert "private" not in caplog.text


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "🙂" * 500, "a" * 4000, "\u200b" * 50])
def test_odd_texts_are_calm(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert found.level is RiskLevel.NONE
    assert not found.failed_layers


def test_findings_come_strongest_first(assessor: RiskAssessor) -> None:
    levels = [
        m.level for m in assessor.assess("Life is pointless. I took all my pills.", SessionRisk()).matches
    ]
    assert levels == sorted(levels, reverse=True)


def test_a_span_names_what_was_written(assessor: RiskAssessor) -> None:
    text = "Hi. I don\u2019t want to be here anymore, ok?"
    match = assessor.assess(text, SessionRisk()).matches[0]
    assert "don\u2019t want to be here" in text[match.start : match.end]


def test_a_carried_level_comes_from_the_session_layer(assessor: RiskAssessor) -> None:
    session = SessionRisk(RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    found = assessor.assess("The weather is nice.", session)
    assert (found.level, found.layer) == (RiskLevel.IMMINENT, "session")


def test_a_session_from_the_database_keeps_its_level(assessor: RiskAssessor) -> None:
    stored = json.loads(json.dumps({"level": 3, "category": "suicide", "score": 1.5, "calm_turns": 2}))
    session = SessionRisk(RiskLevel(stored["level"]), RiskCategory(stored["category"]), stored["score"], 2)
    assert assessor.assess("ok", session).level is RiskLevel.IMMINENT


def test_shared_cases_when_the_data_is_there(assessor: RiskAssessor) -> None:
    file = Path(__file__).parents[4] / "shared" / "data" / "safety" / "crisis_cases.jsonl"
    if not file.exists():
        pytest.skip("not on this machine: the shared data folder")
    for line in file.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        wanted = RiskLevel[row["label"].split("-")[-1].upper()]
        found = assessor.assess(row["text"], SessionRisk()).level
        assert (found >= RiskLevel.MODERATE) == (wanted >= RiskLevel.MODERATE), row["text"]
