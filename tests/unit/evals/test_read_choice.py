"""Whether the choice among replies that were read falls on fitting ones."""

import pytest

from evals.read_choice import Reply, table


def _reply(verdict: str, quality: float, total: float) -> Reply:
    return {"verdict": verdict, "quality": quality, "plain": total, "answers": -total}


def test_each_way_to_choose_is_counted_by_message() -> None:
    groups = [
        [_reply("fits", 3, 5), _reply("misses", 4, 4)],
        [_reply("partly", 2, 1), _reply("misses", 1, 2), _reply("misses", 1, 0)],
    ]

    found = table(groups)

    assert (found["messages"], found["replies"]) == (2, 5)
    assert found["chance"] == {"fits": 0.25, "misses": pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-4)}
    assert found["quality"] == {"fits": 0.0, "misses": 0.5}
    assert found["reranker"] == {"fits": 0.5, "misses": 0.5}
    assert found["with answers"] == {"fits": 0.0, "misses": 1.0}
    assert found["best"] == {"fits": 0.5, "misses": 0.0}
