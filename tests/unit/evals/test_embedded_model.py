import json
from pathlib import Path

from evals.embedded_model import CONTEXTS, FRESH, read_drawn, samples_of, wording
from models.training.sample_chat import read_contexts

TRAINING = Path(__file__).parents[3] / "models" / "training"


def test_wording_counts_openings_words_and_cut_replies() -> None:
    assert wording(["So you see it.", "So you see that. […]", "Hello."]) == {
        "words": 3.3,
        "cut_share": 0.333,
        "commonest_opening_share": 0.667,
        "openings": 2,
        "different_share": 1.0,
    }


def test_scripted_conversations_count_as_everyday_if_their_message_is_known(tmp_path: Path) -> None:
    known = read_contexts(CONTEXTS)[0][0]
    rows = [
        {"source": "script 4", "risk": 0, "turns": [["user", said]], "replies": ["Hello."]}
        for said in (known, "a message that is in no file")
    ]
    file = tmp_path / "samples.json"
    file.write_text(json.dumps(rows), "utf-8")
    assert [(item.source, item.turns[-1].content) for item in read_drawn(file)] == [("everyday", known)]


def test_no_everyday_or_fresh_message_is_in_the_training_texts() -> None:
    lines = [line for file in TRAINING.rglob("*.txt") for line in file.read_text("utf-8").splitlines()]
    learned = {line.partition(": ")[2].lower().rstrip(".!") for line in lines}
    scripts = [script for file in (CONTEXTS, *FRESH) for script in read_contexts(file)]
    said = {line.lower().rstrip(".!") for script in scripts for line in script}
    assert said & learned == set()


def test_replies_as_draw_replies_writes_them_are_read(tmp_path: Path) -> None:
    known = read_contexts(FRESH[-1])[0][0]
    rows = [
        {"source": "fresh", "turns": [["user", known]], "replies": [{"text": "One."}, {"text": "Two."}]},
        {"source": "other", "turns": [["user", "what nobody wrote there"]], "replies": [{"text": "No."}]},
    ]
    file = tmp_path / "drawn.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    (found,) = read_drawn(file)

    assert (found.source, found.turns[0].content, found.replies) == ("fresh", known, ("One.", "Two."))
    assert samples_of({"after": [found]}) == 2
