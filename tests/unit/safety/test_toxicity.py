"""Offensive replies are found with and without the model, and its absence is said."""

from collections.abc import Mapping

import pytest

from safety.lexicon import Lexicon
from safety.normalize import Normalizer
from safety.rule_book import compile_patterns
from safety.spelling_tables import load_spelling_tables
from safety.toxicity import ToxicityChecker, chunks, load_toxicity_checker


class _Model:
    """Calls a chunk insulting when it holds the word."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.longest = 0

    def predict(self, text: list[str]) -> Mapping[str, list[float]]:
        self.longest = max(len(chunk) for chunk in text)
        return {
            "insult": [0.9 if self.word in chunk else 0.1 for chunk in text],
            "toxicity": [0.2] * len(text),
        }


class _BrokenModel:
    def predict(self, text: list[str]) -> Mapping[str, list[float]]:
        raise RuntimeError(text)


def _checker(load: object) -> ToxicityChecker:
    rules = {"insult": compile_patterns(["you moron"], {})}
    return ToxicityChecker(load, rules, Normalizer(load_spelling_tables(), Lexicon((), (), ())))  # pyright: ignore[reportArgumentType]


def _loaded(model: object) -> ToxicityChecker:
    checker = _checker(lambda: model)
    thread = checker.start()
    assert thread is not None
    thread.join(timeout=10)
    return checker


def test_without_a_model_it_says_rules() -> None:
    assert load_toxicity_checker().status() == "rules"


def test_with_a_model_it_says_so() -> None:
    assert _loaded(_Model("x")).status() == "detoxify"


def test_a_failing_download_degrades_to_rules() -> None:
    def load() -> object:
        raise OSError("no network")

    checker = _checker(load)
    thread = checker.start()
    assert thread is not None
    thread.join(timeout=10)
    assert checker.status() == "rules"
    assert checker.check(["you moron"])[0].blocked


def test_loading_is_tried_once() -> None:
    checker = _loaded(_Model("x"))
    assert checker.start() is None


def test_the_end_of_a_long_reply_is_read() -> None:
    model = _Model("awful-end")
    verdict = _loaded(model).check(["kind words " * 300 + "awful-end"])[0]
    assert (verdict.blocked, verdict.label) == (True, "insult")
    assert model.longest <= 400


def test_a_failing_model_blocks_nothing_and_breaks_nothing() -> None:
    assert not _loaded(_BrokenModel()).check(["hello"])[0].blocked


@pytest.mark.parametrize(
    "text",
    ["You are so stupid.", "Shut up already.", "I will hurt you.", "滚蛋", "你就是个傻逼", "女人都是垃圾"],
)
def test_plain_offence_is_found_by_rules(text: str) -> None:
    assert load_toxicity_checker().check([text])[0].blocked


@pytest.mark.parametrize(
    "text",
    [
        "You are not stupid at all.",
        "It sounds like he made you feel like an idiot.",
        "I'll find you some resources.",
        "你并不笨。",
        "听起来他说的话很伤人。",
    ],
)
def test_kind_replies_pass(text: str) -> None:
    assert not load_toxicity_checker().check([text])[0].blocked


def test_chunks_cover_the_text() -> None:
    text = " ".join(str(number) for number in range(500))
    assert all(f" {number} " in f" {' '.join(chunks(text))} " for number in range(500))
