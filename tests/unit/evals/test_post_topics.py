"""Figures of topics on posts whose topics are plain."""

import json

from evals.post_topics import POSTS, measure


def test_figures_are_those_worked_out_by_hand() -> None:
    rows = [
        {"text": "My boss fired me.", "topic": "work"},
        {"text": "My husband left.", "topic": "marriage"},
        {"text": "My wife left.", "topic": "love"},
        {"text": "Rain.", "topic": "other"},
    ]
    found = measure(rows)
    assert (found["posts"], found["accuracy"]) == (4, 0.75)
    assert (found["f1"]["work"], found["f1"]["marriage"], found["f1"]["love"]) == (1.0, 0.6667, 0.0)
    assert found["confusions"] == {"love → marriage": 1}


def test_the_written_posts_hold_every_topic_in_both_languages() -> None:
    rows = [json.loads(line) for line in POSTS.read_text("utf-8").splitlines()]
    assert len(rows) >= 120
    assert len({(row["topic"], row["language"]) for row in rows}) == 20
    assert len({row["text"] for row in rows}) == len(rows)
