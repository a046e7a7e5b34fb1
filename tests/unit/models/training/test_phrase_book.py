import random
from collections import Counter
from pathlib import Path

import pytest

from models.training.labelled_data import phrase_examples
from models.training.phrase_book import PhraseBook, read_phrases

TOPICS = """[[general]]
v: That hurts.
[[pets]]
slot pet: dog | cat
slot who: friend(she)
you: my {pet} and my {who}
p: Your {pet} matters, and so does {they}.
v: Of course.
q: What is {their} name?
[[cheerful]]
patterns: f q
emotions: joy
you: good news
f: How good!
q: What happened?
"""


def book(tmp_path: Path, text: str = TOPICS) -> PhraseBook:
    (tmp_path / "topics.txt").write_text(text, "utf-8")
    return PhraseBook(read_phrases(tmp_path), random.Random(1))  # noqa: S311


def test_slots_and_pronouns_are_the_same_in_message_and_reply(tmp_path: Path) -> None:
    for exchange in book(tmp_path).exchanges(20):
        for said, reply in exchange.turns:
            assert "{" not in said + reply
            pet = "dog" if "dog" in said else "cat"
            assert exchange.topic != "pets" or not {"dog", "cat"} - {pet} & set(reply.split())


def test_a_cheerful_topic_gets_no_words_of_comfort(tmp_path: Path) -> None:
    replies = [e.turns[0][1] for e in book(tmp_path).exchanges(30) if e.topic == "cheerful"]
    assert set(replies) == {"How good! What happened?"}


def test_a_label_chooses_its_topic(tmp_path: Path) -> None:
    assert book(tmp_path).reply_for_label("emotions", "joy") == "How good! What happened?"


def test_an_unknown_label_has_no_reply(tmp_path: Path) -> None:
    assert book(tmp_path).reply_for_label("emotions", "envy") is None


def test_a_malformed_line_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"topics\.txt, line 2"):
        book(tmp_path, "[[a]]\nno key here\n")


def test_two_runs_with_one_seed_give_the_same_examples() -> None:
    assert phrase_examples(3) == phrase_examples(3)


def test_every_placeholder_of_the_shipped_books_is_filled() -> None:
    for example in phrase_examples(0):
        assert "{" not in example.reply + "".join(turn.content for turn in example.turns)


def test_no_shipped_reply_is_empty_or_too_long() -> None:
    words = [len(example.reply.split()) for example in phrase_examples(0)]
    assert min(words) >= 3
    assert max(words) <= 80


def test_crisis_replies_of_the_shipped_books_hold_no_digits() -> None:
    replies = [example.reply for example in phrase_examples(0) if example.risk_level > 0]
    assert replies
    assert not any(character.isdigit() for reply in replies for character in reply)


def test_imminent_risk_always_points_to_the_lines_of_the_page() -> None:
    replies = [example.reply for example in phrase_examples(0) if example.risk_level == 3]
    assert all("this page" in reply or "shown here" in reply for reply in replies)


def test_no_opening_dominates_the_shipped_books() -> None:
    openings = Counter(" ".join(example.reply.split()[:3]) for example in phrase_examples(0))
    assert openings.most_common(1)[0][1] / openings.total() < 0.08
