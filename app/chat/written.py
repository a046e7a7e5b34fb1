"""Written replies: when one is given in place of the model's words, and which."""

from dataclasses import dataclass

from app.chat.crisis import CrisisVerdict
from models.profiles import Profile
from models.sentences import is_chinese
from safety.classifier import only_suspected
from safety.crisis_reply import (
    carried_reply,
    language_of,
    other_language_reply,
    secrecy_reply,
    unsure_reply,
    written_reply,
)
from safety.levels import RiskAssessment, RiskLevel
from safety.reply_check import asks_for_secrecy

CALM_TURNS_WRITTEN = 2
"""Turns without any sign, after danger was imminent, that still get a written reply."""


@dataclass(frozen=True, slots=True)
class WrittenReply:
    """A reply that no model made.

    Attributes:
        reason: Why the model is not asked, as counted in the metrics.
        text: What the person reads.
    """

    reason: str
    text: str


def instead_of_model(
    profile: Profile, text: str, locale: str, verdict: CrisisVerdict, turn: int
) -> WrittenReply | None:
    """The reply to give without asking the model, or ``None`` when the model can be trusted with it.

    No model is trusted with a request for secrecy: it would promise what this service does not keep.

    Args:
        profile: The checkpoint that would answer.
        text: What the person wrote.
        locale: Language of the person's page.
        verdict: What the crisis layers found.
        turn: Number of earlier replies, so that the same words do not come twice in a row.
    """
    if not profile.answers_at_risk and _in_danger_now(verdict.assessment):
        return WrittenReply("small_model", fitting_reply(text, locale, verdict, turn))
    if verdict.assessment.level < RiskLevel.MODERATE and asks_for_secrecy(text):
        return WrittenReply("secrecy", secrecy_reply(language_of(text, locale), turn))
    if profile.monolingual and not _reads(profile, text):
        return WrittenReply("language", other_language_reply(language_of(text, locale), turn))
    return None


def fitting_reply(text: str, locale: str, verdict: CrisisVerdict, turn: int) -> str:
    """A written reply to a person at risk, or a plain kind sentence, in the language they wrote in."""
    language = language_of(text, locale)
    if verdict.carried:
        return carried_reply(language, turn)
    if only_suspected(verdict.assessment.matches):
        return unsure_reply(language, turn)
    return written_reply(verdict.assessment.level, verdict.assessment.category, language, turn)


def _in_danger_now(assessment: RiskAssessment) -> bool:
    """Whether this message, or one just before it, asks for more care than a small model can give."""
    if any(match.layer != "session" and match.level >= RiskLevel.MODERATE for match in assessment.matches):
        return True
    session = assessment.session
    return session.level is RiskLevel.IMMINENT and session.calm_turns <= CALM_TURNS_WRITTEN


def _reads(profile: Profile, text: str) -> bool:
    """Only the script is looked at: it is what tells for certain that a model can't read a text."""
    return "zh" in profile.languages or not is_chinese(text)
