"""MindChat's tables against a small real HTTP judge, a real database, and figures worked out by hand."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import URL

from app.db.engine import SessionFactory
from evals import mindchat
from tests.fakes.clock import FakeClock
from tests.fakes.judge_server import Says, form_of, judge_server, subject_of
from tests.integration.app.db.store import a_store

DIMENSIONS = ("fluency_comfort", "empathic_understanding", "encouragement")


def says(*marks: int) -> Says:
    return Says(json.dumps(dict(zip(DIMENSIONS, marks, strict=True))))


def by_text(asked: dict[str, Any]) -> Says:
    """A reply names the grades that it gets."""
    return says(*map(int, subject_of(asked)["reply_to_judge"].split()))


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    rows = [
        {"configuration": "a", "conversation": "1", "reply": "5 4 3", "context": [_said("My cat died.")]},
        {"configuration": "a", "conversation": "2", "reply": "3 4 1", "context": [_said("I'm so tired.")]},
        {"configuration": "b", "conversation": "1", "reply": "1 1 1", "context": [_said("我的猫走了。")]},
    ]
    return _written(tmp_path / "replies.jsonl", rows)


def _said(text: str) -> dict[str, str]:
    return {"role": "user", "content": text}


def _written(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return file


def judge(file: Path, url: str, *more: str) -> dict[str, Any]:
    out = file.parent / "out.json"
    answers = file.parent / "answers"
    mindchat.main(
        ["judge", str(file), f"--judge={url}", f"--answers={answers}", f"--json={out}", "--retries=0", *more]
    )
    return json.loads(out.read_text("utf-8"))


def test_grades_become_fifths_with_the_variance_over_replies(replies: Path) -> None:
    with judge_server(by_text) as server:
        found = judge(replies, server.url)["configurations"]
    a = found["a"]["dimensions"]
    # (5/5 + 3/5) / 2 = 0.8; sample variance ((0.2)² + (0.2)²) / 1 = 0.08
    assert (a["fluency_comfort"]["mean"], a["fluency_comfort"]["variance"]) == (0.8, 0.08)
    assert (a["empathic_understanding"]["mean"], a["empathic_understanding"]["variance"]) == (0.8, 0.0)
    assert (a["encouragement"]["mean"], a["encouragement"]["variance"]) == (0.4, 0.08)
    assert a["all"]["mean"] == pytest.approx((12 / 15 + 8 / 15) / 2, abs=1e-4)
    assert found["b"]["dimensions"]["all"]["mean"] == 0.2
    assert (a["encouragement"]["low"], a["encouragement"]["high"]) == (0.2, 0.6)
    assert [found[name]["conversations"] for name in "ab"] == [2, 1]


def test_each_reply_is_asked_about_in_the_persons_language(replies: Path) -> None:
    with judge_server(by_text) as server:
        judge(replies, server.url)
    chinese = ["请" in asked["messages"][0]["content"] for asked in server.asked]
    assert sorted(chinese) == [False, False, True]
    assert {form_of(asked) for asked in server.asked} == {"support"}


def test_repetitions_are_averaged_before_replies_are(replies: Path) -> None:
    def rule(asked: dict[str, Any]) -> Says:
        return says(*[1 + 2 * (asked["seed"] - 7)] * 3)

    with judge_server(rule) as server:
        found = judge(replies, server.url, "--repeats=3", "--seed=7")
    assert len(server.asked) == 9
    assert found["configurations"]["a"]["dimensions"]["all"]["mean"] == 0.6  # of 1, 3 and 5
    assert found["configurations"]["a"]["dimensions"]["all"]["variance"] == 0.0


def test_a_second_run_asks_only_what_failed(replies: Path) -> None:
    def broken(asked: dict[str, Any]) -> Says:
        return Says("x", status=503) if subject_of(asked)["reply_to_judge"] == "5 4 3" else by_text(asked)

    with judge_server(broken) as server:
        first = judge(replies, server.url)
    with judge_server(by_text) as server:
        second = judge(replies, server.url)
    assert (first["configurations"]["a"]["graded"], second["configurations"]["a"]["graded"]) == (1, 2)
    assert [subject_of(asked)["reply_to_judge"] for asked in server.asked] == ["5 4 3"]


def test_every_turn_of_a_rolled_out_conversation_is_a_reply(tmp_path: Path) -> None:
    turns = [_said("Hello there friend."), _reply("5 5 5"), _said("It is all too much."), _reply("1 1 1")]
    file = _written(tmp_path / "t.jsonl", [{"configuration": "n8", "scenario": "cat", "turns": turns}])
    with judge_server(by_text) as server:
        found = judge(file, server.url)["configurations"]["n8"]
    assert (found["replies"], found["conversations"]) == (2, 1)
    assert found["dimensions"]["all"]["mean"] == 0.6
    assert [len(subject_of(asked)["dialogue"]) for asked in server.asked] == [1, 3]


def _reply(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def test_a_silent_judge_leaves_a_gap_and_its_failures(replies: Path) -> None:
    with judge_server(lambda _: Says("no idea")) as server:
        found = judge(replies, server.url)
    assert found["configurations"]["a"]["dimensions"]["all"]["mean"] is None
    assert found["cost"]["judge-1"]["failures"] == {"not_json": 3}


@pytest.mark.parametrize(
    "row", ['{"reply": "x"}', '{"model": "a", "reply": ""}', "[]", "{", '{"model": "a", "turns": [1]}']
)
def test_a_broken_row_is_named(tmp_path: Path, row: str) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"model": "a", "reply": "1 1 1"}\n' + row + "\n")
    with pytest.raises(SystemExit, match=r"r\.jsonl, row 2"):
        judge(file, "http://127.0.0.1:9/v1")


def grades(folder: Path, replies: Path, *marks: int) -> Path:
    """A file that grades every question of the sheet alike."""
    sheet = folder / "sheet.jsonl"
    mindchat.main(["sheet", str(replies), f"--output={sheet}"])
    ids = [json.loads(line)["id"] for line in sheet.read_text("utf-8").splitlines()]
    rows = [{"id": one, "grades": dict(zip(DIMENSIONS, marks, strict=True))} for one in ids]
    return _written(folder / "ann.jsonl", rows)


def test_a_file_of_grades_is_a_judge_beside_the_server(replies: Path) -> None:
    ann = grades(replies.parent, replies, 1, 2, 1)
    with judge_server(by_text) as server:
        found = judge(replies, server.url, f"--grades=ann={ann}", "--draws=20")
    assert list(found["cost"]) == ["judge-1", "ann"]
    assert found["configurations"]["a"]["dimensions"]["fluency_comfort"]["mean"] == 0.5  # of 4 and 1
    (pair,) = found["agreement"]
    assert pair["judges"] == ["judge-1", "ann"]
    fluency = pair["items"]["fluency_comfort"]
    assert (fluency["n"], fluency["mae"]["value"]) == (3, 2.0)  # 5, 3 and 1 where ann said 1


def test_a_file_of_grades_can_not_take_the_name_of_a_server(replies: Path) -> None:
    ann = grades(replies.parent, replies, 1, 1, 1)
    with judge_server(by_text) as server, pytest.raises(SystemExit, match="is named judge-1 too"):
        judge(replies, server.url, f"--grades=judge-1={ann}")
    assert not server.asked


PLACES = [  # the shown one first: a alone first, then a tie of a and b for the first place
    ("r1", "t1", "a", True, 1),
    ("r1", "t1", "b", False, 2),
    ("r1", "t1", "c", False, 3),
    ("r2", "t2", "a", True, 1),
    ("r2", "t2", "b", False, 1),
    ("r2", "t2", "c", False, 3),
]
COLUMNS = ("ranking_id", "turn_id", "model", "chosen", "place")


def prefer(folder: Path, *more: str) -> dict[str, Any]:
    out = folder / "out.json"
    mindchat.main(["prefer", *more, f"--json={out}"])
    return json.loads(out.read_text("utf-8"))


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_preferences_from_a_file_are_those_worked_out_by_hand(tmp_path: Path, kind: str) -> None:
    file = tmp_path / f"rankings.{kind}"
    if kind == "csv":
        file.write_text("\n".join(",".join(map(str, row)) for row in (COLUMNS, *PLACES)), "utf-8")
    else:
        _written(file, [dict(zip(COLUMNS, row, strict=True)) for row in PLACES])
    found = prefer(tmp_path, str(file))
    rows = {row["setting"]: row for row in found["by_model"]}
    assert [rows[name]["win"]["mean"] for name in "abc"] == [0.75, 0.25, 0]
    assert [rows[name]["top_two"]["mean"] for name in "abc"] == [1, 1, 0]
    assert [rows[name]["mean_rank"]["mean"] for name in "abc"] == [1.25, 1.75, 3]
    assert (rows["a"]["win"]["low"], rows["a"]["win"]["high"]) == (0.5, 1.0)
    assert {row["setting"]: row["win"]["mean"] for row in found["by_choice"]} == {
        "shown": 0.75,
        "not shown": 0.125,
    }
    assert (found["rankings"], found["turns"]) == (2, 2)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"ranking_id": "r", "model": "a", "place": 0}', "row 1: a place starts at 1"),
        ('{"ranking_id": "r", "model": "a"}', "row 1: 'place'"),
        ('{"ranking_id": "r", "model": "a", "place": 1}', "nothing was compared"),
        ("", "nobody has ranked"),
    ],
)
def test_rankings_that_can_not_be_counted_are_told(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "rankings.jsonl"
    file.write_text(text)
    with pytest.raises(SystemExit, match=what):
        prefer(tmp_path, str(file))


async def test_rankings_of_a_database_are_counted(
    tmp_path: Path, factory: SessionFactory, database_url: URL
) -> None:
    store = a_store(factory, FakeClock())
    message, _ = await store.turn(await store.session(), "I am sad", {"advice": 1}, {}, {})
    rows = await store.contents("candidates")
    shown = next(str(row["id"]) for row in rows if row["chosen"])
    others = [str(row["id"]) for row in rows if not row["chosen"]]
    await store.rankings.set_ranking(message.id, "staff:ann", {shown: 2, others[0]: 1, others[1]: 2})
    address = database_url.render_as_string(hide_password=False)
    found = await asyncio.to_thread(prefer, tmp_path, "--database", address)
    table = {row["setting"]: row for row in found["by_choice"]}
    assert (table["shown"]["win"]["mean"], table["not shown"]["win"]["mean"]) == (0, 0.5)
    assert (table["shown"]["mean_rank"]["mean"], table["not shown"]["mean_rank"]["mean"]) == (2.5, 1.75)
    assert address not in (tmp_path / "out.json").read_text("utf-8")
