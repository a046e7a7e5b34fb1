"""Made-up conversations for the pictures of staff pages; the layers' verdicts on them are real."""

from datetime import timedelta

from app.db.crisis import CrisisRecorder
from app.db.records import MessageStatus, NewReply, ReplySource, Session
from safety.helplines import load_directory
from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import load_assessor
from tests.browser.staff_site import add_accounts
from tests.integration.app.db.store import Store

NIGHT = (
    (
        "I came home and just sat in the dark for an hour.",
        "That sounds heavy, and I am glad that you wrote it down. What has been the hardest part of today?",
    ),
    (
        "My sister moved away. We used to talk every evening.",
        "So the quiet came when she left. It makes sense that the evenings feel longest now.",
    ),
    (
        "I don't want to be here anymore. I have thought about how I would do it.",
        "I'm really glad you told me this. You don't have to carry it alone: the people on the lines above "
        "can talk with you right now. Is there someone who could be near you tonight?",
    ),
)
DIET = (
    (
        "I haven't eaten since Tuesday and threw up what I had.",
        "Thank you for telling me. How are you now?",
    ),
)
CAT = (
    (
        "I have been tidying up all week. It feels good to have everything in order.",
        "There is something calming about a tidy room. What made you begin?",
    ),
    (
        "My neighbour has taken my cat. She will be fine there.",
        "It sounds as if you made sure that she is in good hands.",
    ),
)
EXAMS = (
    (
        "The exams begin on Monday and I can't sleep.",
        "Nights before something big can be long. What goes through your mind when you lie awake?",
    ),
    (
        "That I will let my parents down.",
        "You carry their hopes beside your own. What would they say if they knew how hard you try?",
    ),
)


async def a_night_on_duty(store: Store) -> None:
    """Flags by rules and one by hand, of different age and owner."""
    await add_accounts(store)
    end = store.clock()
    store.clock.advance(hours=-5)
    await _talk(store, DIET)
    store.clock.advance(hours=3)
    await _flagged_by_hand(store)
    store.clock.time = end - timedelta(minutes=12)
    night = await _talk(store, NIGHT)
    admin = await store.staff.by_username("admin")
    flag = await store.flags.open_for(night.id)
    assert admin is not None
    assert flag is not None
    await store.flags.assign(flag.id, admin.id, flag.version)
    store.clock.time = end


async def a_missed_danger(store: Store) -> None:
    """A conversation with consent whose replies wait to be rated, and in which the layers saw nothing."""
    await add_accounts(store)
    store.clock.advance(hours=-1)
    person = await store.person()
    await store.persons.update(person.id, consent=True)
    await _talk(store, CAT, await store.session(person))


async def ratings_of_two(store: Store) -> None:
    """Replies with consent that two people rated, mostly alike."""
    await add_accounts(store)
    store.clock.advance(hours=-1)
    for talk in (EXAMS, CAT, EXAMS[:1], CAT[:1]):
        person = await store.person()
        await store.persons.update(person.id, consent=True)
        await _talk(store, talk, await store.session(person))
    replies = [row for row in await store.contents("messages") if row["role"] == "assistant"]
    for number, reply in enumerate(replies):
        for rater in ("staff:one", "staff:two"):
            disagrees = rater == "staff:two" and number % 3 == 1
            value = -1 if disagrees else 1
            await store.feedback.set_rating(reply["id"], rater, value, ["generic"] if disagrees else [])
            scores = {"support.fluency_comfort": 4 - disagrees, "empathy.validating_emotions": 3 + number % 3}
            await store.scores.set_scores(reply["id"], rater, scores)


async def _talk(store: Store, talk: tuple[tuple[str, str], ...], session: Session | None = None) -> Session:
    """A conversation in which the crisis layers read every message."""
    session = session or await store.session()
    assessor, helplines = load_assessor(), load_directory(None)
    recorder, risk = CrisisRecorder(store.factory, store.clock), SessionRisk()
    for text, reply in talk:
        message = await store.messages.add_user(session.id, text)
        verdict = assessor.assess(text, risk)
        risk = verdict.session
        helped = verdict.level >= RiskLevel.MODERATE
        card = helplines.card("US", verdict.level, verdict.category, "en") if helped else None
        await recorder.record(session.id, message.id, verdict, card)
        store.clock.advance(minutes=1)
        shown = NewReply(reply, MessageStatus.COMPLETE, ReplySource.MODEL, "a-model")
        await store.reply(message, {"validation": 1, "questioning": 1}, {"advice": 1}, reply=shown)
        store.clock.advance(minutes=2)
    return session


async def _flagged_by_hand(store: Store) -> None:
    session = await _talk(store, CAT)
    annotator = await store.staff.by_username("annotator")
    assert annotator is not None
    last = (await store.messages.history(session.id))[-2]
    await store.missed.mark(
        last.id,
        session.id,
        RiskLevel.MODERATE,
        RiskCategory.SUICIDE,
        annotator.id,
        "Everything in order and the cat given away: this reads like a farewell.",
    )
