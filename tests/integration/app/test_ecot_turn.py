"""A turn with a checkpoint that writes an empathic chain of thought: what is shown, and what staff keep."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.chat.events import Done, TurnEvent
from app.db.records import NewCandidate
from models.ecot_form import stored_sections
from models.profiles import load_profiles
from tests.fakes.chat_model import FakeChatModel
from tests.integration.app.world import PERSON, World, a_world

MINDCHAT = load_profiles()["mindchat-r0"]
ASKED = "我昨天被裁员了，心里很乱"
THOUGHT = (
    "<thinking><situation>甲想甲</situation><motivation>乙想乙</motivation>"
    "<strategy>丙想丙</strategy></thinking>"
)
THOUGHTS = ("甲想甲", "乙想乙", "丙想丙", "<", "＜", "&lt;")


def model_that_writes(*samples: list[str]) -> FakeChatModel:
    """One list of outputs for each request."""
    left = list(samples)
    return FakeChatModel(lambda *_: left.pop(0), profile=MINDCHAT, name="mindchat")


async def taken(world: World) -> tuple[list[TurnEvent], Done, list[NewCandidate]]:
    session = await world.session()
    events = await world.take(session, ASKED)
    done = events[-1]
    assert isinstance(done, Done)
    rows = await world.stores.candidates.for_message(done.reply_id)
    return events, done, [row.candidate for row in rows]


async def test_the_answer_is_shown_and_the_thought_is_stored_apart_from_it(tmp_path: Path) -> None:
    outputs = [f"{THOUGHT}<answer>{text}</answer>" for text in ("3.0 唉。", "4.5 我听到了。", "4.0 嗯。")]
    async with a_world(tmp_path, model_that_writes(outputs)) as world:
        events, done, rows = await taken(world)
        assert (done.text, done.status) == ("4.5 我听到了。", "complete")
        assert not any(thought in repr(events) for thought in THOUGHTS[:3])
        assert stored_sections(rows[1].reasoning or "") == (
            {"situation": "甲想甲", "motivation": "乙想乙", "strategy": "丙想丙"},
            "",
        )
        facts = rows[1].explanation
        assert (facts["format_reward"], facts["format_dropped"], facts["attempt"]) == (1.0, None, 1)


async def test_a_repaired_candidate_ranks_below_a_whole_one_of_the_same_quality(tmp_path: Path) -> None:
    outputs = [f"{THOUGHT}<answer>4.0 第一。", f"{THOUGHT}<answer>4.0 第二。</answer>", ""]
    async with a_world(tmp_path, model_that_writes(outputs)) as world:
        _, done, rows = await taken(world)
        assert done.text == "4.0 第二。"
        assert rows[0].text == "4.0 第一。"
        assert rows[0].explanation["format_repairs"] == "answer_closed"
        assert rows[0].explanation["penalty:form"] == pytest.approx(-0.5 * (1 - 2.3 / 3))
        assert rows[2].blocked == "form:no answer"
        assert rows[2].explanation["format_dropped"] == "no answer"


async def test_if_all_are_dropped_the_model_is_asked_once_more(tmp_path: Path) -> None:
    broken, whole = ["没有标签"] * 3, [f"{THOUGHT}<answer>4.0 我在。</answer>"] * 3
    async with a_world(tmp_path, model_that_writes(broken, whole)) as world:
        _, done, rows = await taken(world)
        assert (done.text, done.status) == ("4.0 我在。", "complete")
        assert [row.explanation["attempt"] for row in rows] == [1, 1, 1, 2, 2, 2]
        assert [row.blocked for row in rows] == ["form:no answer"] * 3 + [None] * 3
        assert world.metrics.format_repeats._value.get() == 1  # pyright: ignore


async def test_if_the_second_sample_is_no_better_a_written_reply_is_given(tmp_path: Path) -> None:
    model = model_that_writes(*[[f"{THOUGHT}没有回答" + "<answer>甲想甲</situation>"] * 3] * 2)
    async with a_world(tmp_path, model) as world:
        events, done, rows = await taken(world)
        assert done.status == "fallback"
        assert not any(thought in repr(events) for thought in THOUGHTS)
        assert len(model.prompts) == 2
        assert [row.explanation["format_dropped"] for row in rows] == ["a tag in the answer"] * 6


async def test_a_model_without_such_a_form_is_not_asked_twice(tmp_path: Path) -> None:
    plain = replace(MINDCHAT, ecot=False)
    model = FakeChatModel(lambda *_: ["4.0 我听到了。"] * 3, profile=plain)
    async with a_world(tmp_path, model) as world:
        _, done, rows = await taken(world)
        assert done.text == "4.0 我听到了。"
        assert len(model.prompts) == 1
        assert "format_reward" not in rows[0].explanation


BROKEN = [
    THOUGHT,
    THOUGHT.replace("</thinking>", ""),
    THOUGHT.removesuffix("</strategy></thinking>"),
    THOUGHT.replace("<", "＜").replace(">", "＞"),
    THOUGHT.replace("<", "&lt;").replace(">", "&gt;"),
    THOUGHT.upper() + "</ANSWER>",
    f"```xml\n{THOUGHT}\n```",
    f"<answer>{THOUGHT}</answer>",
    f"<answer>甲想甲</thinking>4.0 好。</answer>{THOUGHT}",
    f"<think>{THOUGHT}<answer>甲想甲",
    THOUGHT.replace("<thinking>", "<thinking><answer>甲想甲</answer>"),
    THOUGHT.replace("<situation>", "situation>").replace("<strategy>", "strategy>"),
    f"{THOUGHT}{THOUGHT}",
    "<strategy>丙想丙</strategy>" + "<answer>" + "<situation>甲想甲",
    f"{THOUGHT}<answer>situation>甲想甲 4.0 好。</answer>",
]


async def test_no_thought_reaches_the_person_whatever_is_wrong(tmp_path: Path) -> None:
    samples = [[output] * 3 for output in BROKEN for _ in range(2)]
    async with a_world(tmp_path, model_that_writes(*samples)) as world:
        for _ in BROKEN:
            events, done, _ = await taken(world)
            assert done.status == "fallback"
            assert not any(thought in repr(events) for thought in THOUGHTS)
        for session in await world.conversations.list(PERSON):
            shown = (await world.conversations.transcript(PERSON, session.id)).messages
            assert not any(thought in one.text for one in shown for thought in THOUGHTS)


async def test_a_persons_download_has_the_reasoning_and_deletion_takes_it_away(tmp_path: Path) -> None:
    outputs = [f"{THOUGHT}<answer>4.0 我在。</answer>"] * 3
    async with a_world(tmp_path, model_that_writes(outputs)) as world:
        await taken(world)
        rows = [row async for table, row in world.conversations.export(PERSON) if table == "candidates"]
        assert all("甲想甲" in row["reasoning"] for row in rows)
        assert json.dumps(rows[0]["explanation"])
        await world.conversations.delete_all(PERSON)
        assert [row async for row in world.conversations.export(PERSON)] == []
