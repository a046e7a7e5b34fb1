"""Written replies: when one is given in place of the model's words, and which."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.crisis import CrisisVerdict
from models.profiles import Profile
from models.sentences import is_chinese
from safety.classifier import only_suspected
from safety.crisis_reply import (
    carried_replies,
    corrected_replies,
    corrects_it,
    language_of,
    other_language_reply,
    retracted_replies,
    says_it_plainly,
    secrecy_reply,
    takes_it_back,
    unsaid,
    unsure_replies,
    written_replies,
)
from safety.levels import RiskAssessment, RiskLevel
from safety.means_questions import asks_for_means
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
    profile: Profile, text: str, locale: str, verdict: CrisisVerdict, earlier: Sequence[str]
) -> WrittenReply | None:
    """The reply to give without asking the model, or ``None`` when the model can be trusted with it.

    No model is trusted with a request for secrecy: it would promise what this service does not keep.

    Args:
        profile: The checkpoint that would answer.
        text: What the person wrote.
        locale: Language of the person's page.
        verdict: What the crisis layers found.
        earlier: Replies shown before, oldest first, so that no words come twice.
    """
    if asks_for_means(verdict.assessment.matches):
        return WrittenReply("means_asked", fitting_reply(text, locale, verdict, earlier))
    if not profile.answers_at_risk and _in_danger_now(verdict.assessment):
        return WrittenReply("small_model", fitting_reply(text, locale, verdict, earlier))
    if verdict.assessment.level < RiskLevel.MODERATE and asks_for_secrecy(text):
        return WrittenReply("secrecy", secrecy_reply(language_of(text, locale), len(earlier)))
    if profile.monolingual and not _reads(profile, text):
        return WrittenReply("language", other_language_reply(language_of(text, locale), len(earlier)))
    if verdict.carried and corrects_it(text):
        return WrittenReply("corrected", fitting_reply(text, locale, verdict, earlier))
    if verdict.carried and takes_it_back(text):
        return WrittenReply("retracted", fitting_reply(text, locale, verdict, earlier))
    return None


def fitting_reply(text: str, locale: str, verdict: CrisisVerdict, earlier: Sequence[str]) -> str:
    """A written reply to a person at risk, or a plain kind sentence, in the language they wrote in.

    Nothing is said twice while other words fit. Only where danger is imminent and all was said, what was said
    longest ago comes again: it names the emergency number, and that matters more.
    """
    language = language_of(text, locale)
    options = _options(text, language, verdict, earlier)
    if verdict.assessment.level is RiskLevel.MODERATE and all(option in earlier for option in options):
        options = carried_replies(language, verdict.assessment.category)
    return unsaid(options, earlier, len(earlier))


def _options(text: str, language: str, verdict: CrisisVerdict, earlier: Sequence[str]) -> list[str]:
    assessment = verdict.assessment
    suspected = only_suspected(assessment.matches)
    if verdict.carried and corrects_it(text):
        return corrected_replies(language)
    if takes_it_back(text) and (verdict.carried or (suspected and earlier)):
        return retracted_replies(language)
    if verdict.carried:
        return carried_replies(language, assessment.category)
    if suspected:
        return unsure_replies(assessment.category, language, assessment.level)
    return written_replies(assessment.level, assessment.category, language, plainly=says_it_plainly(text))


def _in_danger_now(assessment: RiskAssessment) -> bool:
    """Whether this message, or one just before it, asks for more care than a small model can give."""
    if any(match.layer != "session" and match.level >= RiskLevel.MODERATE for match in assessment.matches):
        return True
    session = assessment.session
    return session.level is RiskLevel.IMMINENT and session.calm_turns <= CALM_TURNS_WRITTEN


def _reads(profile: Profile, text: str) -> bool:
    """Only the script is looked at: it is what tells for certain that a model can't read a text."""
    return "zh" in profile.languages or not is_chinese(text)
