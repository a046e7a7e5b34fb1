from typing import Any

import pytest
from openai.types.chat import ChatCompletion

from models.chat_model import Candidate
from models.vllm_answers import candidates_of


def answer(*choices: dict[str, Any], tokens: int = 0) -> ChatCompletion:
    """An answer as a server sends it."""
    return ChatCompletion.model_validate(
        {
            "id": "1",
            "created": 0,
            "model": "m",
            "object": "chat.completion",
            "choices": [
                {
                    "index": choice.get("index", number),
                    "finish_reason": choice.get("finish_reason", "stop"),
                    "message": {"role": "assistant", "content": None} | choice["message"],
                }
                for number, choice in enumerate(choices)
            ],
            "usage": {"prompt_tokens": 7, "completion_tokens": tokens, "total_tokens": 7 + tokens},
        }
    )


def candidates(*choices: dict[str, Any], thinking: bool = False, tokens: int = 0) -> list[Candidate]:
    return candidates_of(answer(*choices, tokens=tokens), thinking=thinking, max_tokens=50, seconds=1.5)


def test_candidates_come_in_the_order_of_their_index() -> None:
    drawn = candidates(
        {"index": 1, "message": {"content": "second"}}, {"index": 0, "message": {"content": "first"}}
    )
    assert [candidate.text for candidate in drawn] == ["first", "second"]


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_null_content_beside_a_thought_is_an_empty_reply(field: str) -> None:
    (candidate,) = candidates({"message": {field: "hm"}, "finish_reason": "length"}, thinking=True)
    assert candidate == Candidate("", "hm", "length", 7, 0, 1.5, "")


def test_a_thought_inside_the_content_is_kept_apart() -> None:
    (candidate,) = candidates({"message": {"content": "<think>hm</think>\n\nHello."}})
    assert (candidate.text, candidate.reasoning) == ("Hello.", "hm")


def test_tokens_are_shared_out_by_length() -> None:
    drawn = candidates({"message": {"content": "a" * 30}}, {"message": {"content": "b" * 10}}, tokens=20)
    assert [candidate.completion_tokens for candidate in drawn] == [15, 5]


def test_no_candidate_has_more_tokens_than_it_could_have() -> None:
    (candidate,) = candidates({"message": {"content": "a"}}, tokens=51)
    assert candidate.completion_tokens == 50


@pytest.mark.parametrize(("told", "reason"), [("stop", "stop"), ("length", "length"), ("tool_calls", "stop")])
def test_reasons_are_told_in_our_words(told: str, reason: str) -> None:
    (candidate,) = candidates({"message": {"content": "a"}, "finish_reason": told})
    assert candidate.finish_reason == reason
