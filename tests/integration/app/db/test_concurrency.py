"""Many callers at once: nothing is lost, mixed up, or stored twice."""

import asyncio

from app.db.errors import ConflictError, GoneError
from app.db.records import FlagOutcome, MessageStatus, StaffRole
from safety.levels import RiskCategory, RiskLevel
from tests.integration.app.db.store import SHOWN, Store

MANY = 20


async def test_sessions_made_at_once_have_ids_of_their_own(store: Store) -> None:
    sessions = await asyncio.gather(*(store.session() for _ in range(MANY)))
    assert len({session.id for session in sessions}) == MANY


async def test_every_message_is_stored_once_under_its_own_session(store: Store) -> None:
    sessions = await asyncio.gather(*(store.session() for _ in range(MANY)))
    await asyncio.gather(
        *(
            store.messages.add_user(session.id, f"{session.id} {number}")
            for number in range(3)
            for session in sessions
        )
    )
    for session in sessions:
        texts = [message.text for message in await store.messages.history(session.id)]
        assert sorted(texts) == [f"{session.id} {number}" for number in range(3)]


async def test_messages_of_one_session_sent_at_once_are_numbered_without_gaps(store: Store) -> None:
    session = await store.session()
    await asyncio.gather(*(store.messages.add_user(session.id, str(n)) for n in range(MANY)))
    history = await store.messages.history(session.id)
    assert [message.seq for message in history] == list(range(1, MANY + 1))
    assert {message.text for message in history} == {str(n) for n in range(MANY)}


async def test_one_sending_reported_many_times_at_once_is_one_message(store: Store) -> None:
    session = await store.session()
    sent = await asyncio.gather(*(store.messages.add_user(session.id, "hello", "key") for _ in range(MANY)))
    assert len({message.id for message in sent}) == 1
    assert len(await store.messages.history(session.id)) == 1


async def test_of_many_who_want_to_answer_one_message_one_may(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    claims = await asyncio.gather(*(store.messages.begin_answering(message.id) for _ in range(MANY)))
    assert sorted(claims) == [False] * (MANY - 1) + [True]


async def test_of_many_replies_to_one_message_one_is_stored(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    outcomes = await asyncio.gather(*(store.reply(message, {}) for _ in range(MANY)), return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, ConflictError)]
    assert len(refused) == MANY - 1
    assert len(await store.contents("candidates")) == 1


async def test_alarms_at_once_open_one_flag_at_the_highest_level(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    levels = [RiskLevel.MODERATE, RiskLevel.IMMINENT] * (MANY // 2)
    await asyncio.gather(
        *(store.flags.raise_flag(session.id, message.id, level, RiskCategory.SUICIDE) for level in levels)
    )
    [flag] = await store.flags.list_open()
    assert (flag.level, flag.hits) == (RiskLevel.IMMINENT, MANY)


async def test_raters_at_once_each_keep_their_own_rating(store: Store) -> None:
    _, reply = await store.turn(await store.session(), "hello")
    await asyncio.gather(
        *(store.feedback.set_rating(reply.id, f"staff:{n}", 1 if n % 2 else -1) for n in range(MANY))
    )
    for n in range(MANY):
        rating = await store.feedback.get(reply.id, f"staff:{n}")
        assert rating is not None
        assert rating.value == (1 if n % 2 else -1)


async def test_one_click_reported_many_times_at_once_is_one_change(store: Store) -> None:
    _, reply = await store.turn(await store.session(), "hello")
    await asyncio.gather(*(store.feedback.set_rating(reply.id, "person:me", 1) for _ in range(MANY)))
    assert len(await store.contents("feedback")) == 1
    assert len(await store.feedback.changes(reply.id, "person:me")) == 1


async def test_of_reviewers_who_decide_at_once_one_wins_and_the_others_are_told(store: Store) -> None:
    session = await store.session()
    message = await store.messages.add_user(session.id, "hello")
    flag = await store.flags.raise_flag(session.id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    staff = await store.staff.create("ada", None, StaffRole.ADMIN)
    outcomes = [FlagOutcome.TRUE_ALARM, FlagOutcome.FALSE_ALARM, FlagOutcome.ESCALATED]
    results = await asyncio.gather(
        *(store.flags.set_outcome(flag.id, outcome, staff.id, flag.version) for outcome in outcomes),
        return_exceptions=True,
    )
    assert len([result for result in results if isinstance(result, ConflictError)]) == 2
    [closed] = await store.flags.list_closed()
    assert closed in results


async def test_one_person_made_many_times_at_once_is_one(store: Store) -> None:
    person_id = "00000000-0000-4000-8000-000000000000"
    persons = await asyncio.gather(*(store.persons.ensure(person_id, locale="en") for _ in range(MANY)))
    assert persons == [persons[0]] * MANY


async def test_failed_sign_ins_at_once_are_all_counted(store: Store) -> None:
    from datetime import timedelta

    staff = await store.staff.create("ada", None, StaffRole.ADMIN)
    await asyncio.gather(
        *(
            store.staff.login_failed(staff.id, limit=MANY + 1, lock_for=timedelta(minutes=1))
            for _ in range(MANY)
        )
    )
    counted = await store.staff.get(staff.id)
    assert counted is not None
    assert counted.failed_logins == MANY


async def test_deleting_everything_in_the_midst_of_turns_leaves_nothing(store: Store) -> None:
    person = await store.person()
    sessions = [await store.full_life(person) for _ in range(4)]

    async def talk(session_id: str) -> None:
        message = await store.messages.add_user(session_id, "hello")
        await store.flags.raise_flag(session_id, message.id, RiskLevel.IMMINENT, RiskCategory.SUICIDE)
        reply = await store.messages.reply_with_candidates(session_id, message.id, SHOWN, [])
        await store.feedback.set_rating(reply.id, f"person:{person.id}", 1)
        await store.messages.set_status(message.id, MessageStatus.FAILED, "x")

    outcomes = await asyncio.gather(
        *(talk(session.id) for session in sessions),
        store.persons.delete_everything(person.id),
        *(talk(session.id) for session in sessions),
        return_exceptions=True,
    )
    assert {type(outcome) for outcome in outcomes} <= {type(None), dict, GoneError}
    left = await store.rows(without=frozenset({"staff", "staff_sessions", "audit_log", "referral_counts"}))
    assert set(left.values()) == {0}
