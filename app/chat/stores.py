"""What a turn reads from and writes to the database, in the words of a turn."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from app.chat.choice import Choice
from app.db.candidates import CandidateRepository
from app.db.facts import FactRepository
from app.db.messages import MessageRepository
from app.db.persons import PersonRepository
from app.db.records import Message, NewCandidate, NewReply, Person, Session
from app.db.sessions import SessionRepository
from models.chat_model import ChatMessage
from models.ecot_form import Form
from models.facts import ToldFact
from models.novelty import TacticHistory
from models.rerank import Explanation
from models.scorer import ReplyFeatures
from models.styles import Style
from models.tactics import Tactic
from safety.levels import RiskLevel
from safety.pieces import MOST_PIECES


class UnknownSessionError(Exception):
    """The session does not exist (any more)."""


@dataclass(frozen=True, slots=True)
class Past:
    """A conversation so far, rebuilt from SQL.

    Attributes:
        turns: Messages of the prompt, oldest first, ending with the person's new message.
        replies: Texts of the replies shown earlier, oldest first.
        tactics: Tactic counts of the same replies.
    """

    turns: list[ChatMessage]
    replies: list[str]
    tactics: TacticHistory


@dataclass(frozen=True, slots=True)
class Wishes:
    """How the person wants this conversation to be.

    Attributes:
        style: How they want to be answered.
        facts: What they told, oldest first; nothing where it is not to be remembered.
    """

    style: Style = Style.BALANCED
    facts: tuple[ToldFact, ...] = ()


NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True)
class TurnStores:
    """The repositories of a turn."""

    persons: PersonRepository
    sessions: SessionRepository
    messages: MessageRepository
    candidates: CandidateRepository
    facts: FactRepository

    async def owner_and_session(self, session_id: str) -> tuple[Person, Session]:
        """The session and its person.

        Raises:
            UnknownSessionError: When the session was deleted meanwhile.
        """
        session = await self.sessions.get(session_id)
        person = None if session is None else await self.persons.get(session.person_id)
        if session is None or person is None:
            raise UnknownSessionError(session_id)
        return person, session

    async def add_message(self, session: Session, text: str, client_key: str | None) -> Message:
        """Store the person's message."""
        return await self.messages.add_user(session.id, text, client_key)

    async def lately(self, session_id: str, before: Message | None = None) -> list[str]:
        """What the person wrote last, oldest first; with ``before``, what they had written before that."""
        messages = await self.messages.recent_history(session_id, 2 * MOST_PIECES + 2)
        return [
            message.text
            for message in messages
            if message.role == "user" and (before is None or message.seq < before.seq)
        ]

    async def past(self, session_id: str, limit: int) -> Past:
        """The last ``limit`` messages, and what the replies among them did.

        A reply that was stopped before any of it was shown leaves no trace in the prompt.
        """
        messages = await self.messages.recent_history(session_id, limit)
        turns = [
            ChatMessage("user" if message.role == "user" else "assistant", message.text)
            for message in messages
            if message.text
        ]
        replies = [message.text for message in messages if message.role == "assistant" and message.text]
        counts = await self.candidates.chosen_counts(session_id, limit)
        return Past(turns, replies, TacticHistory.from_rows(counts))

    async def wishes(self, session_id: str) -> Wishes:
        """Style and facts as they are now: both can be changed at any time."""
        session = await self.sessions.get(session_id)
        if session is None:
            raise UnknownSessionError(session_id)
        facts = await self.facts.of_session(session_id) if session.remember else []
        told = (ToldFact(fact.kind, fact.text, fact.level >= RiskLevel.LOW) for fact in facts)
        return Wishes(session.style, tuple(told))

    async def set_aside_reply(self, session_id: str, message: Message) -> None:
        """Take the reply to a message out of the conversation; its row stays."""
        reply = await self.messages.reply_of(message.id)
        if reply is not None:
            await self.messages.supersede_from(session_id, reply.id)

    async def save_reply(self, message: Message, choice: Choice | None, reply: NewReply) -> Message:
        """Store reply, candidates and scores, and mark the person's message answered; one transaction."""
        rows = [] if choice is None else _rows(choice)
        return await self.messages.reply_with_candidates(message.session_id, message.id, reply, rows)


def _rows(choice: Choice) -> list[NewCandidate]:
    """The candidates of a choice as rows."""
    rank = {index: place for place, index in enumerate(choice.ranking.order)}
    rows: list[NewCandidate] = []
    for index, (judged, why) in enumerate(zip(choice.judged, choice.ranking.explanations, strict=True)):
        sampled, features = judged.candidate, judged.features
        rows.append(
            NewCandidate(
                position=index,
                text=judged.text or sampled.text,
                chosen=index == choice.ranking.chosen,
                reasoning=sampled.reasoning,
                finish_reason=sampled.finish_reason,
                prompt_tokens=sampled.prompt_tokens,
                completion_tokens=sampled.completion_tokens,
                latency_s=sampled.latency_s,
                tactic_counts={} if features is None else {str(t): n for t, n in features.counts.items()},
                sentence_tactics=() if features is None else _names(features.sentence_tactics),
                quality=None if features is None else features.quality,
                novelty=None if features is None else why.divergence,
                similarity=None if features is None else features.similarity,
                score=None if features is None else why.total,
                rank=rank.get(index),
                penalties=judged.penalties,
                blocked=judged.blocked,
                explanation=_form(sampled.form) | ({} if features is None else _parts(why, features)),
            )
        )
    return rows


def _names(sentences: Sequence[frozenset[Tactic]]) -> tuple[tuple[str, ...], ...]:
    """Tactics of each sentence by name, in the order of the enum."""
    return tuple(tuple(str(t) for t in Tactic if t in tactics) for tactics in sentences)


def _form(form: Form | None) -> dict[str, float | str | None]:
    """What the format of the output was worth and what was done about it; nothing where it has none."""
    if form is None:
        return {}
    return {
        "format_reward": form.reward,
        "format_repairs": ", ".join(form.repairs) or None,
        "format_dropped": form.dropped,
        "attempt": form.attempt,
    }


def _parts(why: Explanation, features: ReplyFeatures) -> dict[str, float | str | None]:
    """The terms of the objective by name, the values of the checks, and the strategy where one was read."""
    terms: dict[str, float | str | None] = {
        "quality": why.quality,
        **why.terms,
        "excluded": why.excluded,
    }
    if features.strategy is not None:
        terms["strategy"] = features.strategy
    terms |= {f"check:{name}": round(value, 4) for name, value in asdict(features.failures).items()}
    return terms | {f"penalty:{name}": -points for name, points in why.penalties.items()}
