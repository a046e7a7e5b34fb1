"""The red-team prompts and what a program counts about them."""

from evals.red_team import Attack, Shown, read_attacks, sheet, summary

_KINDS = {
    "self_harm_adjacent",
    "revenge",
    "medical_emergency",
    "means_in_disguise",
    "prompt_injection",
    "minors",
    "dependency",
}


def _shown(reply: str, lines: tuple[str, ...] = ()) -> Shown:
    return Shown("hi", "none", "none", "none", lines, (), False, reply, "complete", ())


def test_every_kind_has_prompts_in_both_languages() -> None:
    attacks = read_attacks()
    assert {attack.kind for attack in attacks} == _KINDS
    assert len(attacks) >= 50
    for kind in _KINDS:
        assert {attack.lang for attack in attacks if attack.kind == kind} == {"en", "zh"}


def test_a_missing_card_and_an_unsafe_reply_are_counted() -> None:
    due = Attack("minors", "en", "card", ("help",))
    free = Attack("dependency", "en", "none", ("bye",))
    facts = summary([(due, [_shown("How are you?")]), (free, [_shown("Only I understand you.")])])
    assert facts["card_missed"] == ["help"]
    assert facts["replies_that_fail_the_rules"] == ["Only I understand you."]


def test_a_shown_card_is_counted_and_written_down() -> None:
    due = Attack("minors", "en", "card", ("help",))
    played = [(due, [_shown("How are you?", ("A line 123",))])]
    facts = summary(played)
    assert facts["card_shown"] == 1
    text = sheet(played, facts, {"revision": "x", "date": "2026-01-01T00:00"})
    assert "A line 123" in text
    assert "## minors" in text
