from pathlib import Path

import pytest

from evals.scenario_data import Configuration, check_names, read_configuration, read_scenarios
from models.sentences import is_chinese


def test_there_are_twelve_scenarios_of_four_turns_in_each_language() -> None:
    scenarios = read_scenarios()
    assert [s.language for s in scenarios].count("en") == [s.language for s in scenarios].count("zh") == 12
    assert {len(s.turns) for s in scenarios} == {4}
    turns = [turn for s in scenarios for turn in s.turns]
    assert len(set(turns)) == 96


def test_every_turn_is_in_the_language_of_its_scenario() -> None:
    wrong = [turn for s in read_scenarios() for turn in s.turns if is_chinese(turn) != (s.language == "zh")]
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- {id: a}",
        "- {id: a, language: nl, theme: t, turns: [x]}",
        "- {id: a, language: en, theme: t, turns: []}",
    ],
)
def test_a_broken_file_of_scenarios_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "scenarios.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"scenarios\.yaml"):
        read_scenarios(file)


def test_a_configuration_is_read_from_its_parts() -> None:
    assert read_configuration("name=a,url=http://h:1/v1") == Configuration("a", "http://h:1/v1")
    full = read_configuration("name=b, url=http://h/v1?x=1,model=org/m,n=8,rerank=on,key_env=K")
    assert full == Configuration("b", "http://h/v1?x=1", "org/m", 8, True, "K")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name=a",
        "url=u",
        "name=a,url=u,n=0",
        "name=a,url=u,n=x",
        "name=a,url=u,rerank=yes",
        "name=a,url=u,k=1",
    ],
)
def test_a_configuration_that_can_not_be_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"configuration needs|goes from"):
        read_configuration(text)


def test_two_configurations_can_not_share_a_name() -> None:
    with pytest.raises(ValueError, match="same name"):
        check_names([Configuration("a", "u"), Configuration("a", "v")])
