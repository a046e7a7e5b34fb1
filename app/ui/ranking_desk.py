"""What an annotator does when ranking candidates; each step is audited, and nothing tells which was shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from app.db.annotatable import FINISHED
from app.db.annotation import AnnotationRepository, Progress
from app.db.annotation_queue import same_words
from app.db.audit import AuditRepository, Detail
from app.db.candidates import CandidateRepository
from app.db.errors import GoneError
from app.db.messages import MessageRepository
from app.db.rankings import RankingRepository
from app.db.records import Message, Staff, StoredCandidate
from app.ui.annotation_desk import CONTEXT_MESSAGES, rater_of


@dataclass(frozen=True, slots=True)
class RankingTask:
    """One turn to rank.

    Attributes:
        reply: The reply that was shown; never part of what the annotator sees as such.
        context: The messages before it, oldest first.
        candidates: In an order drawn for this annotator and turn.
        places: This annotator's present ranking, if any.
    """

    reply: Message
    context: tuple[Message, ...]
    candidates: tuple[StoredCandidate, ...]
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RankingStore:
    """The repositories that the desk works with."""

    queue: AnnotationRepository
    messages: MessageRepository
    candidates: CandidateRepository
    rankings: RankingRepository
    audit: AuditRepository


class MissingPlacesError(ValueError):
    """Some candidates have no place; ``places`` says which of those on the screen, from 0."""

    def __init__(self, places: tuple[int, ...]) -> None:
        super().__init__("a ranking names every candidate")
        self.places = places


class RankingDesk:
    """The page's ranking actions; whoever calls them has passed the gate as an annotator."""

    def __init__(self, store: RankingStore) -> None:
        self._store = store

    async def next(self, staff: Staff, skipped: Sequence[str] = ()) -> RankingTask | None:
        """The next turn for this annotator, or ``None`` when there is none."""
        reply = await self._store.queue.next_turn(rater_of(staff), skipped)
        return None if reply is None else await self._task(staff, reply)

    async def again(self, staff: Staff, reply_id: str) -> RankingTask:
        """A turn that this annotator has had before, by its shown reply.

        Raises:
            GoneError: It may not be ranked (any more).
        """
        return await self._task(staff, await self._reply(reply_id))

    async def save(self, staff: Staff, reply_id: str, given: Mapping[str, int]) -> None:
        """Store a ranking.

        Args:
            staff: Who ranks.
            reply_id: The reply shown in the turn.
            given: A number for every candidate; smaller is better, gaps don't matter.

        Raises:
            GoneError: The turn may not be ranked (any more).
            MissingPlacesError: Candidates have no number.
            ValueError: There is a candidate of another turn.
        """
        reply = await self._reply(reply_id)
        candidates = await self._candidates(staff, reply)
        if missing := tuple(place for place, one in enumerate(candidates) if one.id not in given):
            raise MissingPlacesError(missing)
        if len(given) != len(candidates):
            raise ValueError("a ranking names no other candidates")
        places = {one: 1 + sum(other < number for other in given.values()) for one, number in given.items()}
        await self._store.rankings.set_ranking(_turn(reply), rater_of(staff), places)
        detail: Detail = {"candidates": len(places)}
        await self._store.audit.record(staff.id, "turn.ranked", "message", _turn(reply), detail)

    async def take_back(self, staff: Staff, reply_id: str) -> tuple[RankingTask, Mapping[str, int]]:
        """Take back this annotator's ranking; the history keeps it.

        Returns:
            The turn, unranked, and the places that were given, to begin from.

        Raises:
            GoneError: The turn may not be ranked (any more).
        """
        reply = await self._reply(reply_id)
        before = await self._store.rankings.get(_turn(reply), rater_of(staff))
        await self._store.rankings.set_ranking(_turn(reply), rater_of(staff), {})
        taken_back: Detail = {"candidates": 0}
        await self._store.audit.record(staff.id, "turn.ranked", "message", _turn(reply), taken_back)
        return await self._task(staff, reply), {} if before is None else before.places

    async def skip(self, staff: Staff, reply_id: str) -> None:
        """Leave a turn to others for now."""
        await self._store.queue.release(reply_id, rater_of(staff))

    async def progress(self, staff: Staff) -> Progress:
        """How far this annotator has come."""
        return await self._store.queue.ranking_progress(rater_of(staff))

    async def _reply(self, reply_id: str) -> Message:
        reply = await self._store.messages.get(reply_id)
        if reply is None or reply.reply_to is None or not await self._store.queue.may_rate(reply_id):
            raise GoneError("the turn may not be ranked")
        return reply

    async def _candidates(self, staff: Staff, reply: Message) -> tuple[StoredCandidate, ...]:
        stored = await self._store.candidates.for_message(_turn(reply))
        return in_blind_order(different(stored), rater_of(staff))

    async def _task(self, staff: Staff, reply: Message) -> RankingTask:
        candidates = await self._candidates(staff, reply)
        if len(candidates) < 2:
            raise GoneError("there is nothing to compare")
        await self._store.audit.record(staff.id, "turn.opened", "message", _turn(reply))
        history = await self._store.messages.history(reply.session_id)
        before = tuple(message for message in history if message.seq < reply.seq)[-CONTEXT_MESSAGES:]
        ranking = await self._store.rankings.get(_turn(reply), rater_of(staff))
        return RankingTask(reply, before, candidates, {} if ranking is None else ranking.places)


def different(stored: Sequence[StoredCandidate]) -> list[StoredCandidate]:
    """Whole candidates that were not refused, each text once; of equal ones the one that was shown."""
    found: dict[str, StoredCandidate] = {}
    for one in stored:
        words = same_words(one.candidate.text)
        if one.candidate.blocked is not None or one.candidate.finish_reason != FINISHED or not words:
            continue
        if words not in found or one.candidate.chosen:
            found[words] = one
    return list(found.values())


def in_blind_order(candidates: Sequence[StoredCandidate], rater: str) -> tuple[StoredCandidate, ...]:
    """An order that is drawn by rater and turn, and the same at every look."""

    def lot(one: StoredCandidate) -> bytes:
        return sha256(f"{rater}|{one.user_message_id}|{one.id}".encode()).digest()

    return tuple(sorted(candidates, key=lot))


def _turn(reply: Message) -> str:
    """The message that the reply answers; :meth:`RankingDesk._reply` has made sure there is one."""
    return reply.reply_to or ""
