"""A language model as judge: grades replies and conversations by a rubric, or says which of two is better.

A judge's answer is an opinion of one model. Nothing that fails is left out: every repetition ends in grades
or in a named failure, and both have their cost.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import openai

from models.judge_rubrics import LANGUAGES, OUTCOMES, JudgeTexts, Rubric, load_judge_texts
from models.judge_server import JudgeAnswerError, JudgeServer, Question, Usage
from models.judged_text import Subject, subject_text
from models.vllm_errors import chat_model_error

_TOKENS_A_GRADE = 24
_TOKENS_OF_A_CHOICE = 32

PairKind = Literal["reply", "dialogue"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one judge said of one text.

    Attributes:
        grades: By item, for each repetition that gave some.
        failures: Why the others did not: codes of ``JudgeAnswerError`` and of ``ChatModelError``.
        usage: Tokens of all repetitions.
    """

    grades: tuple[dict[str, int], ...] = ()
    failures: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)

    def means(self) -> dict[str, float] | None:
        """Mean grade of each item, or ``None`` when no repetition gave grades."""
        if not self.grades:
            return None
        return {name: sum(one[name] for one in self.grades) / len(self.grades) for name in self.grades[0]}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which of two texts, a and b, one judge preferred; both orders were asked.

    Attributes:
        a_first: For each answer with a in front: 1 for a, 0 for b, 0.5 for neither.
        b_first: The same with b in front; 1 is still for a.
        failures: Why answers are missing.
        usage: Tokens of all answers.
    """

    a_first: tuple[float, ...] = ()
    b_first: tuple[float, ...] = ()
    failures: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)

    def value(self) -> float | None:
        """How much a is preferred, 0–1; ``None`` without answers in both orders, for one alone is biased."""
        if not self.a_first or not self.b_first:
            return None
        return (_mean(self.a_first) + _mean(self.b_first)) / 2


class ReplyJudge:
    """One model that judges.

    Args:
        server: Where it is asked.
        repeats: Answers to each question.
        temperature: 0 for the likeliest answer.
        seed: Seed of the first repetition; the next ones count up. ``None`` sends none.
        texts: Wording of the questions; the project's own by default.

    Raises:
        ValueError: More than one repetition without a seed, or none.
    """

    def __init__(
        self,
        server: JudgeServer,
        *,
        repeats: int = 1,
        temperature: float = 0.0,
        seed: int | None = None,
        texts: JudgeTexts | None = None,
    ) -> None:
        if repeats < 1:
            raise ValueError("a judge is asked at least once")
        if repeats > 1 and seed is None:
            raise ValueError("repetitions need a seed, or nobody could ask again for the same answers")
        self._server = server
        self._repeats = repeats
        self._temperature = temperature
        self._seed = seed
        self._texts = texts or load_judge_texts()

    async def rate(self, rubric: Rubric, subject: Subject, language: str) -> Verdict:
        """Grade a subject by a rubric.

        Args:
            rubric: What is graded.
            subject: See ``models.judged_text``.
            language: ``en`` or ``zh``; others are asked in English.
        """
        spoken = _spoken(language)
        question = Question(
            f"{self._texts.frame[spoken]}\n\n{rubric.instructions(spoken)}",
            subject_text(subject),
            rubric.name,
            rubric.schema(),
            _TOKENS_A_GRADE * len(rubric.items) + _TOKENS_OF_A_CHOICE,
        )
        verdict = Verdict()
        for repeat in range(self._repeats):
            values, failure, usage = await self._outcome(question, repeat)
            grades = rubric.grades(values) if values is not None else None
            if values is not None and grades is None:
                failure = "form"
            verdict = Verdict(
                (*verdict.grades, *([grades] if grades is not None else [])),
                (*verdict.failures, *([failure] if failure is not None else [])),
                verdict.usage + usage,
            )
        return verdict

    async def compare(
        self, kind: PairKind, shared: Subject, a: object, b: object, language: str
    ) -> Comparison:
        """Ask which of two is better, in both orders.

        Args:
            kind: Whether two replies or two whole conversations are compared.
            shared: What both belong to, such as ``{"dialogue": …}``.
            a: One of them, a JSON value.
            b: The other.
            language: As for :meth:`rate`.
        """
        one, one_failed, one_usage = await self._choices(kind, {**shared, "first": a, "second": b}, language)
        two, two_failed, two_usage = await self._choices(kind, {**shared, "first": b, "second": a}, language)
        turned = tuple(1 - value for value in two)
        return Comparison(one, turned, (*one_failed, *two_failed), one_usage + two_usage)

    async def close(self) -> None:
        """Close connections."""
        await self._server.close()

    async def _choices(
        self, kind: PairKind, subject: Subject, language: str
    ) -> tuple[tuple[float, ...], tuple[str, ...], Usage]:
        """How much the one in front was preferred in each repetition, failures, cost."""
        spoken = _spoken(language)
        schema = {
            "type": "object",
            "properties": {"better": {"type": "string", "enum": list(OUTCOMES)}},
            "required": ["better"],
            "additionalProperties": False,
        }
        question = Question(
            f"{self._texts.frame[spoken]}\n\n{self._texts.comparisons[kind][spoken]}",
            subject_text(subject),
            "comparison",
            schema,
            _TOKENS_OF_A_CHOICE,
        )
        found: list[float] = []
        failures: list[str] = []
        spent = Usage()
        for repeat in range(self._repeats):
            values, failure, usage = await self._outcome(question, repeat)
            spent += usage
            better = None if values is None else values.get("better")
            if better in OUTCOMES:
                found.append({"first": 1.0, "second": 0.0, "equal": 0.5}[str(better)])
            else:
                failures.append(failure or "form")
        return tuple(found), tuple(failures), spent

    async def _outcome(
        self, question: Question, repeat: int
    ) -> tuple[dict[str, Any] | None, str | None, Usage]:
        """Values of an answer, or the code of what went wrong; and what it cost."""
        seed = None if self._seed is None else self._seed + repeat
        try:
            answer = await self._server.ask(question, temperature=self._temperature, seed=seed)
        except JudgeAnswerError as error:
            return None, error.code, error.usage
        except openai.OpenAIError as error:
            return None, chat_model_error(error).code, Usage()
        except ValueError:  # a body that is no JSON at all
            return None, "not_json", Usage()
        return answer.values, None, answer.usage


def _spoken(language: str) -> str:
    return language if language in LANGUAGES else LANGUAGES[0]


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)
