"""The table of blind rankings, on rankings whose figures can be worked out by hand."""

import pytest

from app.ranking_table import RankedCandidate, SettingRow, by_choice, by_model


def ranking(number: int, **places: int) -> list[RankedCandidate]:
    """One ranking with a candidate of each named model; the first one was shown."""
    return [
        RankedCandidate(f"ranking {number}", f"turn {number}", model, index == 0, place)
        for index, (model, place) in enumerate(places.items())
    ]


def rows(*rankings: list[RankedCandidate]) -> dict[str, SettingRow]:
    return {row.setting: row for row in by_model([one for found in rankings for one in found])}


def test_the_only_first_place_is_a_whole_win() -> None:
    table = rows(ranking(1, a=1, b=2, c=3))
    assert [table[name].win.mean for name in "abc"] == [1, 0, 0]
    assert [table[name].top_two.mean for name in "abc"] == [1, 1, 0]
    assert [table[name].mean_rank.mean for name in "abc"] == [1, 2, 3]


def test_two_that_are_best_together_have_half_a_win_each_and_the_rank_between() -> None:
    table = rows(ranking(1, a=1, b=1, c=3))
    assert [table[name].win.mean for name in "abc"] == [0.5, 0.5, 0]
    assert [table[name].top_two.mean for name in "abc"] == [1, 1, 0]
    assert [table[name].mean_rank.mean for name in "abc"] == [1.5, 1.5, 3]


def test_two_that_tie_for_second_share_the_second_place() -> None:
    table = rows(ranking(1, a=1, b=2, c=2))
    assert [table[name].top_two.mean for name in "abc"] == [1, 0.5, 0.5]
    assert table["b"].mean_rank.mean == 2.5


def test_wins_of_all_settings_sum_to_the_number_of_rankings() -> None:
    table = rows(ranking(1, a=1, b=1, c=1), ranking(2, a=3, b=1, c=1), ranking(3, a=2, b=1))
    assert sum(row.win.mean * row.candidates for row in table.values()) == pytest.approx(3)


def test_chance_is_one_over_the_number_of_candidates() -> None:
    table = rows(ranking(1, a=1, b=2), ranking(2, a=1, b=2, c=3, d=4))
    assert table["a"].by_chance == pytest.approx((1 / 2 + 1 / 4) / 2)


def test_the_best_setting_comes_first() -> None:
    assert list(rows(ranking(1, worse=2, better=1))) == ["better", "worse"]


def test_a_setting_counts_its_rankings_and_its_candidates() -> None:
    twice = [RankedCandidate("r", "t", "a", False, place) for place in (1, 2)]
    (row,) = by_model(twice)
    assert (row.rankings, row.candidates) == (1, 2)


def test_chosen_ones_are_compared_with_all_others() -> None:
    chosen, others = by_choice(ranking(1, a=1, b=2, c=3), "chosen", "others")
    assert (chosen.setting, chosen.win.mean, chosen.candidates) == ("chosen", 1, 1)
    assert (others.setting, others.mean_rank.mean, others.candidates) == ("others", 2.5, 2)


def test_the_interval_covers_the_mean_and_is_the_same_every_time() -> None:
    rankings = [ranking(number, a=1 + number % 2, b=2 - number % 2) for number in range(40)]
    first, second = rows(*rankings)["a"].win, rows(*rankings)["a"].win
    assert first == second
    assert first.low < first.mean < first.high
    # 40 coin tosses: half plus or minus 1.96 standard errors of 0.079.
    assert first.low == pytest.approx(0.345, abs=0.06)
    assert first.high == pytest.approx(0.655, abs=0.06)


def test_raters_of_one_turn_are_no_more_turns() -> None:
    same = [RankedCandidate(f"r{number}", "one turn", "a", True, 1 + number % 2) for number in range(20)]
    other = [RankedCandidate(f"r{number}", "one turn", "b", False, 2 - number % 2) for number in range(20)]
    row = next(row for row in by_model(same + other) if row.setting == "a")
    assert (row.win.low, row.win.mean, row.win.high) == (0.5, 0.5, 0.5)


def test_no_ranking_makes_an_empty_table() -> None:
    assert by_model([]) == []
