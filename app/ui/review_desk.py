"""What an admin does with flagged conversations, apart from how it looks; each step is audited."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.db.audit import AuditRepository, Detail
from app.db.audit_words import Action
from app.db.candidates import CandidateRepository
from app.db.errors import GoneError
from app.db.flags import FlagRepository
from app.db.messages import MessageRepository
from app.db.missed import MissedRepository
from app.db.records import (
    Flag,
    FlagOutcome,
    Message,
    NewCandidate,
    Referral,
    Staff,
    StaffRole,
    StoredAssessment,
)
from app.db.referrals import ReferralRepository
from app.db.review_records import MissedMessage
from app.db.risk import RiskRepository
from app.db.staff import StaffRepository
from safety.helplines import HelplineDirectory
from safety.levels import RiskCategory, RiskLevel


@dataclass(frozen=True, slots=True)
class Note:
    """A reviewer's note; ``author`` is ``None`` when the account is gone."""

    author: str | None
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Step:
    """Something that was done to a flag; ``by`` is ``None`` when the account is gone."""

    by: str | None
    at: datetime


@dataclass(frozen=True, slots=True)
class EarlierFlag:
    """A flag that the same conversation had before, with what was found then."""

    flag: Flag
    closed_by: str | None
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """What a reviewer knows of a flag before the conversation is opened: nothing that was said.

    Attributes:
        trigger: The verdict on the message that raised the flag.
        assignee: User name of who has it.
        missed: What reviewers marked as missed in this conversation.
        decided: When and by whom the outcome that is stored was set, if the audit log has it.
        reopened: The same of opening it again after that.
        admins: Id and user name of everybody it can be given to.
    """

    flag: Flag
    trigger: StoredAssessment | None
    assignee: str | None
    closed_by: str | None
    notes: tuple[Note, ...]
    earlier: tuple[EarlierFlag, ...]
    missed: tuple[MissedMessage, ...]
    admins: tuple[tuple[str, str], ...]
    decided: Step | None = None
    reopened: Step | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A flagged conversation with all that is needed to judge it.

    Attributes:
        messages: Every stored message, replaced and blocked ones too, oldest first.
        assessments: Risk verdicts, oldest first.
        referrals: Helplines that were shown, oldest first.
        chosen: The candidates behind the replies of the history, oldest first, with the number of each
            reply in the conversation.
        emergency: Emergency numbers that stood on a card as buttons, by id of the referral; none for a
            card without.
    """

    messages: tuple[Message, ...]
    assessments: tuple[StoredAssessment, ...]
    referrals: tuple[Referral, ...]
    chosen: tuple[tuple[int, NewCandidate], ...] = ()
    emergency: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class ReviewDesk:
    """The review page's actions; whoever calls them has passed the gate as an admin."""

    def __init__(
        self,
        flags: FlagRepository,
        messages: MessageRepository,
        risk: RiskRepository,
        referrals: ReferralRepository,
        staff: StaffRepository,
        audit: AuditRepository,
        candidates: CandidateRepository,
        missed: MissedRepository,
        helplines: HelplineDirectory,
    ) -> None:
        self._flags = flags
        self._messages = messages
        self._risk = risk
        self._referrals = referrals
        self._staff = staff
        self._audit = audit
        self._candidates = candidates
        self._missed = missed
        self._helplines = helplines

    async def brief(self, flag_id: str) -> Brief:
        """The facts of a flag, without anything that was said in the conversation.

        Raises:
            GoneError: The flag or its conversation does not exist (any more).
        """
        flag = await self._flag(flag_id)
        staff = await self._staff.list_all()
        names = {account.id: account.username for account in staff}
        before = [one for one in await self._flags.for_session(flag.session_id) if one.id != flag.id]
        verdicts = await self._risk.for_session(flag.session_id)
        notes = await self._flags.notes(flag.id, *(one.id for one in before))

        decided, reopened = await self._steps(flag, names)

        def of(flag_id: str) -> tuple[Note, ...]:
            mine = (note for note in notes if note.flag_id == flag_id)
            return tuple(Note(names.get(note.author_id or ""), note.text, note.created_at) for note in mine)

        return Brief(
            flag=flag,
            trigger=next((one for one in reversed(verdicts) if one.message_id == flag.message_id), None),
            assignee=names.get(flag.assigned_to or ""),
            closed_by=names.get(flag.closed_by or ""),
            notes=of(flag.id),
            earlier=tuple(EarlierFlag(one, names.get(one.closed_by or ""), of(one.id)) for one in before),
            missed=tuple(await self._missed.for_session(flag.session_id)),
            admins=tuple((one.id, one.username) for one in staff if _may_review(one)),
            decided=decided,
            reopened=reopened,
        )

    async def open(self, admin: Staff, flag: Flag) -> Transcript:
        """Read a flagged conversation; the audit log knows of it before the reader does."""
        await self._audit.record(admin.id, "transcript.opened", "session", flag.session_id, {"flag": flag.id})
        return await self.transcript(flag)

    async def transcript(self, flag: Flag) -> Transcript:
        """The conversation anew for who has opened it, without a second line in the audit log."""
        referrals = await self._referrals.for_session(flag.session_id)
        messages = tuple(await self._messages.full_log(flag.session_id))
        numbers = {message.id: message.seq for message in messages}
        chosen = await self._candidates.chosen(flag.session_id)
        return Transcript(
            messages=messages,
            assessments=tuple(await self._risk.for_session(flag.session_id)),
            referrals=tuple(referrals),
            chosen=tuple(
                (numbers[one.reply_message_id], one.candidate)
                for one in chosen
                if one.reply_message_id in numbers
            ),
            emergency={one.id: self._emergency(one) for one in referrals},
        )

    async def note(self, admin: Staff, flag_id: str, text: str) -> None:
        """Add a note for the next reviewer.

        Raises:
            GoneError: The flag does not exist (any more).
        """
        await self._flags.add_note(flag_id, admin.id, text)
        await self._audit.record(admin.id, "flag.commented", "flag", flag_id)

    async def assign(self, admin: Staff, flag_id: str, to: str | None, version: int) -> Flag:
        """Give a flag to an admin, or to nobody.

        Raises:
            ConflictError: Somebody else changed the flag meanwhile.
            GoneError: The flag or the account does not exist (any more), or may not review.
        """
        if to is not None:
            account = await self._staff.get(to)
            if account is None or not _may_review(account):
                raise GoneError("there is no such admin")
        flag = await self._flags.assign(flag_id, to, version)
        await self._audit.record(admin.id, "flag.assigned", "flag", flag_id, {"to": to})
        return flag

    async def decide(self, admin: Staff, flag_id: str, outcome: FlagOutcome, version: int) -> Flag:
        """Set the outcome.

        Args:
            admin: Who decides.
            flag_id: Of the flag.
            outcome: What the reviewer found.
            version: Of the flag as the reviewer saw it.

        Raises:
            ConflictError: Somebody else changed the flag meanwhile.
            GoneError: The flag does not exist (any more).
        """
        flag = await self._flags.set_outcome(flag_id, outcome, admin.id, version)
        await self._audit.record(admin.id, "flag.decided", "flag", flag_id, {"outcome": outcome.value})
        return flag

    async def reopen(self, admin: Staff, flag_id: str, version: int) -> Flag:
        """Open a closed flag again.

        Raises:
            ConflictError: Somebody else changed the flag, or the conversation has a newer open one.
            GoneError: The flag does not exist (any more).
        """
        flag = await self._flags.reopen(flag_id, version)
        await self._audit.record(admin.id, "flag.reopened", "flag", flag_id)
        return flag

    async def mark_missed(
        self, admin: Staff, flag: Flag, message_id: str, level: RiskLevel, category: RiskCategory
    ) -> Flag:
        """Mark a message of the conversation as missed; returns the open flag of the conversation.

        Raises:
            GoneError: There is no such message of the person (any more).
            NotMissedError: Its own verdict says as much already, or more.
        """
        raised = await self._missed.mark(message_id, flag.session_id, level, category, admin.id)
        detail: Detail = {"flag": raised.id, "level": level.label, "category": category.value}
        await self._audit.record(admin.id, "message.missed", "message", message_id, detail)
        return raised

    def _emergency(self, shown: Referral) -> tuple[str, ...]:
        """The emergency buttons of a card: they follow from its country, level and category."""
        return self._helplines.card(shown.country, shown.level, shown.category).emergency

    async def _steps(self, flag: Flag, names: Mapping[str, str]) -> tuple[Step | None, Step | None]:
        """Who set the outcome of a flag that waits again, and who reopened it since."""
        if not flag.waits_again:
            return None, None
        lines = await self._audit.recent(object_type="flag", object_id=flag.id)

        def last(action: Action) -> Step | None:
            found = next((line for line in lines if line.action == action), None)
            return None if found is None else Step(names.get(found.actor), found.at)

        decided, reopened = last("flag.decided"), last("flag.reopened")
        if decided is not None and reopened is not None and reopened.at < decided.at:
            reopened = None
        return decided, reopened

    async def _flag(self, flag_id: str) -> Flag:
        flag = await self._flags.get(flag_id)
        if flag is None:
            raise GoneError("the flag does not exist")
        return flag


def _may_review(account: Staff) -> bool:
    return account.role is StaffRole.ADMIN and account.disabled_at is None
