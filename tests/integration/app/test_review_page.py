"""The review page handler by handler: what is shown, what is logged, what two reviewers can't lose."""

from typing import Any

import gradio as gr
import pytest

from app.db.records import Flag, FlagOutcome, FlagStatus, StaffRole
from app.ui.review import NOBODY, Opened, ReviewView
from safety.levels import RiskCategory, RiskLevel
from tests.browser.staff_site import CRISIS
from tests.integration.app.db.store import an_assessment
from tests.integration.app.test_staff_pages import House, asking, database_url, house

__all__ = ["database_url", "house"]
CHANGED = "⚠ Somebody else has changed this meanwhile. It is shown anew; please decide again."


@pytest.fixture
async def request_of_admin(house: House) -> gr.Request:
    return asking(await house.token(StaffRole.ADMIN))


async def chosen(house: House, request: gr.Request) -> ReviewView:
    return await house.review.open_flag(await house.flag_id(), "", Opened(), request)


async def the_flag(house: House, opened: Opened) -> Flag:
    flag = await house.store.flags.get(opened.flag_id or "")
    assert flag is not None
    return flag


async def actions(house: House) -> list[str]:
    return [entry.action for entry in await house.store.audit.recent()]


async def test_choosing_a_flag_shows_its_facts_and_nothing_that_was_said(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    assert "imminent" in view.facts
    assert "rules (en.plan)" in view.facts
    assert "any more" not in repr(view)
    assert "transcript.opened" not in await actions(house)


async def test_opening_the_conversation_is_in_the_audit_log_without_its_text(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    view = await house.review.reveal(view.opened, request_of_admin)
    assert "&lt;b&gt;tonight&lt;/b&gt;" in view.log
    assert (await actions(house)).count("transcript.opened") == 1
    assert CRISIS not in repr(await house.store.audit.recent())


async def test_what_the_layers_found_is_marked_in_the_text_with_layer_and_rule(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await house.review.reveal((await chosen(house, request_of_admin)).opened, request_of_admin)
    # Characters 3 to 9 of "I can't do this …".
    assert "I c<mark>an&#x27;t d</mark>o this" in view.log
    assert "<ul class='hk-found'><li>“an&#x27;t d”: found by rules: en.plan</li></ul>" in view.log


async def test_emotions_come_with_the_conversation_and_not_before(
    house: House, request_of_admin: gr.Request
) -> None:
    flag = await house.store.flags.get(await house.flag_id())
    assert flag is not None
    calm = await house.store.messages.add_user(flag.session_id, "I miss her")
    assert await house.store.messages.set_emotions(calm.id, {"grief": 0.7})
    assert await house.store.messages.set_emotions(flag.message_id, {"approval": 0.9})
    facts = await chosen(house, request_of_admin)
    assert "grief" not in repr(facts)
    view = await house.review.reveal(facts.opened, request_of_admin)
    assert "most of all: grief." in view.emotions
    assert "<td>grief 70%</td>" in view.emotions
    assert "approval" not in view.emotions


async def test_a_message_that_a_reviewer_marked_as_missed_has_no_reading_of_emotions(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    flag = await the_flag(house, view.opened)
    message = await house.store.messages.add_user(flag.session_id, "I packed the rope")
    assert await house.store.messages.set_emotions(message.id, {"approval": 0.9})
    view = await house.review.reveal(view.opened, request_of_admin)
    assert "approval" in view.emotions
    view = await house.review.mark_missed(message.id, "imminent", "suicide", view.opened, request_of_admin)
    assert "approval" not in view.emotions


async def test_one_number_names_a_message_everywhere_and_leads_to_it(
    house: House, request_of_admin: gr.Request
) -> None:
    opened = (await chosen(house, request_of_admin)).opened
    session = await house.store.sessions.get((await the_flag(house, opened)).session_id)
    assert session is not None
    message, reply = await house.store.turn(session, "and again", {"advice": 1})
    await house.store.risk.add(message.id, session.id, an_assessment(RiskLevel.LOW))
    view = await house.review.reveal(opened, request_of_admin)
    assert (message.seq, reply.seq) == (3, 4)
    assert [place in view.log for place in ("id='hk-message-3'", "id='hk-message-4'")] == [True, True]
    assert "<th scope='row'><a href='#hk-message-3'>#3</a></th><td>low" in view.risk
    assert "<th scope='col'><a href='#hk-message-4'>#4</a></th>" in view.strip


async def test_a_reopened_flag_is_not_settled(house: House, request_of_admin: gr.Request) -> None:
    view = await chosen(house, request_of_admin)
    view = await house.review.save_outcome("true_alarm", "", view.opened, request_of_admin)
    closed_at = house.store.clock.time
    house.store.clock.advance(minutes=5)
    view = await house.review.reopen(view.opened, request_of_admin)
    assert view.outcome["value"] is None
    assert "<dt>Outcome</dt><dd>none yet</dd>" in view.facts
    reopened, before = view.facts.split("<dt>Reopened by</dt><dd>")[1].split("<dt>Earlier outcome</dt><dd>")
    assert reopened.startswith(f"admin · <time datetime='{house.store.clock.time.isoformat()}'>")
    assert before.startswith(f"Real crisis · admin · <time datetime='{closed_at.isoformat()}'>")


async def test_an_alarm_after_a_follow_up_leaves_nothing_chosen(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    view = await house.review.save_outcome("needs_follow_up", "", view.opened, request_of_admin)
    assert view.outcome["value"] == "needs_follow_up"
    flag = await the_flag(house, view.opened)
    await house.store.flags.raise_flag(flag.session_id, flag.message_id, flag.level, flag.category)
    view = await chosen(house, request_of_admin)
    assert view.outcome["value"] is None
    assert "<dt>Outcome</dt><dd>none yet</dd>" in view.facts
    assert "<dt>Earlier outcome</dt><dd>Needs follow-up (stays open) · admin" in view.facts
    assert "Reopened by" not in view.facts


async def test_the_course_of_risk_and_the_help_shown_come_with_the_conversation(
    house: House, request_of_admin: gr.Request
) -> None:
    flag = await house.store.flags.get(await house.flag_id())
    assert flag is not None
    await house.store.referrals.add(
        flag.session_id, flag.message_id, "NZ", RiskLevel.IMMINENT, RiskCategory.SUICIDE, ["1737", "Lifeline"]
    )
    view = await house.review.reveal((await chosen(house, request_of_admin)).opened, request_of_admin)
    assert "aria-label='Risk over 1 messages: from imminent to imminent, at most imminent.'" in view.risk
    assert "country: NZ" in view.shown
    assert "emergency call 111 · 1737 · Lifeline" in view.shown


async def test_a_card_without_emergency_numbers_is_not_said_to_have_shown_any(
    house: House, request_of_admin: gr.Request
) -> None:
    flag = await house.store.flags.get(await house.flag_id())
    assert flag is not None
    await house.store.referrals.add(
        flag.session_id, flag.message_id, "NZ", RiskLevel.MODERATE, RiskCategory.EATING_DISORDER, ["1737"]
    )
    view = await house.review.reveal((await chosen(house, request_of_admin)).opened, request_of_admin)
    assert "1737" in view.shown
    assert "emergency call" not in view.shown


async def test_a_flag_is_taken_by_who_asks_and_given_back(house: House, request_of_admin: gr.Request) -> None:
    view = await house.review.take((await chosen(house, request_of_admin)).opened, request_of_admin)
    admin = await house.store.staff.by_username("admin")
    assert admin is not None
    assert (await the_flag(house, view.opened)).assigned_to == admin.id
    view = await house.review.assign(NOBODY, view.opened, request_of_admin)
    assert (await the_flag(house, view.opened)).assigned_to is None
    assert (await actions(house)).count("flag.assigned") == 2


async def test_a_flag_is_given_to_admins_only(house: House, request_of_admin: gr.Request) -> None:
    annotator = await house.store.staff.by_username("annotator")
    assert annotator is not None
    opened = (await chosen(house, request_of_admin)).opened
    await house.review.assign(annotator.id, opened, request_of_admin)
    assert (await the_flag(house, opened)).assigned_to is None


async def test_a_note_is_stored_with_its_author_and_shown_to_the_next_reviewer(
    house: House, request_of_admin: gr.Request
) -> None:
    opened = (await chosen(house, request_of_admin)).opened
    await house.review.save_note("Called the duty line.", opened, request_of_admin)
    view = await chosen(house, request_of_admin)
    assert "admin" in view.notes
    assert "Called the duty line." in view.notes


async def test_an_unsaved_note_waits_where_it_was_written(house: House, request_of_admin: gr.Request) -> None:
    first = await chosen(house, request_of_admin)
    session = await house.store.session()
    message = await house.store.messages.add_user(session.id, "hello")
    other = await house.store.flags.raise_flag(session.id, message.id, RiskLevel.MODERATE, RiskCategory.ABUSE)
    away = await house.review.open_flag(other.id, "half a sen", first.opened, request_of_admin)
    assert away.note == ""
    back = await house.review.open_flag(first.opened.flag_id, "", away.opened, request_of_admin)
    assert back.note == "half a sen"


async def test_an_outcome_is_not_saved_over_an_unsaved_note(
    house: House, request_of_admin: gr.Request
) -> None:
    opened = (await chosen(house, request_of_admin)).opened
    view = await house.review.save_outcome("escalated", "not saved yet", opened, request_of_admin)
    assert view.notice.startswith("⚠ Your note is not saved yet.")
    assert (await the_flag(house, opened)).outcome is None


async def test_an_outcome_closes_the_flag_under_the_name_of_the_admin(
    house: House, request_of_admin: gr.Request
) -> None:
    opened = (await chosen(house, request_of_admin)).opened
    view = await house.review.save_outcome("escalated", "", opened, request_of_admin)
    flag, admin = await the_flag(house, opened), await house.store.staff.by_username("admin")
    assert admin is not None
    assert (flag.status, flag.outcome, flag.closed_by) == (FlagStatus.CLOSED, FlagOutcome.ESCALATED, admin.id)
    assert view.reopen["visible"]
    assert not view.decide["visible"]


async def test_a_closed_flag_is_given_to_nobody_else(house: House, request_of_admin: gr.Request) -> None:
    view = await chosen(house, request_of_admin)
    assert view.hold["visible"]
    view = await house.review.take(view.opened, request_of_admin)
    view = await house.review.save_outcome("true_alarm", "", view.opened, request_of_admin)
    assert not view.hold["visible"]
    view = await house.review.assign(NOBODY, view.opened, request_of_admin)
    admin = await house.store.staff.by_username("admin")
    assert admin is not None
    assert (view.notice, (await the_flag(house, view.opened)).assigned_to) == (CHANGED, admin.id)
    view = await house.review.reopen(view.opened, request_of_admin)
    assert view.hold["visible"]


async def test_a_closed_flag_can_be_opened_again(house: House, request_of_admin: gr.Request) -> None:
    view = await chosen(house, request_of_admin)
    view = await house.review.save_outcome("false_alarm", "", view.opened, request_of_admin)
    house.store.clock.advance(minutes=5)
    view = await house.review.reopen(view.opened, request_of_admin)
    flag = await the_flag(house, view.opened)
    assert (flag.status, flag.clock_from) == (FlagStatus.OPEN, house.store.clock.time)
    assert "flag.reopened" in await actions(house)


async def act(house: House, name: str, opened: Opened, request: gr.Request) -> ReviewView:
    calls: dict[str, Any] = {
        "assign": lambda: house.review.take(opened, request),
        "outcome": lambda: house.review.save_outcome("needs_follow_up", "", opened, request),
        "close": lambda: house.review.save_outcome("false_alarm", "", opened, request),
    }
    return await calls[name]()


@pytest.mark.parametrize("first", ["assign", "outcome", "close"])
@pytest.mark.parametrize("second", ["assign", "outcome", "close"])
async def test_who_comes_second_overwrites_nothing_and_sees_it_anew(
    house: House, request_of_admin: gr.Request, first: str, second: str
) -> None:
    seen = (await chosen(house, request_of_admin)).opened
    await act(house, first, seen, request_of_admin)
    before = await the_flag(house, seen)
    view = await act(house, second, seen, request_of_admin)
    assert view.notice == CHANGED
    assert await the_flag(house, seen) == before
    assert view.opened.version == before.version


@pytest.mark.parametrize("first", ["note", "outcome"])
async def test_a_note_and_an_outcome_at_once_are_both_kept(
    house: House, request_of_admin: gr.Request, first: str
) -> None:
    seen = (await chosen(house, request_of_admin)).opened
    steps = {
        "note": lambda: house.review.save_note("Spoke to her.", seen, request_of_admin),
        "outcome": lambda: house.review.save_outcome("escalated", "", seen, request_of_admin),
    }
    await steps.pop(first)()
    for step in steps.values():
        await step()
    flag = await the_flag(house, seen)
    assert flag.outcome is FlagOutcome.ESCALATED
    assert [note.text for note in await house.store.flags.notes(flag.id)] == ["Spoke to her."]


async def test_of_two_who_reopen_the_second_is_told(house: House, request_of_admin: gr.Request) -> None:
    view = await chosen(house, request_of_admin)
    view = await house.review.save_outcome("false_alarm", "", view.opened, request_of_admin)
    await house.review.reopen(view.opened, request_of_admin)
    assert (await house.review.reopen(view.opened, request_of_admin)).notice == CHANGED


async def test_earlier_flags_of_the_conversation_are_shown_with_outcome_and_notes(
    house: House, request_of_admin: gr.Request
) -> None:
    opened = (await chosen(house, request_of_admin)).opened
    await house.review.save_note("A song, she says.", opened, request_of_admin)
    await house.review.save_outcome("false_alarm", "", opened, request_of_admin)
    old = await the_flag(house, opened)
    house.store.clock.advance(minutes=1)
    message = await house.store.messages.add_user(old.session_id, "again")
    await house.store.flags.raise_flag(old.session_id, message.id, RiskLevel.MODERATE, RiskCategory.SUICIDE)
    view = await chosen(house, request_of_admin)
    assert view.opened.flag_id != old.id
    assert "Earlier flags of this conversation: 1" in view.facts
    assert "False alarm · admin" in view.facts
    assert "A song, she says." in view.facts


async def test_a_missed_message_raises_the_flag_of_its_conversation(
    house: House, request_of_admin: gr.Request
) -> None:
    session = await house.store.session()
    early = await house.store.messages.add_user(session.id, "I packed the rope")
    late = await house.store.messages.add_user(session.id, "hello")
    flag = await house.store.flags.raise_flag(session.id, late.id, RiskLevel.MODERATE, RiskCategory.ABUSE)
    view = await house.review.open_flag(flag.id, "", Opened(), request_of_admin)
    view = await house.review.reveal(view.opened, request_of_admin)
    view = await house.review.mark_missed(early.id, "imminent", "suicide", view.opened, request_of_admin)
    raised = await the_flag(house, view.opened)
    assert (raised.id, raised.level, raised.message_id) == (flag.id, RiskLevel.IMMINENT, early.id)
    assert "missed, in truth imminent: suicide" in view.log
    assert "message.missed" in await actions(house)


@pytest.mark.parametrize(("level", "category"), [("moderate", "self_harm"), ("imminent", "suicide")])
async def test_what_the_layers_said_already_is_not_marked_as_missed(
    house: House, request_of_admin: gr.Request, level: str, category: str
) -> None:
    view = await chosen(house, request_of_admin)
    flag = await the_flag(house, view.opened)
    assert (flag.level, flag.category) == (RiskLevel.IMMINENT, RiskCategory.SUICIDE)
    view = await house.review.reveal(view.opened, request_of_admin)
    view = await house.review.mark_missed(flag.message_id, level, category, view.opened, request_of_admin)
    assert "has that level and category already" in view.notice
    assert (await house.store.rows())["missed_messages"] == 0


async def test_the_right_level_of_the_wrong_category_can_be_marked(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    flag = await the_flag(house, view.opened)
    view = await house.review.reveal(view.opened, request_of_admin)
    await house.review.mark_missed(flag.message_id, "imminent", "self_harm", view.opened, request_of_admin)
    assert (await house.store.rows())["missed_messages"] == 1


async def test_a_message_of_another_conversation_is_not_marked(
    house: House, request_of_admin: gr.Request
) -> None:
    session = await house.store.session()
    foreign = await house.store.messages.add_user(session.id, "hello")
    view = await chosen(house, request_of_admin)
    view = await house.review.reveal(view.opened, request_of_admin)
    await house.review.mark_missed(foreign.id, "imminent", "suicide", view.opened, request_of_admin)
    assert (await house.store.rows())["missed_messages"] == 0


async def test_a_flag_whose_conversation_was_deleted_meanwhile_is_told_kindly(
    house: House, request_of_admin: gr.Request
) -> None:
    opened = (await chosen(house, request_of_admin)).opened
    session = await house.store.sessions.get((await the_flag(house, opened)).session_id)
    assert session is not None
    await house.store.sessions.delete(session.id, session.person_id)
    view = await house.review.reveal(opened, request_of_admin)
    assert view.notice.startswith("⚠ The person has deleted this conversation")
    assert view.log == ""
    assert view.facts.startswith("<div data-gone=")


async def test_of_a_closed_flag_that_is_gone_nobody_says_who_deleted_it(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    view = await house.review.save_outcome("false_alarm", "", view.opened, request_of_admin)
    session = await house.store.sessions.get((await the_flag(house, view.opened)).session_id)
    assert session is not None
    await house.store.sessions.delete(session.id, session.person_id)
    view = await house.review.open_flag(view.opened.flag_id, "", view.opened, request_of_admin)
    assert view.notice.endswith("the person deleted it, or its time of storage was over.")


async def test_an_admin_sees_the_tactics_of_a_flagged_conversation_by_reply(
    house: House, request_of_admin: gr.Request
) -> None:
    view = await chosen(house, request_of_admin)
    assert view.strip == ""
    view = await house.review.reveal(view.opened, request_of_admin)
    assert "Validation</th><td class='hk-used'>1</td>" in view.strip
    assert "Advice</th><td>0</td>" in view.strip
