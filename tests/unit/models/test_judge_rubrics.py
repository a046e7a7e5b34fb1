from pathlib import Path

import pytest

from app.db.measures import EMPATHY, REVERSED, SUPPORT
from models.judge_rubrics import FILE, load_judge_texts

RUBRICS = load_judge_texts().rubrics


def test_rubrics_and_the_annotation_page_grade_the_same_items() -> None:
    names = [f"{name}.{item.name}" for name in ("empathy", "support") for item in RUBRICS[name].items]
    assert names == [*EMPATHY, *SUPPORT]
    turned = {f"empathy.{item.name}" for item in RUBRICS["empathy"].items if item.reversed}
    assert turned == REVERSED


def test_reversed_items_count_from_the_other_end() -> None:
    empathy = RUBRICS["empathy"]
    best = {item.name: 1 if item.reversed else 5 for item in empathy.items}
    assert empathy.score(best) == 5
    assert empathy.score(dict.fromkeys(best, 5)) == 3  # three items at 5, three at 6 − 5


@pytest.mark.parametrize(("name", "grade", "score"), [("support", 4, 0.8), ("scenario", 15, 75.0)])
def test_a_rubric_reports_in_its_own_unit(name: str, grade: int, score: float) -> None:
    rubric = RUBRICS[name]
    assert rubric.score({item.name: grade for item in rubric.items}) == pytest.approx(score)


@pytest.mark.parametrize("wrong", [0, 6, 4.0, "4", True, None])
def test_a_grade_off_the_scale_makes_an_answer_useless(wrong: object) -> None:
    rubric = RUBRICS["support"]
    values = {item.name: 4 for item in rubric.items}
    assert rubric.grades(values) == values
    assert rubric.grades({**values, "encouragement": wrong}) is None


def test_instructions_name_every_item_in_both_languages() -> None:
    for rubric in RUBRICS.values():
        for language in ("en", "zh"):
            text = rubric.instructions(language)
            assert all(f"- {item.name}: {item.wording[language]}" in text for item in rubric.items)


def test_a_text_that_is_missing_in_a_language_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "rubrics.yaml"
    broken.write_text(FILE.read_text("utf-8").replace("    zh: >-\n", "    nl: >-\n", 1), "utf-8")
    with pytest.raises(ValueError, match="zh"):
        load_judge_texts(broken)
