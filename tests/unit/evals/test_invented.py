import json
from pathlib import Path

from evals.failure_checks import main
from evals.invented import FoundInPair, beside_the_reader, fired
from models.inventions import Invention, Reason
from models.training.failure_pairs import FailurePair

PAIR = FailurePair("x-1", "en", "people", (), "failed", "fine", True)
FOUND = [Invention("sister", Reason.PEOPLE, 5)]


def test_shares_are_of_failed_and_of_fine_replies() -> None:
    found = [FoundInPair(PAIR, FOUND, []), FoundInPair(PAIR, [], []), FoundInPair(PAIR, FOUND, FOUND)]
    assert fired(found) == {"found_in_failed": 0.6667, "found_in_fine": 0.3333}


def row(person: str, reply: str, verdict: str) -> dict[str, object]:
    return {"conversation": 0, "turn": 1, "person": person, "reply": reply, "verdict": verdict, "why": ""}


def test_fires_are_counted_by_verdict_and_by_whether_the_reason_names_an_invention(tmp_path: Path) -> None:
    file = tmp_path / "read.json"
    fine, sister = row("I cried.", "You cried.", "fits"), row("I cried.", "Your sister cried.", "misses")
    file.write_text(json.dumps({"shipped": [fine, sister], "before": [sister]}), "utf-8")
    found = beside_the_reader(file)
    assert found["by_verdict"] == {
        "fits, no invention named": {"replies": 1, "fires": 0},
        "misses, no invention named": {"replies": 2, "fires": 2},
    }
    assert [one["found"] for one in found["fires"]] == [["people: sister"]] * 2


def test_the_check_alone_is_measured_on_pairs_that_were_kept_apart(tmp_path: Path) -> None:
    file = tmp_path / "found.json"
    main(["--only", "invented", "--json", str(file)])
    kept = json.loads(file.read_text("utf-8"))["invented"]["kept_apart"]
    assert kept["pairs"] >= 30
    assert kept["accuracy"] >= 0.85
    assert {lang: one["pairs"] for lang, one in kept["by_language"].items()} == {"en": 17, "zh": 17}
