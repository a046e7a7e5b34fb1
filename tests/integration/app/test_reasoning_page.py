"""Reasoning is for reviewers who open a conversation, and for nobody else."""

import gradio as gr

from app.db.records import MessageStatus, NewCandidate, NewReply, ReplySource, StaffRole
from app.ui.review import Opened
from models.ecot_form import read_ecot
from tests.integration.app.test_staff_pages import House, asking, database_url, house

__all__ = ["database_url", "house"]
SECRET = "she has lost her work"
OUTPUT = (
    f"<thinking><situation>{SECRET}</situation><motivation>m</motivation><strategy>s</strategy></thinking>"
    "<answer>That is hard.</answer>"
)
REPLY = NewReply("That is hard.", MessageStatus.COMPLETE, ReplySource.MODEL, "a-model")


async def add_reply(house: House, session_id: str) -> None:
    message = await house.store.messages.add_user(session_id, "I was let go")
    rows = [
        NewCandidate(
            place, f"That is hard {place}.", chosen=place == 0, reasoning=read_ecot(OUTPUT).reasoning
        )
        for place in range(2)
    ]
    await house.store.messages.reply_with_candidates(session_id, message.id, REPLY, rows)


async def test_a_reviewer_sees_it_with_the_conversation_and_not_before(house: House) -> None:
    flag = await house.store.flags.get(await house.flag_id())
    assert flag is not None
    await add_reply(house, flag.session_id)
    request = asking(await house.token(StaffRole.ADMIN))
    before = await house.review.open_flag(flag.id, "", Opened(), request)
    assert SECRET not in repr(before)
    after = await house.review.reveal(before.opened, request)
    assert f"<dt>Situation</dt><dd>{SECRET}</dd>" in after.strip
    logged = [entry.action for entry in await house.store.audit.recent()]
    assert logged.count("transcript.opened") == 1


async def test_an_annotator_never_sees_it(house: House) -> None:
    willing = await house.store.person()
    await house.store.persons.update(willing.id, consent=True)
    session = await house.store.session(willing)
    await add_reply(house, session.id)
    request: gr.Request = asking(await house.token(StaffRole.ANNOTATOR))
    pages: list[str] = []
    for call in (house.annotate.begin, house.rank.rank_begin):
        skipped: list[str] = []
        while (answer := await call({"skipped": skipped}, request)).get("task") is not None:
            skipped.append(answer["task"]["id"])
            pages.append(repr(answer))
    assert sum("I was let go" in one for one in pages) == 2
    assert not any(SECRET in one for one in pages)
