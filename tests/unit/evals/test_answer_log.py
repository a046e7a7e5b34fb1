from pathlib import Path

import pytest

from evals.answer_log import AnswerLog, log_for
from evals.asking import JudgeLostError, ask_all


def test_answers_are_there_after_a_stop(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "answers.jsonl"
    log = AnswerLog(file)
    log.add("a", {"grades": [1], "note": "好\u2028"})
    log.add("a", {"grades": [2]})
    assert AnswerLog(file).rows == {"a": {"grades": [2]}}


def test_a_line_that_was_cut_off_is_removed_and_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    AnswerLog(file).add("a", {"x": 1})
    with file.open("a") as lines:
        lines.write('{"key": "b", "x"')
    log = AnswerLog(file)
    log.add("c", {"x": 3})
    assert AnswerLog(file).rows == {"a": {"x": 1}, "c": {"x": 3}}


def test_a_broken_line_inside_is_named(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"key": "a"}\nnonsense\n{"key": "b"}\n')
    with pytest.raises(ValueError, match="line 2"):
        AnswerLog(file)


def test_other_settings_find_no_answers(tmp_path: Path) -> None:
    one, other = (log_for(tmp_path, "grades", {"seed": seed}) for seed in (1, 2))
    one.add("a", {})
    assert log_for(tmp_path, "grades", {"seed": 1}).rows == {"a": {}}
    assert other.file != one.file


async def test_only_what_is_missing_or_may_work_now_is_asked(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path / "a.jsonl")
    log.add("done", {"failures": []})
    log.add("garbage", {"failures": ["not_json"]})
    log.add("late", {"failures": ["timeout"]})
    asked: list[str] = []

    def asking(key: str) -> object:
        async def ask() -> dict[str, object]:
            asked.append(key)
            return {"failures": []}

        return ask

    keys = ("done", "garbage", "late", "new")
    await ask_all({key: asking(key) for key in keys}, log, at_once=2, title="t")  # type: ignore[misc]
    assert asked == ["late", "new"]


async def test_a_server_that_is_gone_ends_the_run_with_answers_kept(tmp_path: Path) -> None:
    log = AnswerLog(tmp_path / "a.jsonl")
    answered = 0

    async def ask() -> dict[str, object]:
        nonlocal answered
        answered += 1
        return {"failures": [] if answered <= 5 else ["unreachable"]}

    with pytest.raises(JudgeLostError):
        await ask_all({str(n): ask for n in range(100)}, log, at_once=1, title="t")
    assert answered == 13
    assert sum(not row["failures"] for row in AnswerLog(log.file).rows.values()) == 5
