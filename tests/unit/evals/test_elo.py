import math

import pytest

from evals.elo import Game, fit, ratings


def test_two_strengths_follow_the_share_of_wins() -> None:
    # 300 wins, 100 losses, one drawn game each against an average opponent: the likelihood's slope is
    # 300 − 400 p + 0.5 − q = 0 at θ, −θ with p = 1/(1+e^(−2θ)), q = 1/(1+e^(−θ)); close to ln 3 apart.
    games = [Game("a", "b", 1.0, str(n)) for n in range(300)] + [
        Game("a", "b", 0.0, str(n)) for n in range(100)
    ]
    a, b = fit(games, ["a", "b"])
    theta = (a - b) / 2 * math.log(10) / 400
    slope = 300 - 400 / (1 + math.exp(-2 * theta)) + 0.5 - 1 / (1 + math.exp(-theta))
    assert slope == pytest.approx(0, abs=1e-6)
    assert a - b == pytest.approx(400 * math.log10(3), abs=2)
    assert a + b == pytest.approx(2000)


def test_names_and_their_order_change_nothing() -> None:
    games = [Game("a", "b", 1.0, "1"), Game("b", "c", 0.5, "1"), Game("c", "a", 0.25, "2")]
    turned = [Game(game.b, game.a, 1 - game.value, game.group) for game in games]
    assert fit(games, ["a", "b", "c"]) == pytest.approx(fit(turned, ["a", "b", "c"]))
    assert fit(games, ["c", "b", "a"])[::-1] == pytest.approx(fit(games, ["a", "b", "c"]))


def test_one_that_always_wins_has_a_finite_strength() -> None:
    found = ratings([Game("a", "b", 1.0, str(n)) for n in range(24)], ["a", "b"], draws=20, seed=0)
    assert 1000 < found["a"].elo < 2000
    assert found["a"].low == found["a"].elo == found["a"].high  # every draw is the same


def test_drawn_games_leave_all_at_the_mean() -> None:
    found = ratings([Game("a", "b", 0.5, "1"), Game("b", "c", 0.5, "2")], ["a", "b", "c"], draws=5, seed=0)
    assert [rating.elo for rating in found.values()] == [1000.0] * 3


def test_without_games_there_is_no_interval() -> None:
    found = ratings([], ["a"], draws=100, seed=0)["a"]
    assert (found.elo, found.low, found.high, found.games) == (1000.0, None, None, 0)


def test_an_interval_holds_the_value_and_narrows_with_more_scenarios() -> None:
    def width(scenarios: int) -> float:
        games = [Game("a", "b", float(n % 3 != 0), str(n)) for n in range(scenarios)]
        found = ratings(games, ["a", "b"], draws=200, seed=0)["a"]
        assert found.low is not None
        assert found.high is not None
        assert found.low < found.elo < found.high
        return found.high - found.low

    assert width(300) < width(30)
