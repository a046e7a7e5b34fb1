"""A sheet to fill in and the grades that come back, through the command as a researcher runs it."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals import mindchat
from models.judge_rubrics import load_judge_texts

ITEMS = ("fluency_comfort", "empathic_understanding", "encouragement")
NAMES = ("tuned-7b", "plain-7b")
MESSAGES = ("My cat died.", "I can't sleep.", "我很累。", "Work is too much.", "Nobody calls me.")


def written(file: Path, rows: list[Any]) -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    file.write_text("".join(lines), "utf-8")
    return file


def reply(name: str, said: str, text: str) -> dict[str, Any]:
    context = [
        {"role": "user", "content": "Hello."},
        {"role": "assistant", "content": "Hi there."},
        {"role": "user", "content": said},
    ]
    return {"configuration": name, "conversation": said, "context": context, "reply": text}


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    rows = [reply(name, said, f"{said} {place}") for place, name in enumerate(NAMES) for said in MESSAGES]
    return written(tmp_path / "replies.jsonl", rows)


def sheet(file: Path, *more: str) -> list[dict[str, Any]]:
    out = file.parent / "new" / "sheet.jsonl"
    mindchat.main(["sheet", str(file), f"--output={out}", *more])
    return [json.loads(line) for line in out.read_text("utf-8").split("\n") if line]


def graded(row: dict[str, Any], *marks: int) -> dict[str, Any]:
    return {"id": row["id"], "grades": dict(zip(ITEMS, marks, strict=True))}


def judge(file: Path, *more: str) -> dict[str, Any]:
    out = file.parent / "out.json"
    answers = f"--answers={file.parent / 'answers'}"
    mindchat.main(["judge", str(file), answers, "--draws=20", f"--json={out}", *more])
    return json.loads(out.read_text("utf-8"))


def test_a_sheet_that_is_filled_in_becomes_the_table(replies: Path) -> None:
    rows = sheet(replies)
    marks = {"0": (5, 4, 3), "1": (2, 1, 1)}
    lines = [graded(row, *marks[row["reply_to_judge"][-1]]) for row in rows]
    ann = written(replies.parent / "ann.jsonl", lines)
    found = judge(replies, f"--grades=ann={ann}")
    means = {
        name: [found["configurations"][name]["dimensions"][item]["mean"] for item in ITEMS] for name in NAMES
    }
    assert means == {"tuned-7b": [1.0, 0.8, 0.6], "plain-7b": [0.4, 0.2, 0.2]}
    assert [found["configurations"][name]["graded"] for name in NAMES] == [5, 5]
    assert (found["cost"]["ann"]["answers"], found["cost"]["ann"]["failures"]) == (10, {})
    assert (found["repeats"], found["temperature"], found["agreement"]) == (None, None, [])


def test_a_question_holds_what_a_judge_needs_and_no_name(replies: Path) -> None:
    rows = sheet(replies)
    row = next(row for row in rows if row["reply_to_judge"] == "我很累。 1")
    support = load_judge_texts().rubrics["support"]
    assert row.keys() == {"id", "language", "dialogue", "reply_to_judge", "items"}
    assert row["dialogue"] == reply("", "我很累。", "")["context"]
    assert row["items"] == {item.name: item.wording[row["language"]] for item in support.items}
    assert {one["language"] for one in rows} == {"en", "zh"}
    text = json.dumps(rows)
    assert not [name for name in NAMES if name in text]


def test_the_order_is_random_by_the_seed_and_not_that_of_the_configurations(replies: Path) -> None:
    first, other = sheet(replies), sheet(replies, "--seed=1")
    assert [row["id"] for row in first] != [row["id"] for row in other]
    assert sorted(row["id"] for row in first) == sorted(row["id"] for row in other)
    places = [row["reply_to_judge"][-1] for row in first]
    assert places not in (sorted(places), sorted(places, reverse=True))
    turned = [line + "\n" for line in reversed(replies.read_text("utf-8").splitlines())]
    assert sheet(written(replies, turned)) == first


def test_the_same_words_are_one_question_and_count_for_each_configuration(tmp_path: Path) -> None:
    rows = [reply(name, "My cat died.", "I'm so sorry.") for name in NAMES]
    file = written(tmp_path / "replies.jsonl", rows)
    (row,) = sheet(file)
    found = judge(file, f"--grades=ann={written(tmp_path / 'ann.jsonl', [graded(row, 4, 4, 4)])}")
    assert [found["configurations"][name]["dimensions"]["all"]["mean"] for name in NAMES] == [0.8, 0.8]
    assert found["cost"]["ann"]["texts"] == 1


def test_a_long_dialogue_is_cut_on_the_sheet_as_it_is_for_judges(replies: Path) -> None:
    rows = sheet(replies, "--context-chars=18")
    assert {row["dialogue"][0]["role"] for row in rows} == {"note"}
    ann = written(replies.parent / "ann.jsonl", [graded(row, 5, 5, 5) for row in rows])
    assert judge(replies, f"--grades=ann={ann}", "--context-chars=18")["cost"]["ann"]["failures"] == {}
    with pytest.raises(SystemExit, match=r"ann\.jsonl, row 1: no reply has this id"):
        judge(replies, f"--grades=ann={ann}")


def test_several_lines_are_repetitions_and_no_line_is_a_failure(tmp_path: Path) -> None:
    file = written(tmp_path / "r.jsonl", [reply("a", said, "Yes.") for said in MESSAGES])
    first, second, *_ = sheet(file)
    lines = [graded(first, 1, 5, 5), graded(second, 5, 5, 5), "\n", graded(first, 2, 5, 5)]
    found = judge(file, f"--grades=ann={written(tmp_path / 'ann.jsonl', lines)}")
    row = found["configurations"]["a"]
    assert (row["graded"], row["replies"]) == (2, 5)
    assert row["dimensions"]["fluency_comfort"]["mean"] == 0.65  # (1.5 + 5) / 2 / 5
    cost = found["cost"]["ann"]
    assert (cost["texts"], cost["texts_without_grades"], cost["answers"]) == (5, 3, 3)
    assert cost["failures"] == {"missing": 3}


BAD = {
    "unknown id": ({"id": "en:000000000000"}, "no reply has this id"),
    "no id": ({"id": None}, "no reply has this id"),
    "no grades": ({"grades": None}, "a whole number, 1 to 5, for each of fluency_comfort"),
    "item missing": ({"grades": {ITEMS[0]: 3, ITEMS[1]: 3}}, "a whole number, 1 to 5"),
    "over the scale": ({"grades": dict.fromkeys(ITEMS, 6)}, "a whole number, 1 to 5"),
    "under the scale": ({"grades": dict.fromkeys(ITEMS, 0)}, "a whole number, 1 to 5"),
    "half a point": ({"grades": dict.fromkeys(ITEMS, 3.5)}, "a whole number, 1 to 5"),
    "a word": ({"grades": dict.fromkeys(ITEMS, "5")}, "a whole number, 1 to 5"),
}


@pytest.mark.parametrize(("change", "what"), BAD.values(), ids=BAD)
def test_a_wrong_row_stops_with_its_file_and_number(replies: Path, change: dict[str, Any], what: str) -> None:
    right = graded(sheet(replies)[0], 1, 2, 3)
    ann = written(replies.parent / "ann.jsonl", [right, "\n", {**right, **change}])
    with pytest.raises(SystemExit, match=rf"ann\.jsonl, row 3: .*{what}"):
        judge(replies, f"--grades=ann={ann}")
    assert not (replies.parent / "out.json").exists()


@pytest.mark.parametrize("line", ["{", "[]", "3", '"x"'])
def test_a_line_that_is_no_object_is_named(replies: Path, line: str) -> None:
    ann = written(replies.parent / "ann.jsonl", [line + "\n"])
    with pytest.raises(SystemExit, match=r"ann\.jsonl, row 1"):
        judge(replies, f"--grades=ann={ann}")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ([], "--judge or --grades"),
        (["--grades=ann"], "NAME=FILE"),
        (["--grades==ann.jsonl"], "NAME=FILE"),
        (["--grades=ann=nowhere.jsonl"], r"nowhere\.jsonl: FileNotFoundError"),
        (["--grades=ann=/dev/null", "--grades=ann=/dev/null"], "two judges are named ann"),
        (["--grades=ann=/dev/null", "--model=m"], "--model is given 1 times and --judge 0 times"),
    ],
)
def test_options_that_can_not_be_are_told(replies: Path, options: list[str], what: str) -> None:
    with pytest.raises(SystemExit, match=what):
        judge(replies, *options)


def test_a_sheet_of_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no reply to grade"):
        sheet(written(tmp_path / "r.jsonl", []))


def test_each_two_judges_are_compared_on_what_both_graded(tmp_path: Path) -> None:
    file = written(tmp_path / "r.jsonl", [reply("a", said, "Yes.") for said in MESSAGES])
    rows = sheet(file)
    marks = {
        # ben turns the first item around, is one above on the second and left the last reply out
        "ann": [(1, 1, 3), (2, 2, 3), (4, 3, 3), (5, 4, 3), (1, 1, 1)],
        "ben": [(5, 2, 3), (4, 3, 3), (2, 4, 3), (1, 5, 3)],
        "eve": [(1, 1, 3), (2, 2, 3), (4, 3, 3), (5, 4, 3), (1, 1, 1)],
    }
    options: list[str] = []
    for name, own in marks.items():
        lines = [graded(row, *one) for row, one in zip(rows, own, strict=False)]
        options.append(f"--grades={name}={written(tmp_path / f'{name}.jsonl', lines)}")
    pairs = {tuple(pair["judges"]): pair["items"] for pair in judge(file, *options)["agreement"]}
    assert list(pairs) == [("ann", "ben"), ("ann", "eve"), ("ben", "eve")]
    first, second, third = (pairs["ann", "ben"][item] for item in ITEMS)
    assert (first["n"], first["weighted_kappa"]["value"], first["spearman"]["value"]) == (4, -1.0, -1.0)
    # 1 − Σ(i−j)² / expected: four replies, one apart each, are 4; all pairs of 1–4 and 2–5 are 56 / 4 = 14
    assert second["weighted_kappa"]["value"] == pytest.approx(1 - 4 / 14, abs=1e-4)
    assert second["spearman"]["value"] == 1.0
    assert (third["weighted_kappa"]["value"], third["spearman"]["value"]) == (None, None)
    assert [one["weighted_kappa"]["value"] for one in pairs["ann", "eve"].values()] == [1.0, 1.0, 1.0]
    assert pairs["ann", "eve"][ITEMS[0]]["n"] == 5


def test_results_hold_no_text(replies: Path) -> None:
    ann = written(replies.parent / "ann.jsonl", [graded(row, 3, 3, 3) for row in sheet(replies)])
    text = json.dumps(judge(replies, f"--grades=ann={ann}"), ensure_ascii=False)
    assert not [said for said in (*MESSAGES, "Hi there.") if said in text]
