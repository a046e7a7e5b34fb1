import base64

import pytest

from safety.encoded_words import encoded_words
from safety.levels import RiskLevel, SessionRisk
from safety.risk import load_assessor

ASSESSOR = load_assessor()


def coded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize("said", ["I want to kill myself tonight", "我今晚就不想活了，药都准备好了"])
@pytest.mark.parametrize("around", ["{}", "read this: {} please", "你看\n{}\n"])
def test_a_crisis_in_base64_is_read(said: str, around: str) -> None:
    text = around.format(coded(said))
    found = ASSESSOR.assess(text, SessionRisk())
    assert found.level >= RiskLevel.MODERATE
    assert text[found.matches[0].start : found.matches[0].end] == coded(said)


def test_places_before_and_after_an_encoded_word_stay_right() -> None:
    text = f"Hallo {coded('see you at the station')} i want to die"
    found = ASSESSOR.assess(text, SessionRisk()).matches[0]
    assert "want to die" in text[found.start : found.end]


def test_a_run_without_its_padding_and_one_of_web_addresses_are_read() -> None:
    plain = "there is no point in any of this~?"
    web = base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")
    assert [said for _, _, said in encoded_words(web)] == [plain]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Donaudampfschifffahrtsgesellschaft and internationalization",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "/home/anna/documents/letters/to_my_sister",
        "550e8400-e29b-41d4-a716-446655440000",
        "https://example.org/a/very/long/path/of/words",
        base64.b64encode(bytes(range(100, 200))).decode(),
    ],
)
def test_other_long_runs_stay_as_they_are(text: str) -> None:
    assert list(encoded_words(text)) == []
