"""What judges are asked: rubrics, their items and their scales, from ``judge_rubrics.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

import yaml

FILE = Path(__file__).with_name("judge_rubrics.yaml")
LANGUAGES = ("en", "zh")
OUTCOMES = ("first", "second", "equal")

Report = Literal["mean", "fraction", "percent"]
Wording = Mapping[str, str]
"""A text by language."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a rubric; a reversed one is better when low."""

    name: str
    wording: Wording
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class Rubric:
    """Items that are graded together.

    Attributes:
        name: ``empathy``, ``support`` or ``scenario``.
        low: Lowest grade.
        high: Highest grade.
        report: How one number comes from the grades: their ``mean``, ``mean / high``, or that as percent.
        task: What is to be graded.
        items: In the order in which they are asked.
    """

    name: str
    low: int
    high: int
    report: Report
    task: Wording
    items: tuple[Item, ...]

    def instructions(self, language: str) -> str:
        """Task and items as text."""
        lines = [f"- {item.name}: {item.wording[language]}" for item in self.items]
        return "\n".join([self.task[language].strip(), *lines])

    def schema(self) -> dict[str, Any]:
        """JSON schema of the grades: one whole number for each item."""
        grades = list(range(self.low, self.high + 1))
        names = [item.name for item in self.items]
        return {
            "type": "object",
            "properties": {name: {"type": "integer", "enum": grades} for name in names},
            "required": names,
            "additionalProperties": False,
        }

    def grades(self, values: Mapping[str, Any]) -> dict[str, int] | None:
        """The grades of an answer, or ``None`` when one is missing, no whole number or off the scale."""
        found = {item.name: values.get(item.name) for item in self.items}
        if not all(type(grade) is int and self.low <= grade <= self.high for grade in found.values()):
            return None
        return cast("dict[str, int]", found)

    def mean(self, grades: Mapping[str, float]) -> float:
        """Mean grade in points of the scale, reversed items counted from the other end."""
        ends = self.low + self.high
        turned = [ends - grades[i.name] if i.reversed else grades[i.name] for i in self.items]
        return sum(turned) / len(turned)

    @property
    def unit(self) -> float:
        """What one point of the mean is worth in the reported score."""
        return {"mean": 1.0, "fraction": 1 / self.high, "percent": 100 / self.high}[self.report]

    def score(self, grades: Mapping[str, float]) -> float:
        """The one number that is reported: :meth:`mean` times :attr:`unit`."""
        return self.mean(grades) * self.unit


@dataclass(frozen=True, slots=True)
class JudgeTexts:
    """Everything in the file.

    Attributes:
        frame: What holds for every question.
        rubrics: By name.
        comparisons: What is asked of two ``reply`` or ``dialogue`` texts.
    """

    frame: Wording
    rubrics: Mapping[str, Rubric]
    comparisons: Mapping[str, Wording]


def load_judge_texts(file: Path = FILE) -> JudgeTexts:
    """Read the texts.

    Raises:
        ValueError: A text is missing in a language, or a scale or item is broken.
    """
    try:
        raw = cast("dict[str, Any]", yaml.safe_load(file.read_text("utf-8")))
        return JudgeTexts(
            _wording(raw["frame"]),
            {name: _rubric(name, rubric) for name, rubric in raw["rubrics"].items()},
            {name: _wording(texts) for name, texts in raw["comparison"].items()},
        )
    except (KeyError, TypeError, AttributeError, yaml.YAMLError) as error:
        raise ValueError(f"{file.name}: {type(error).__name__}: {error}") from None


def _rubric(name: str, raw: dict[str, Any]) -> Rubric:
    low, high = raw["scale"]
    items = tuple(
        Item(key, _wording(item), bool(item.get("reversed", False))) for key, item in raw["items"].items()
    )
    if not items or not 0 <= low < high or raw["report"] not in ("mean", "fraction", "percent"):
        raise ValueError(f"rubric {name}: scale, report or items are wrong")
    return Rubric(name, low, high, raw["report"], _wording(raw["task"]), items)


def _wording(raw: dict[str, Any]) -> Wording:
    texts = {language: str(raw[language]).strip() for language in LANGUAGES}
    if not all(texts.values()):
        raise ValueError("a text is empty")
    return texts
