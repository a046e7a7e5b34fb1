import json
from pathlib import Path

from evals.crisis_examples import LEARNED_SETS, written_examples

SETS = Path(__file__).parents[3] / "evals" / "data"


def test_no_set_is_learned_from_that_is_not_named() -> None:
    learned = {example.group.partition(":")[0] for example in written_examples("", 0)}
    files = {file.stem for file in SETS.glob("crisis_*_set.jsonl")}
    assert learned & files == LEARNED_SETS
    assert files - LEARNED_SETS >= {f"crisis_{n}_set" for n in ("twenty_ninth", "thirtieth", "thirty_third")}


def test_no_message_of_another_set_is_learned_from() -> None:
    learned = {example.text for example in written_examples("", 0)}
    for file in SETS.glob("crisis_*_set.jsonl"):
        if file.stem not in LEARNED_SETS:
            rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
            assert not learned & {row["text"] for row in rows if "text" in row}, file.stem
