"""Every expected value is worked out by hand: (existence + once + order) / 3."""

import pytest

from models.format_reward import format_reward

SITUATION = "<situation>她失去了工作</situation>"
MOTIVATION = "<motivation>想被理解</motivation>"
STRATEGY = "<strategy>先共情</strategy>"
ANSWER = "<answer>听起来真的很难。</answer>"


def thought(*parts: str) -> str:
    return f"<thinking>{''.join(parts)}</thinking>"


WHOLE = thought(SITUATION, MOTIVATION, STRATEGY) + ANSWER

CASES = {
    "whole": (WHOLE, 1.0, 1.0, 1.0),
    "with line breaks": (WHOLE.replace("><", ">\n\n<"), 1.0, 1.0, 1.0),
    "text around it": ("好的。" + WHOLE + "再见", 1.0, 1.0, 1.0),
    "parts empty": (WHOLE.replace("先共情", ""), 1.0, 1.0, 1.0),
    "nothing": ("", 0.0, 0.0, 0.0),
    "plain text": ("听起来真的很难。", 0.0, 0.0, 0.0),
    "answer only": (ANSWER, 0.2, 0.2, 0.0),
    "thought only": (thought(SITUATION, MOTIVATION, STRATEGY), 0.8, 0.8, 0.7),
    "thinking tag missing": (SITUATION + MOTIVATION + STRATEGY + ANSWER, 0.8, 0.8, 0.7),
    "strategy missing": (thought(SITUATION, MOTIVATION) + ANSWER, 0.8, 0.8, 0.4),
    "motivation missing": (thought(SITUATION, STRATEGY) + ANSWER, 0.8, 0.8, 0.4),
    "situation missing": (thought(MOTIVATION, STRATEGY) + ANSWER, 0.8, 0.8, 0.4),
    "situation and strategy missing": (thought(MOTIVATION) + ANSWER, 0.6, 0.6, 0.0),
    "two sections missing": (thought(SITUATION) + ANSWER, 0.6, 0.6, 0.1),
    "no section": (thought("难过") + ANSWER, 0.4, 0.4, 0.0),
    "answer not closed": (WHOLE.replace("</answer>", ""), 0.8, 0.8, 0.7),
    "answer not opened": (WHOLE.replace("<answer>", ""), 0.8, 0.8, 0.7),
    "strategy not closed": (WHOLE.replace("</strategy>", ""), 0.8, 0.8, 0.4),
    "thinking not closed": (WHOLE.replace("</thinking>", ""), 0.8, 0.8, 0.7),
    "answer twice": (WHOLE + ANSWER, 1.0, 0.8, 1.0),
    "answer twice, closed once": (WHOLE.replace("<answer>", "<answer><answer>"), 1.0, 0.8, 1.0),
    "everything twice": (WHOLE + WHOLE, 1.0, 0.0, 1.0),
    "two sections swapped": (thought(SITUATION, STRATEGY, MOTIVATION) + ANSWER, 1.0, 1.0, 0.7),
    "first sections swapped": (thought(MOTIVATION, SITUATION, STRATEGY) + ANSWER, 1.0, 1.0, 0.7),
    "answer first": (ANSWER + thought(SITUATION, MOTIVATION, STRATEGY), 1.0, 1.0, 0.7),
    "all backwards": (ANSWER + STRATEGY + MOTIVATION + SITUATION + thought(""), 1.0, 1.0, 0.0),
    "answer in the thought": (thought(SITUATION, MOTIVATION, STRATEGY, ANSWER), 1.0, 1.0, 1.0),
    "closed before it is opened": (
        "</answer><answer>" + thought(SITUATION, MOTIVATION, STRATEGY),
        0.8,
        0.8,
        0.7,
    ),
    "capitals": (WHOLE.upper(), 0.0, 0.0, 0.0),
    "full-width brackets": (WHOLE.replace("<", "＜").replace(">", "＞"), 0.0, 0.0, 0.0),
    "entities": (WHOLE.replace("<", "&lt;").replace(">", "&gt;"), 0.0, 0.0, 0.0),
    "blanks in a tag": (WHOLE.replace("<answer>", "< answer >"), 0.8, 0.8, 0.7),
    "half a tag": (WHOLE.replace("</answer>", "</answ"), 0.8, 0.8, 0.7),
    "in a code fence": (f"```xml\n{WHOLE}\n```", 1.0, 1.0, 1.0),
    "after a thought of another kind": ("<think>hm</think>" + WHOLE, 1.0, 1.0, 1.0),
}


@pytest.mark.parametrize(("output", "existence", "once", "order"), CASES.values(), ids=CASES.keys())
def test_the_reward_is_the_mean_of_its_three_parts(
    output: str, existence: float, once: float, order: float
) -> None:
    assert format_reward(output) == pytest.approx((existence + once + order) / 3)


def test_the_reward_is_one_for_the_whole_form_and_nothing_less() -> None:
    assert format_reward(WHOLE) == 1.0
