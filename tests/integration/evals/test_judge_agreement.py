"""The commands with judges, against a small real HTTP server that answers by rule."""

import gzip
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.api.export_lines import RATING_COLUMNS, csv_lines
from app.db.measures import EMPATHY, SUPPORT
from evals import judge_agreement, judge_bias
from evals.judge_rows import FROM_MINT, FROM_PEOPLE
from tests.fakes.judge_server import Says, form_of, grades, judge_server, subject_of

ROOT = Path(__file__).parents[3]
INTERRUPTIBLE = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs ignore
runpy.run_module("evals.judge_agreement", run_name="__main__", alter_sys=True)
"""
NAMES = (
    "validating_emotions",
    "encouraging_elaboration",
    "demonstrating_understanding",
    "advice_giving",
    "self_oriented",
    "dismissing_emotions",
)


@pytest.fixture
def replies(tmp_path: Path) -> Path:
    """Twelve conversations of two replies; a reply says how it was rated, and a better one is longer."""
    contexts, rows = [], []
    for number in range(12):
        key = {"conversation_id": f"c{number}", "turn_index": 1}
        contexts.append({**key, "history": [{"role": "user", "content": f"Message {number}"}]})
        for system, grade in (("a", 1 + number % 5), ("b", 1 + (number + 2) % 5)):
            text = f"rated {grade}" + "." * grade
            rows.append(
                {**key, "system": system, "reply": text, "ratings": dict.fromkeys(NAMES, float(grade))}
            )
    for name, lines in (("contexts.jsonl.gz", contexts), ("replies.jsonl.gz", rows)):
        with gzip.open(tmp_path / name, "wt", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
    return tmp_path / "replies.jsonl.gz"


def the_rating(asked: dict[str, Any]) -> int:
    return int(subject_of(asked)["reply_to_judge"].split()[1].rstrip("."))


def agrees(asked: dict[str, Any]) -> Says:
    return grades(asked, the_rating(asked))


def run(module: Any, replies: Path, *urls: str, more: tuple[str, ...] = ()) -> dict[str, Any]:
    out = replies.parent / "out.json"
    judges = [word for url in urls for word in ("--judge", url)]
    arguments = [str(replies), *judges, "--answers", str(replies.parent / "answers"), "--json", str(out)]
    module.main(
        [*arguments, "--retries", "0", *(("--draws", "50") if module is judge_agreement else ()), *more]
    )
    return json.loads(out.read_text("utf-8"))


def test_a_judge_that_says_what_the_raters_said_agrees_fully(replies: Path) -> None:
    with judge_server(agrees) as world:
        found = run(judge_agreement, replies, world.url)
    row = found["panel"]["empathy.self_oriented"]
    assert (row["n"], row["groups"]) == (24, 12)
    assert [row[name]["value"] for name in ("weighted_kappa", "spearman", "mae")] == [1.0, 1.0, 0.0]
    assert found["reference"] == [FROM_MINT]
    assert found["replies_without_dialogue"] == 0
    assert found["cost"]["judge-1"] == {
        "texts": 24,
        "texts_without_grades": 0,
        "answers": 24,
        "failures": {},
        "prompt_tokens": 2400,
        "completion_tokens": 240,
    }
    assert "rated" not in json.dumps(found["panel"])


def test_the_apps_export_is_judged_by_both_rubrics_in_its_language(tmp_path: Path) -> None:
    scores = {**dict.fromkeys(EMPATHY, 4), **dict.fromkeys(SUPPORT, 2)}
    cells = {"session_id": "s", "user_message_id": "u", "rater": "staff-a", "language": "zh", **scores}
    rows = [{**cells, "message_id": f"m{n}", "reply": "rated 4 我听见了"} for n in range(3)]
    lines = [list(RATING_COLUMNS), *([row.get(name) for name in RATING_COLUMNS] for row in rows)]
    file = tmp_path / "ratings.csv"
    file.write_bytes(csv_lines(lines).encode())
    with judge_server(agrees) as world:
        found = run(judge_agreement, file, world.url)
    assert {form_of(asked) for asked in world.asked} == {"empathy", "support"}
    assert all("请" in asked["messages"][0]["content"] for asked in world.asked)
    assert found["panel"]["support"]["mean_reference"] == 2.0
    assert found["panel"]["support"]["mae"]["value"] == 2.0
    assert found["panel"]["empathy"]["mean_judged"] == 3.0  # three items at 4, three reversed at 6 − 4
    assert found["replies_without_dialogue"] == 3
    assert found["reference"] == [FROM_PEOPLE]


def test_failures_are_counted_by_kind_and_leave_the_rest(replies: Path) -> None:
    wrong = {1: Says("no idea"), 2: Says('{"validating', finish="length"), 3: Says(None, refusal="No.")}
    with judge_server(lambda asked: wrong.get(the_rating(asked)) or agrees(asked)) as world:
        found = run(judge_agreement, replies, world.url)
    cost = found["cost"]["judge-1"]
    assert set(cost["failures"]) == {"not_json", "cut", "refusal"}
    assert sum(cost["failures"].values()) == cost["texts_without_grades"] == 24 - cost["answers"]
    assert found["replies_without_any_grade"] == cost["texts_without_grades"]
    assert found["panel"]["empathy"]["n"] == cost["answers"]


def test_a_run_goes_on_where_it_stopped_and_asks_late_answers_again(replies: Path) -> None:
    with judge_server(
        lambda asked: Says("x", status=503) if the_rating(asked) == 5 else agrees(asked)
    ) as world:
        first = run(judge_agreement, replies, world.url)
    with judge_server(agrees) as world:
        second = run(judge_agreement, replies, world.url)
    busy = first["cost"]["judge-1"]["failures"]["busy"]
    assert {the_rating(asked) for asked in world.asked} == {5}
    assert len(world.asked) == busy
    assert second["cost"]["judge-1"]["answers"] == 24


@pytest.mark.parametrize("at_once", [1, 3])
def test_no_more_questions_are_open_than_allowed(replies: Path, at_once: int) -> None:
    with judge_server(agrees, work_s=0.02) as world:
        run(judge_agreement, replies, world.url, more=("--concurrency", str(at_once)))
    assert world.most_at_once <= at_once


def test_a_run_that_is_interrupted_keeps_its_answers(replies: Path) -> None:
    def five_answers(asked: dict[str, Any]) -> Says:
        return agrees(asked) if len(world.asked) <= 5 else Says(silent=True)

    arguments = [str(replies), "--answers", str(replies.parent / "answers"), "--concurrency", "1"]
    with judge_server(five_answers) as world:
        command = [sys.executable, "-c", INTERRUPTIBLE, *arguments, "--judge", world.url]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        while len(world.asked) < 6 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode == 1
    assert "stopped; the same command goes on" in told
    with judge_server(agrees) as world:
        found = run(judge_agreement, replies, world.url)
    assert len(world.asked) == 24 - 5
    assert found["cost"]["judge-1"]["answers"] == 24


def test_two_judges_are_a_panel(replies: Path) -> None:
    with judge_server(agrees) as one, judge_server(lambda asked: grades(asked, 3)) as two:
        found = run(judge_agreement, replies, one.url, two.url)
    assert list(found["cost"]) == ["judge-1", "judge-1#2"]
    assert found["judges"]["judge-1"]["empathy.self_oriented"]["mae"]["value"] == 0
    assert found["panel"]["empathy.self_oriented"]["mae"]["value"] == pytest.approx(
        found["judges"]["judge-1#2"]["empathy.self_oriented"]["mae"]["value"] / 2, abs=1e-3
    )
    assert found["panel"]["empathy.self_oriented"]["mean_spread_between_judges"] > 0


def test_only_some_rows_are_graded_on_request(replies: Path) -> None:
    with judge_server(agrees) as world:
        found = run(judge_agreement, replies, world.url, more=("--rows", "5"))
    assert (found["replies"], len(world.asked)) == (5, 5)


@pytest.mark.parametrize(
    ("more", "what"),
    [
        (("--repeats", "2"), "needs --seed"),
        (("--model", "a", "--model", "b"), "--model is given 2 times"),
        (("--key-env", "HEARKEN_NO_SUCH_KEY"), "HEARKEN_NO_SUCH_KEY"),
        (("--concurrency", "0"), "must be over 0"),
    ],
)
def test_options_that_do_not_fit_are_refused(replies: Path, more: tuple[str, ...], what: str) -> None:
    with pytest.raises(SystemExit, match=what):
        run(judge_agreement, replies, "http://127.0.0.1:9/v1", more=more)


def test_a_key_is_sent_and_stands_in_no_file(replies: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEY_OF_A_TEST", "secret-of-a-test")
    with judge_server(agrees) as world:
        run(judge_agreement, replies, world.url, more=("--key-env", "KEY_OF_A_TEST"))
    written = [file.read_bytes() for file in replies.parent.rglob("*.json*") if file.suffix != ".gz"]
    assert world.keys == {"Bearer secret-of-a-test"}
    assert not any(b"secret-of-a-test" in data for data in written)


def test_no_server_is_told_in_a_sentence(replies: Path) -> None:
    with pytest.raises(SystemExit, match="can't be asked"):
        run(judge_agreement, replies, "http://127.0.0.1:9/v1")


def chooses(better: Callable[[str, str], str]) -> Callable[[dict[str, Any]], Says]:
    def rule(asked: dict[str, Any]) -> Says:
        if form_of(asked) != "comparison":
            return grades(asked, 3)
        data = subject_of(asked)
        return Says(json.dumps({"better": better(data["first"], data["second"])}))

    return rule


def test_a_judge_that_takes_the_first_is_found_out(replies: Path) -> None:
    with judge_server(chooses(lambda _a, _b: "first")) as world:
        found = run(judge_bias, replies, world.url)
    order = found["order"]["judge-1"]
    assert (found["pairs"], order["answered"], order["first_share"]) == (12, 12, 1.0)
    assert (order["same_in_both_orders"], order["changed_to_first"]) == (0.0, 12)


def test_a_judge_that_takes_the_longer_is_found_out(replies: Path) -> None:
    with judge_server(chooses(lambda a, b: "first" if len(a) > len(b) else "second")) as world:
        found = run(judge_bias, replies, world.url)
    order = found["order"]["judge-1"]
    assert (order["same_in_both_orders"], order["longer_share"], order["p_value"]) == (1.0, 1.0, None)


def test_grades_that_follow_length_show_in_the_correlation(replies: Path) -> None:
    def rule(asked: dict[str, Any]) -> Says:
        return agrees(asked) if form_of(asked) != "comparison" else Says("?")

    with judge_server(rule) as world:
        found = run(judge_bias, replies, world.url)
    assert found["length"]["judge-1"]["empathy.self_oriented"] == {
        "n": 24,
        "spearman": 1.0,
        "reference": 1.0,
        "partial": None,
    }
    assert found["order"]["judge-1"]["failures"] == {"not_json": 24}
