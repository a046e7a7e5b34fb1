from pathlib import Path

import pytest

from models.prompts import build_mint_prompt, check_templates, load_template
from models.prompts.templates import TEMPLATE_NAMES, parse_template
from models.tactics import Tactic

MINT = """[[system]]
Role. {tactic_list} | {usage}
[[tactic_line]]
{number} {tactic} {definition}
[[first_turn]]
FIRST
[[later_turn]]
LAST {last_turn} {remaining}
[[last_turn_item]]
{tactic}={count}
[[some_unused]]
UNUSED {unused}
[[all_used]]
ALL
"""
DEFINITIONS = "[[definitions]]\n" + "\n".join(
    f"{tactic.value}: meaning of {tactic.value}" for tactic in Tactic
)


@pytest.mark.parametrize("name", TEMPLATE_NAMES)
def test_every_builtin_template_passes_its_own_check(name: str) -> None:
    assert load_template(name).blocks


def test_a_missing_placeholder_is_named() -> None:
    with pytest.raises(ValueError, match=r"block system: placeholder usage is missing"):
        parse_template("mint", MINT.replace("| {usage}", ""))


def test_an_unknown_placeholder_is_named() -> None:
    with pytest.raises(ValueError, match=r"block first_turn: placeholder mood is unknown"):
        parse_template("mint", MINT.replace("FIRST", "FIRST {mood}"))


def test_a_missing_block_is_named() -> None:
    with pytest.raises(ValueError, match=r"block all_used is missing"):
        parse_template("mint", MINT.replace("[[all_used]]\nALL\n", ""))


def test_an_unknown_block_is_named() -> None:
    with pytest.raises(ValueError, match=r"block extra is unknown"):
        parse_template("mint", MINT + "[[extra]]\ntext\n")


def test_a_block_that_occurs_twice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"all_used occurs twice"):
        parse_template("mint", MINT + "[[all_used]]\nALL\n")


def test_text_outside_of_blocks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"text before the first"):
        parse_template("mint", "stray\n" + MINT)


@pytest.mark.parametrize("wrong", ["{usage.__class__}", "{usage!r}", "{usage:>10}", "{}", "{", "}"])
def test_anything_but_a_plain_name_in_braces_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"prompt mint, block system"):
        parse_template("mint", MINT.replace("{usage}", "{usage} " + wrong))


def test_doubled_braces_are_text() -> None:
    assert build_mint_prompt([], MINT.replace("Role.", "{{Role}}")).startswith("{Role}")


def test_an_operators_definitions_replace_ours() -> None:
    assert "3 advice meaning of advice" in build_mint_prompt([], MINT + DEFINITIONS)


def test_definitions_must_name_all_ten_tactics() -> None:
    with pytest.raises(ValueError, match=r"block definitions: .*empowerment"):
        build_mint_prompt([], MINT + DEFINITIONS.replace("empowerment:", "empowering:"))


def test_a_folder_replaces_only_the_files_it_holds(tmp_path: Path) -> None:
    (tmp_path / "mint.txt").write_text(MINT, "utf-8")
    assert load_template("mint", tmp_path).blocks["first_turn"] == "FIRST"
    assert load_template("plain", tmp_path) == load_template("plain")


def test_a_single_file_replaces_the_template_it_is_named_after(tmp_path: Path) -> None:
    file = tmp_path / "mint.txt"
    file.write_text("\ufeff" + MINT.replace("\n", "\r\n"), "utf-8")
    assert load_template("mint", file).blocks["first_turn"] == "FIRST"
    assert load_template("plain", file) == load_template("plain")


def test_a_file_with_another_name_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "original.txt"
    file.write_text(MINT, "utf-8")
    with pytest.raises(ValueError, match=r"must be named mint\.txt or"):
        check_templates(file)


def test_a_missing_file_is_a_value_error(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"can't be read"):
        load_template("mint", tmp_path / "mint.txt")


def test_a_folder_without_prompt_files_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no file named"):
        check_templates(tmp_path)


def test_the_start_check_names_what_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text("[[system]]\nBe kind.\n", "utf-8")
    assert check_templates(tmp_path) == ("plain",)
