"""The first step of a turn: is this person at risk, and which help do they see now?"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from app.chat.second_opinion import SecondOpinion
from app.db.records import Person, Session
from app.metrics import Metrics
from safety.helplines import HelplineCard
from safety.levels import RiskAssessment, RiskCategory, RiskLevel, SessionRisk
from safety.own_age import says_minor
from safety.reply_echo import echoed_danger
from safety.session_risk import with_finding

MOST_UNANSWERED = 8
"""Messages without a reply that are read again; what is older was read when it came."""


class Assessor(Protocol):
    """What the crisis desk needs of ``safety.risk.RiskAssessor``."""

    def assess(
        self, text: str, session: SessionRisk, *, country: str | None = None, lately: Sequence[str] = ()
    ) -> RiskAssessment:
        """Judge one message in its conversation; never raises."""
        ...


class CardSource(Protocol):
    """What the crisis desk needs of ``safety.helplines.HelplineDirectory``."""

    def card(
        self,
        country: str | None,
        level: RiskLevel,
        category: RiskCategory,
        locale: str,
        *,
        young: bool = False,
    ) -> HelplineCard:
        """The lines to show."""
        ...


class RiskStore(Protocol):
    """Where assessments, referrals and flags are kept; see ``app.db``."""

    async def record(
        self, session_id: str, message_id: str, assessment: RiskAssessment, card: HelplineCard | None
    ) -> bool:
        """Store everything in one transaction.

        Returns:
            Whether the same lines had been shown in this session before.
        """
        ...


@dataclass(frozen=True, slots=True)
class CrisisVerdict:
    """What the desk decided.

    Attributes:
        assessment: The verdict of all layers.
        card: Help to show now, or ``None`` below moderate.
        repeated: This help was shown before and nothing new was said that calls for it: it stays in reach,
            and is neither opened, announced nor counted again.
    """

    assessment: RiskAssessment
    card: HelplineCard | None
    repeated: bool
    carried: bool = False
    """Only earlier messages hold the level up; see :func:`is_carried`."""
    unanswered: bool = False
    """The gravest danger is in a message before this one that got no reply of its own."""


class CrisisDesk:
    """Assesses a message, picks the helpline card and stores the verdict, in this order."""

    def __init__(
        self,
        assessor: Assessor,
        helplines: CardSource,
        store: RiskStore,
        metrics: Metrics,
        default_country: str | None,
        second_opinion: SecondOpinion | None = None,
    ) -> None:
        self._assessor = assessor
        self._helplines = helplines
        self._store = store
        self._metrics = metrics
        self._default_country = default_country
        self._second_opinion = second_opinion

    async def look(
        self, text: str, person: Person, session: Session, lately: Sequence[str] = ()
    ) -> CrisisVerdict:
        """Assess ``text`` without storing anything; reads no database, so that nothing holds it up.

        Args:
            text: The message.
            person: Who wrote it.
            session: The conversation.
            lately: What they wrote right before, oldest first.
        """
        assessment, card = await self._read(text, session.risk, person.country, person.locale, lately)
        carried = is_carried(assessment, session.risk)
        return CrisisVerdict(assessment, card, repeated=carried, carried=carried)

    async def help_for(self, text: str, country: str | None, locale: str) -> HelplineCard | None:
        """Help for a message that is kept nowhere, or ``None`` when nothing in it calls for any."""
        return (await self._read(text, SessionRisk(), country, locale))[1]

    async def _read(
        self,
        text: str,
        risk: SessionRisk,
        country: str | None,
        locale: str,
        lately: Sequence[str] = (),
    ) -> tuple[RiskAssessment, HelplineCard | None]:
        """Assess a message and pick its card; layers that failed are counted."""
        where = country or self._default_country
        assessment = await asyncio.to_thread(self._assessor.assess, text, risk, country=where, lately=lately)
        for layer in assessment.failed_layers:
            self._metrics.layer_failures.labels(layer).inc()
        if assessment.level < RiskLevel.MODERATE:
            return assessment, None
        return assessment, self._card(assessment, country, locale, young=says_minor(text))

    def _card(
        self, assessment: RiskAssessment, country: str | None, locale: str, *, young: bool = False
    ) -> HelplineCard:
        """The help for what was found, in a person's country or the default one."""
        where = country or self._default_country
        return self._helplines.card(where, assessment.level, assessment.category, locale, young=young)

    async def sees_danger(self, text: str) -> bool:
        """Whether a message that no conversation holds yet shows danger, or could not be judged in full."""
        assessment = await asyncio.to_thread(self._assessor.assess, text, SessionRisk())
        return assessment.level >= RiskLevel.MODERATE or not assessment.is_in_full

    async def keep(self, message_id: str, seen: CrisisVerdict, session: Session) -> CrisisVerdict:
        """Store what was seen in a message that is stored now: verdict, session risk, flag and referral."""
        level = seen.assessment.level
        referred = None if seen.carried else seen.card
        repeated = await self._store.record(session.id, message_id, seen.assessment, referred)
        self._metrics.risk_levels.labels(level.label).inc()
        if referred is not None:
            self._metrics.referrals.labels(level.label).inc()
        return replace(seen, repeated=repeated or seen.carried)

    async def reconsider(self, text: str, person: Person, first: CrisisVerdict) -> CrisisVerdict:
        """Ask the judge, if there is one; it brings another card only if it finds a higher level.

        Meant to run beside the model's work, so that no card and no reply waits for it.
        """
        if self._second_opinion is None or first.assessment.level is RiskLevel.IMMINENT:
            return first
        assessment = await self._second_opinion.add(text, first.assessment)
        if assessment.level <= max(first.assessment.level, RiskLevel.LOW):
            return replace(first, assessment=assessment)
        return self._more_help(person, assessment)

    async def heed(
        self, text: str, replies: Sequence[str], person: Person, first: CrisisVerdict
    ) -> CrisisVerdict:
        """Take a danger seriously that no layer found and a sampled reply speaks of."""
        if first.assessment.level >= RiskLevel.MODERATE:
            return first
        found = await asyncio.to_thread(
            echoed_danger, replies, text, lambda sentence: self._assessor.assess(sentence, SessionRisk())
        )
        if found is None:
            return first
        return self._more_help(person, with_finding(first.assessment, found))

    async def in_view_of(
        self, seen: CrisisVerdict, before: Sequence[str], unanswered: Sequence[str], person: Person
    ) -> CrisisVerdict:
        """See a message at risk beside those before it.

        Args:
            seen: What was found in the message.
            before: What the person wrote in this conversation, this message included.
            unanswered: Messages right before it that got no reply, oldest first.
            person: Whose country and language the card is for.

        Returns:
            The verdict: about the gravest of the unanswered messages where this one shows less, and with the
            line for young people in front where the person said that they are under 18.
        """
        if seen.card is None:
            return seen
        grave = await asyncio.to_thread(self._gravest, unanswered)
        if grave is not None and grave.level > fresh_level(seen.assessment):
            level = max(grave.level, seen.assessment.level)
            assessment = replace(
                seen.assessment,
                level=level,
                category=grave.category,
                matches=(*grave.matches, *seen.assessment.matches),
            )
            seen = replace(seen, assessment=assessment, repeated=False, carried=False, unanswered=True)
        young = any(says_minor(text) for text in before)
        return replace(seen, card=self._card(seen.assessment, person.country, person.locale, young=young))

    def _gravest(self, texts: Sequence[str]) -> RiskAssessment | None:
        """The assessment of the most urgent of some messages that follow each other, if any is urgent."""
        risk, found = SessionRisk(), None
        for text in texts[-MOST_UNANSWERED:]:
            assessment = self._assessor.assess(text, risk)
            risk = assessment.session
            own = tuple(match for match in assessment.matches if match.layer != "session")
            if own and own[0].level >= RiskLevel.MODERATE and (found is None or own[0].level >= found.level):
                found = replace(assessment, level=own[0].level, category=own[0].category, matches=own)
        return found

    def _more_help(self, person: Person, assessment: RiskAssessment) -> CrisisVerdict:
        """Pick the card of an assessment that was raised after the first one."""
        card = self._card(assessment, person.country, person.locale)
        return CrisisVerdict(assessment, card, repeated=False)

    async def keep_opinion(
        self, message_id: str, found: CrisisVerdict, first: CrisisVerdict, session: Session
    ) -> CrisisVerdict:
        """Store what a second look changed, if anything."""
        if found.assessment.level <= max(first.assessment.level, RiskLevel.LOW):
            if found.assessment.session != first.assessment.session:
                await self._store.record(session.id, message_id, found.assessment, None)
            return found
        return await self.keep(message_id, found, session)


def fresh_level(assessment: RiskAssessment) -> RiskLevel:
    """The level that this message argues for by itself."""
    return max((m.level for m in assessment.matches if m.layer != "session"), default=RiskLevel.NONE)


def is_carried(assessment: RiskAssessment, before: SessionRisk) -> bool:
    """Whether only earlier messages hold the level up: this one neither showed nor added anything."""
    fresh = fresh_level(assessment)
    return fresh < RiskLevel.MODERATE and RiskLevel.MODERATE <= assessment.level <= before.level
