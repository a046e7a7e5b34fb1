"""Written replies: when one is given in place of the model's words, and which."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.crisis import CrisisVerdict, fresh_level
from models.profiles import Profile
from models.sentences import is_chinese
from safety.classifier import only_suspected
from safety.crisis_reply import (
    act_replies,
    carried_replies,
    corrected_replies,
    corrects_it,
    followed_up_replies,
    language_of,
    other_language_reply,
    puts_it_off,
    retracted_replies,
    says_it_plainly,
    secrecy_reply,
    takes_it_back,
    unsaid,
    unsure_replies,
    written_replies,
)
from safety.followed_up import follow_up
from safety.levels import RiskAssessment, RiskCategory, RiskLevel
from safety.means_questions import asks_for_means
from safety.reply_check import asks_for_secrecy

CALM_TURNS_WRITTEN = 2
"""Turns without any sign, after danger was imminent, that still get a written reply."""
_DONE_TO_A_BODY = frozenset(
    {
        RiskCategory.MEDICAL_EMERGENCY,
        RiskCategory.SELF_HARM,
        RiskCategory.SUBSTANCE,
        RiskCategory.EATING_DISORDER,
    }
)
"""Once one of these is imminent, no word takes it back."""


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

    No model is trusted with a request for secrecy: it would promise what this service does not keep. Where
    danger was spoken of and a plan, a time or a question for a number follows, no model is waited for either.

    Args:
        profile: The checkpoint that would answer.
        text: What the person wrote.
        locale: Language of the person's page.
        verdict: What the crisis layers found.
        earlier: Replies shown before, oldest first, so that no words come twice.
    """
    if asks_for_means(verdict.assessment.matches):
        return WrittenReply("means_asked", fitting_reply(text, locale, verdict, earlier))
    if verdict.unanswered or follow_up(verdict.assessment.matches) is not None:
        return WrittenReply("followed_up", fitting_reply(text, locale, verdict, earlier))
    if goes_on(text, verdict):
        return WrittenReply("goes_on", fitting_reply(text, locale, verdict, earlier))
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
    followed = follow_up(assessment.matches)
    if followed is not None and followed != "danger":
        return followed_up_replies(followed, assessment.category, language)
    if verdict.carried:
        return _carried_options(text, language, verdict)
    if takes_it_back(text) and suspected and earlier and not verdict.unanswered:
        return retracted_replies(language, assessment.level)
    if suspected:
        return unsure_replies(assessment.category, language, assessment.level)
    return written_replies(assessment.level, assessment.category, language, plainly=says_it_plainly(text))


def _carried_options(text: str, language: str, verdict: CrisisVerdict) -> list[str]:
    """Replies to a message that shows no danger itself."""
    assessment = verdict.assessment
    if corrects_it(text):
        return corrected_replies(language)
    if goes_on(text, verdict):
        return act_replies(language, put_off=puts_it_off(text))
    if takes_it_back(text):
        return retracted_replies(language, assessment.level)
    return carried_replies(language, assessment.category)


def goes_on(text: str, verdict: CrisisVerdict) -> bool:
    """Whether something was done to a body in this conversation that this message cannot have ended.

    It holds for the messages right after it, and later for those that take it back or put help off. Help that
    was called lowers the level, and then it holds no longer.
    """
    session = verdict.assessment.session
    if not verdict.carried or session.level is not RiskLevel.IMMINENT or corrects_it(text):
        return False
    recent = session.calm_turns <= CALM_TURNS_WRITTEN or takes_it_back(text) or puts_it_off(text)
    return session.category in _DONE_TO_A_BODY and recent


def calls_anew(text: str, verdict: CrisisVerdict) -> bool:
    """Whether the card is to open again although its lines were shown before: seconds may count now."""
    fresh = fresh_level(verdict.assessment)
    return verdict.unanswered or fresh is RiskLevel.IMMINENT or goes_on(text, verdict)


def _in_danger_now(assessment: RiskAssessment) -> bool:
    """Whether this message, or one just before it, asks for more care than a small model can give."""
    if any(match.layer != "session" and match.level >= RiskLevel.MODERATE for match in assessment.matches):
        return True
    session = assessment.session
    return session.level is RiskLevel.IMMINENT and session.calm_turns <= CALM_TURNS_WRITTEN


def _reads(profile: Profile, text: str) -> bool:
    """Only the script is looked at: it is what tells for certain that a model can't read a text."""
    return "zh" in profile.languages or not is_chinese(text)
