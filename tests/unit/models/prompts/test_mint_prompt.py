from models.prompts import build_mint_prompt
from models.tactics import Tactic


def test_sections_stand_in_the_published_order() -> None:
    headings = [line for line in build_mint_prompt([]).splitlines() if line.startswith("### ")]
    assert headings == [
        "### Role",
        "### Empathy Tactics",
        "### Tactics Used So Far",
        "### Reply Format",
        "### Reply Length",
    ]


def test_all_ten_tactics_are_defined_in_order() -> None:
    lines = [line for line in build_mint_prompt([]).splitlines() if line.split(".")[0].isdigit()]
    assert [line.split("**")[1] for line in lines] == [tactic.value for tactic in Tactic]


def test_the_first_turn_lists_no_used_tactics() -> None:
    prompt = build_mint_prompt([])
    assert "no tactic has been used yet" in prompt
    assert "previous reply used" not in prompt


def test_the_last_turn_is_listed_with_counts_most_frequent_first() -> None:
    prompt = build_mint_prompt([{Tactic.EMPOWERMENT: 1}, {Tactic.QUESTIONING: 1, Tactic.VALIDATION: 3}])
    assert "Your previous reply used: validation (3x), questioning (1x)." in prompt


def test_tactics_not_used_in_any_turn_are_listed() -> None:
    prompt = build_mint_prompt([{tactic: 1 for tactic in Tactic if tactic is not Tactic.ADVICE}])
    assert "Not used in this conversation so far: advice." in prompt


def test_a_tactic_of_an_earlier_turn_counts_as_used() -> None:
    prompt = build_mint_prompt([{Tactic.ADVICE: 1}, {Tactic.VALIDATION: 1}])
    unused = prompt.split("so far: ")[1].split(".")[0].split(", ")
    assert set(unused) == {tactic.value for tactic in Tactic} - {"advice", "validation"}


def test_when_every_tactic_was_used_none_is_called_unused() -> None:
    prompt = build_mint_prompt([dict.fromkeys(Tactic, 1)])
    assert "Every tactic has come up" in prompt
    assert "Not used in this conversation" not in prompt


def test_a_count_of_zero_is_not_a_use() -> None:
    prompt = build_mint_prompt([{Tactic.ADVICE: 0, Tactic.VALIDATION: 2}])
    assert "Your previous reply used: validation (2x)." in prompt


def test_a_reply_without_any_tactic_reads_as_a_first_turn() -> None:
    assert build_mint_prompt([{Tactic.ADVICE: 1}, {}]) == build_mint_prompt([])
