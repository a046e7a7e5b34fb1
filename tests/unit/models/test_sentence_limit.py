"""Replies that may only say sentences of a list."""

import random

import pytest
import torch

from models.sentence_limit import LimitSentence, SentenceLimit

END, OTHER = 9, 8
AND, OR, WHY = LimitSentence((1, 2), False), LimitSentence((1, 3, 4), False), LimitSentence((5, 6), True)
START = 2
"""Tokens of a prompt and of how a reply begins."""


def _allowed(limit: SentenceLimit, *rows: list[int]) -> list[set[int]]:
    ids = torch.tensor([[OTHER] * START + row for row in rows])
    scores = limit(ids, torch.zeros(len(rows), 10))
    return [{token for token in range(10) if scores[place, token] == 0} for place in range(len(rows))]


def _walk(sentences: list[LimitSentence], seed: int) -> list[int]:
    """Tokens of a reply that is drawn by chance from what is allowed."""
    rng, drawn = random.Random(seed), list[int]()  # noqa: S311  # repeatable, not secret
    limit = SentenceLimit(sentences, [END], START)
    while not drawn or drawn[-1] != END:
        (allowed,) = _allowed(limit, drawn)
        drawn.append(rng.choice(sorted(allowed)))
    return drawn[:-1]


def test_a_reply_begins_with_a_sentence_and_does_not_end_at_once() -> None:
    assert _allowed(SentenceLimit([AND, OR, WHY], [END], START), []) == [{1, 5}]


def test_a_sentence_is_said_to_its_end_and_not_again() -> None:
    limit = SentenceLimit([AND, OR, WHY], [END], START)
    assert _allowed(limit, []) == [{1, 5}]
    assert _allowed(limit, [1]) == [{2, 3}]
    assert _allowed(limit, [1, 2]) == [{1, 5, END}]
    assert _allowed(limit, [1, 2, 1]) == [{3}]


def test_the_last_one_ends_the_reply() -> None:
    limit = SentenceLimit([AND, WHY], [END], START)
    _allowed(limit, [])
    _allowed(limit, [5])
    assert _allowed(limit, [5, 6]) == [{END}]


def test_a_sentence_that_begins_another_one_may_go_on() -> None:
    longer = LimitSentence((1, 2, 7), False)
    limit = SentenceLimit([AND, longer, WHY], [END], START)
    _allowed(limit, [])
    _allowed(limit, [1])
    assert _allowed(limit, [1, 2]) == [{1, 5, 7, END}]
    assert _allowed(limit, [1, 2, 5]) == [{6}]


def test_rows_go_their_own_ways() -> None:
    limit = SentenceLimit([AND, OR, WHY], [END], START)
    _allowed(limit, [], [])
    assert _allowed(limit, [1], [5]) == [{2, 3}, {6}]
    assert _allowed(limit, [1, 3], [5, 6]) == [{4}, {END}]
    assert _allowed(limit, [1, 3, 4], [5, 6, END]) == [{1, 5, END}, {END}]


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_drawn_is_sentences_of_the_list_each_once(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    texts = {tuple(rng.randint(0, 4) for _ in range(rng.randint(1, 4))) for _ in range(8)}
    sentences = [LimitSentence(text, rng.random() < 0.3) for text in sorted(texts)]
    drawn = tuple(_walk(sentences, seed))
    assert _splits(drawn, sentences)


def _splits(drawn: tuple[int, ...], left: list[LimitSentence]) -> bool:
    """Whether tokens are different sentences one after the other, an ending one at most at the end."""
    if not drawn:
        return True
    return any(
        drawn[: len(one.ids)] == one.ids
        and (not one.last or drawn == one.ids)
        and _splits(drawn[len(one.ids) :], [other for other in left if other is not one])
        for one in left
    )


FIRST, OTHER_FIRST = LimitSentence((1, 2), False, 1), LimitSentence((1, 3), False, 1)
SECOND, ASKED = LimitSentence((4, 5), False, 2), LimitSentence((5, 6), True, 3)


def test_steps_are_taken_in_order_and_none_is_left_out() -> None:
    limit = SentenceLimit([ASKED, SECOND, FIRST, OTHER_FIRST], [END], START)
    assert _allowed(limit, []) == [{1}]
    assert _allowed(limit, [1]) == [{2, 3}]
    assert _allowed(limit, [1, 3]) == [{4}]
    assert _allowed(limit, [1, 3, 4]) == [{5}]
    assert _allowed(limit, [1, 3, 4, 5]) == [{5}]
    assert _allowed(limit, [1, 3, 4, 5, 5]) == [{6}]
    assert _allowed(limit, [1, 3, 4, 5, 5, 6]) == [{END}]


def test_a_reply_without_a_last_sentence_ends_behind_its_steps() -> None:
    limit = SentenceLimit([SECOND, FIRST], [END], START)
    for drawn in ([], [1], [1, 2], [1, 2, 4]):
        assert END not in _allowed(limit, drawn)[0]
    assert _allowed(limit, [1, 2, 4, 5]) == [{END}]


def test_a_sentence_of_two_steps_is_said_once() -> None:
    again = LimitSentence((1, 2), False, 2)
    other = LimitSentence((7,), False, 2)
    limit = SentenceLimit([FIRST, again, other, ASKED], [END], START)
    assert _allowed(limit, []) == [{1}]
    assert _allowed(limit, [1]) == [{2}]
    assert _allowed(limit, [1, 2]) == [{7}]
    assert _allowed(limit, [1, 2, 7]) == [{5}]


@pytest.mark.parametrize("seed", range(20))
def test_whatever_is_drawn_takes_every_step_once(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311  # repeatable, not secret
    texts = {tuple(rng.randint(0, 4) for _ in range(rng.randint(1, 4))): rng.randint(1, 3) for _ in range(9)}
    sentences = [LimitSentence(text, step == 3, step) for text, step in texts.items()]
    drawn, steps = tuple(_walk(sentences, seed)), []
    for step in sorted({*texts.values()}):
        own = [one.ids for one in sentences if one.step == step]
        steps = [
            (*before, ids)
            for before in (steps or [()])
            for ids in own
            if drawn[: sum(map(len, (*before, ids)))]
            == tuple(token for part in (*before, ids) for token in part)
        ]
    assert any(sum(map(len, one)) == len(drawn) for one in steps)
