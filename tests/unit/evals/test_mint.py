"""The figures of the released replies, computed by hand on a tiny folder."""

import csv
import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest

from evals.mint import evaluate, main
from evals.mint_reward import divergence, length_factor, quality_of, rewards, scaled
from evals.mint_rows import read_release
from models.tactics import Tactic

A, V = Tactic.ADVICE, Tactic.VALIDATION
RATED = {
    "validating_emotions": 4.0,
    "encouraging_elaboration": 1.0,
    "demonstrating_understanding": 2.0,
    "advice_giving": 1.0,
    "self_oriented": 1.0,
    "dismissing_emotions": 1.0,
    "aggregated_empathy": 3.6667,
}


def row(conversation: str, turn: int, system: str, *tactics: str, **more: Any) -> dict[str, Any]:
    found = {"conversation_id": conversation, "turn_index": turn, "system": system, "reply": "two words"}
    return {**found, "sentence_tactics": [list(tactics)], "ratings": RATED, **more}


REPLIES = [
    row("a", 1, "gold", "validation"),
    row("a", 3, "gold", "validation", "advice"),
    row("a", 10, "gold", "advice"),
    row("b", 1, "gold", "validation"),
    row("b", 3, "gold"),
    row("a", 1, "x", "advice"),
    row("a", 3, "x", "advice", ratings={**RATED, "aggregated_empathy": 2.6667}),
    row("a", 10, "x", "validation", ratings=None),
    row("b", 1, "x", "validation"),
    row("b", 3, "x", "validation"),
]


def folder_of(place: Path, replies: list[Any], contexts: list[Any] | None = None) -> Path:
    known = {(r["conversation_id"], r["turn_index"]) for r in REPLIES}
    rows = contexts or [{"conversation_id": c, "turn_index": t, "history": []} for c, t in sorted(known)]
    for name, lines in (("replies", replies), ("contexts", rows)):
        with gzip.open(place / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of(tmp_path, REPLIES)


def test_stickiness_pools_pairs_over_conversations_by_tactic(folder: Path) -> None:
    systems = evaluate(read_release(folder))
    # Pairs of gold: V→VA, VA→A, V→nothing. V came back in 1 of 3, A in 1 of 1.
    assert systems["gold"]["stickiness_gold"] == pytest.approx((1 / 3 + 1) / 2)
    assert systems["gold"]["stickiness_own"] == systems["gold"]["stickiness_gold"]


def test_gold_and_own_previous_turns_differ(folder: Path) -> None:
    systems = evaluate(read_release(folder))
    # After gold's V, VA, V the system did A, V, V: V came back in 2 of 3, A in 0 of 1.
    assert systems["x"]["stickiness_gold"] == pytest.approx((2 / 3 + 0) / 2)
    # Its own A→A, A→V, V→V: A came back in 1 of 2, V in 1 of 1.
    assert systems["x"]["stickiness_own"] == pytest.approx((1 / 2 + 1) / 2)


def test_a_missing_rating_is_left_out_of_the_mean(folder: Path) -> None:
    assert evaluate(read_release(folder))["x"]["empathy"] == pytest.approx((3 * 3.6667 + 2.6667) / 4)


def test_tactics_and_words_are_means_over_replies(folder: Path) -> None:
    gold = evaluate(read_release(folder))["gold"]
    assert (gold["tactics_per_turn"], gold["words"], gold["replies"]) == (1.0, 2.0, 5)


def test_q_turns_the_three_unwelcome_ratings_around() -> None:
    assert quality_of(RATED) == pytest.approx((4 + 1 + 2 + 5 + 5 + 5) / 6)
    assert quality_of({"validating_emotions": 3.0}) is None


def test_divergence_by_hand() -> None:
    # One sentence of each, ten tactics, alpha 0.1: shares 1.1/2 and 0.1/2.
    assert divergence({A: 1}, {V: 1}) == pytest.approx(0.55 * math.log(11) + 0.05 * math.log(1 / 11))
    assert divergence({}, {V: 1}) == 0.0


def test_scaling_is_min_max_and_a_half_when_alike() -> None:
    assert scaled([1.0, 3.0, 2.0]) == [0.0, 1.0, 0.5]
    assert scaled([2.0, 2.0]) == [0.5, 0.5]


def test_only_length_over_the_target_costs() -> None:
    assert length_factor("word " * 200) == 1.0
    assert length_factor("word " * 400) == 0.5


def test_the_reward_of_a_group_by_hand() -> None:
    group = [("word " * 400, {A: 1}, 4.0), ("short", {V: 1}, 2.0)]
    assert rewards(group, [{V: 1}, {V: 1}]) == [pytest.approx((1 + 1) * 0.5), 0.0]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("{", "replies.jsonl.gz, row 2: not JSON"),
        ("[]", "replies.jsonl.gz, row 2: not an object"),
        (row("a", 3, ""), "row 2: system"),
        (row("z", 1, "x"), "row 2: conversation z, turn 1 is not in contexts.jsonl.gz"),
        (row("a", 1, "gold"), "row 2: a second reply of gold"),
        (row("a", 3, "x", "kindness"), "row 2: 'kindness' is not a valid Tactic"),
        (row("a", 3, "x", sentence_tactics="advice"), "row 2: sentence_tactics"),
        (row("a", 3, "x", ratings={"self_oriented": "high"}), "row 2: rating self_oriented"),
        ({"conversation_id": "a", "turn_index": "3"}, "row 2: turn_index"),
    ],
)
def test_a_broken_row_is_named(tmp_path: Path, broken: Any, said: str) -> None:
    folder_of(tmp_path, [REPLIES[0], broken])
    with pytest.raises(SystemExit) as stop:
        main([str(tmp_path)])
    assert said in str(stop.value)


def test_a_missing_file_and_an_empty_one_are_named(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"contexts\.jsonl\.gz"):
        main([str(tmp_path)])
    folder_of(tmp_path, [])
    with pytest.raises(SystemExit, match=r"replies\.jsonl\.gz holds no replies"):
        main([str(tmp_path)])


def test_a_file_that_is_cut_off_is_told_without_a_traceback(folder: Path) -> None:
    whole = (folder / "replies.jsonl.gz").read_bytes()
    (folder / "replies.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SystemExit, match=r"evals\.mint: "):
        main([str(folder)])


def test_all_files_are_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "out"
    main([str(folder), "--json", f"{out}/m.json", "--csv", f"{out}/m.csv", "--plot", f"{out}/m.svg"])
    systems = json.loads((out / "m.json").read_text())["systems"]
    assert set(systems) == {"gold", "x"}
    rows = list(csv.DictReader((out / "m.csv").read_text().splitlines()))
    assert float(rows[1]["stickiness_own"]) == systems["x"]["stickiness_own"] == 0.75
    assert ">x</text>" in (out / "m.svg").read_text()
    assert "0.750" in capsys.readouterr().out


def test_a_plot_can_be_a_picture(folder: Path) -> None:
    main([str(folder), "--plot", str(folder / "m.png")])
    assert (folder / "m.png").read_bytes().startswith(b"\x89PNG")


def test_a_plot_of_another_kind_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"must end in \.svg or \.png"):
        main([str(tmp_path), "--plot", "m.bmp"])
