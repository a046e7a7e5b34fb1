from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chat_model import Candidate
from models.ecot_choice import all_dropped, judge_form
from models.ecot_form import read_ecot, stored_sections
from models.ecot_stream import WholeAnswer
from models.format_reward import format_reward

THOUGHT = (
    "<thinking><situation>她失去了工作</situation><motivation>想被理解</motivation>"
    "<strategy>先共情</strategy></thinking>"
)
ANSWER = "<answer>听起来真的很难。</answer>"
SAID = "听起来真的很难。"
SECTIONS = {"situation": "她失去了工作", "motivation": "想被理解", "strategy": "先共情"}


def candidate(output: str, **values: object) -> Candidate:
    return Candidate("", None, "stop", 1, 1, 0.1, output, **values)  # type: ignore[arg-type]


def test_a_whole_output_is_answer_and_sections() -> None:
    reading = read_ecot(THOUGHT + ANSWER)
    assert (reading.answer, reading.sections, reading.thoughts) == (SAID, SECTIONS, "")
    assert (reading.form.reward, reading.form.repairs, reading.form.doubt) == (1.0, (), None)


@pytest.mark.parametrize(
    ("output", "repairs"),
    [
        (THOUGHT + "<answer>" + SAID, ("answer_closed",)),
        (THOUGHT + "<answer>" + SAID + "</ans", ("answer_closed",)),
        (THOUGHT.replace("</strategy>", "") + ANSWER, ("thought_closed",)),
        (THOUGHT.replace("</strategy></thinking>", "") + ANSWER, ("thought_closed",)),
        (THOUGHT.replace("</thinking>", "") + ANSWER, ("thought_closed",)),
        (THOUGHT.replace("</situation>", "") + ANSWER, ("thought_closed",)),
        (THOUGHT + SAID, ("answer_opened", "answer_closed")),
        (THOUGHT + SAID + "</answer>", ("answer_opened",)),
    ],
)
def test_a_missing_tag_is_repaired_when_the_answer_is_certain(output: str, repairs: tuple[str, ...]) -> None:
    kept = judge_form(candidate(output))
    assert kept.text == SAID
    assert kept.form is not None
    assert (kept.form.repairs, kept.form.dropped) == (repairs, None)
    assert kept.form.reward == format_reward(output) < 0.9
    assert kept.form.repaired_reward == 1.0


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("", "no answer"),
        (SAID, "no answer"),
        (THOUGHT, "no answer"),
        (THOUGHT + "<answer> </answer>", "no answer"),
        (THOUGHT.replace("</thinking>", SAID), "no answer"),
        (SAID + THOUGHT, "no answer"),
        (THOUGHT + ANSWER + "<answer>另一个回答。</answer>", "answers differ"),
        (THOUGHT + "<answer>她很难过<situation>她</situation></answer>", "a tag in the answer"),
        (THOUGHT + "<answer>她很难过</thinking>听起来很难。</answer>", "a tag in the answer"),
        (THOUGHT + "<answer>一<answer>二</answer>", "a tag in the answer"),
        (THOUGHT.replace("</thinking>", ANSWER + "</thinking>"), "an answer in the thought"),
        (THOUGHT + "<answer>strategy>先共情 听起来很难。</answer>", "half a tag"),
        (THOUGHT + "<answer><answer1>听起来很难。</answer>", "half a tag"),
        ("<think>" + THOUGHT + ANSWER, "no answer"),
        (THOUGHT + "<answer>她很难过</think>听起来很难。", "no answer"),
        (ANSWER, "below the threshold"),
        (THOUGHT.replace("<strategy>先共情</strategy>", "") + ANSWER, "below the threshold"),
        ("<thinking>难过</thinking><answer>" + SAID, "beyond repair"),
    ],
)
def test_an_answer_that_is_not_certain_is_dropped_and_kept_for_staff_only(output: str, why: str) -> None:
    kept = judge_form(candidate(output))
    assert kept.form is not None
    assert (kept.text, kept.form.dropped) == ("", why)
    assert all_dropped([kept])
    letters = [one for one in output if "\u4e00" <= one <= "\u9fff"]
    assert [one for one in kept.reasoning or "" if "\u4e00" <= one <= "\u9fff"] or not letters


@pytest.mark.parametrize(
    "output",
    [
        ANSWER + THOUGHT,
        THOUGHT.replace("<strategy>先共情</strategy>", "").replace(
            "<motivation>", "<strategy>先共情</strategy><motivation>"
        )
        + ANSWER,
        THOUGHT + ANSWER + ANSWER,
        f"```xml\n{THOUGHT}\n{ANSWER}\n```",
        THOUGHT + f"<answer>\n```\n{SAID}\n```\n</answer>",
        f"<think>hm</think>{THOUGHT}{ANSWER}",
        f"好的。{THOUGHT}{ANSWER}再见。",
    ],
)
def test_an_answer_that_is_certain_is_kept_whatever_stands_around_it(output: str) -> None:
    kept = judge_form(candidate(output))
    assert kept.form is not None
    assert (kept.text, kept.form.dropped) == (SAID, None)


@pytest.mark.parametrize(
    ("opened", "closed"),
    [("＜", "＞"), ("&lt;", "&gt;"), ("< ", " >"), ("<", "＞"), ("&amp;lt;", "&amp;gt;")],
)
def test_tags_in_another_spelling_hide_the_thought_but_earn_nothing(opened: str, closed: str) -> None:
    output = (THOUGHT + ANSWER).replace("<", opened).replace(">", closed)
    reading = read_ecot(output)
    assert (reading.answer, reading.sections, reading.form.reward) == (SAID, SECTIONS, 0.0)


def test_a_section_that_speaks_of_the_answer_stays_a_section() -> None:
    output = THOUGHT.replace("先共情", "在 <answer> 里先共情") + ANSWER
    assert read_ecot(output).answer == SAID


def test_the_threshold_decides_what_is_good_enough() -> None:
    lower = judge_form(candidate(ANSWER), threshold=0.1)
    assert (lower.text, lower.form and lower.form.dropped) == (SAID, None)


def test_sections_can_be_read_again_from_what_is_stored() -> None:
    reasoning = read_ecot("好的。" + THOUGHT + ANSWER).reasoning
    assert reasoning is not None
    assert stored_sections(reasoning) == (SECTIONS, "好的。")


def test_a_reasoning_without_sections_is_told_whole() -> None:
    assert stored_sections("just a thought") == ({}, "just a thought")


NAMES = ["think", "thinking", "situation", "motivation", "strategy", "answer"]
tags = st.builds(
    lambda opened, slash, blank, name, closed: opened + blank + slash + name + blank + closed,
    st.sampled_from(["<", "＜", "&lt;"]),
    st.sampled_from(["", "", "/", "／"]),
    st.sampled_from(["", "", " "]),
    st.sampled_from([*NAMES, *(name.upper() for name in NAMES)]),
    st.sampled_from([">", ">", "＞", "&gt;", ""]),
)
noise = st.sampled_from(["<", "&", "</", "<ans", "```\n", "你好。", "A1 ", ">", " ", "\n"])
outputs = st.lists(tags | noise, max_size=16).map("".join)


@given(outputs, outputs, st.sampled_from(["thinking", "situation", "motivation", "strategy", "think"]))
def test_text_of_a_closed_section_is_never_part_of_an_answer(before: str, after: str, name: str) -> None:
    reading = read_ecot(f"{before}<{name}>SECRET</{name}>{after}")
    assert "SECRET" not in reading.answer


@given(outputs, outputs)
def test_text_outside_of_answer_tags_is_never_an_answer(before: str, after: str) -> None:
    calm = [one.replace("answer", "strategy").replace("ANSWER", "STRATEGY") for one in (before, after)]
    # Without a closed thought before it there is nothing that tells it from a thought.
    whole = f"{calm[0]}SECRET{calm[1]}".replace("/", "").replace("／", "")
    assert read_ecot(whole).answer == ""


@given(outputs, st.lists(st.integers(min_value=0), max_size=8), st.booleans())
def test_a_stream_in_any_chunks_passes_on_the_answer_of_the_whole(
    output: str, cuts: list[int], cut: bool
) -> None:
    parser = WholeAnswer()
    bounds = sorted({0, len(output), *(place % (len(output) + 1) for place in cuts)})
    passed_on = "".join(parser.feed(output[a:b]).text for a, b in pairwise(bounds))
    assert passed_on + parser.finish(cut=cut).text == read_ecot(output).answer


@given(outputs)
def test_no_answer_holds_a_tag(output: str) -> None:
    answer = read_ecot(output).answer.casefold()
    assert not any(f"{bracket}{name}" in answer for bracket in ("<", "＜", "&lt;", "/") for name in NAMES)
