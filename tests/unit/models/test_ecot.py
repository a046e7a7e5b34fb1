import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.ecot import ParsedReply, ReplyParser, parse_reply

ECOT = (
    "<thinking><situation>她失去了工作</situation>\n<motivation>想被理解</motivation>\n"
    "<strategy>先共情</strategy></thinking>\n<answer>\n听起来真的很难。\n</answer>"
)
NAMES = ["think", "thinking", "situation", "motivation", "strategy", "answer"]
OPEN, CLOSE = ["<", "＜", "&lt;", "&LT;", "&#60;", "&#x3C;", "&amp;lt;"], [">", "＞", "&gt;", "&#62;"]
TAG = re.compile(
    rf"(?:<|＜|&lt;?|&#60;|&#x3c;)\s*[/／]?\s*(?:{'|'.join(NAMES)})(?![a-z0-9])",
    re.IGNORECASE | re.ASCII,
)

pieces = st.sampled_from(
    [
        *(f"<{name}>" for name in NAMES),
        *(f"</{name}>" for name in NAMES),
        *(
            "<THINK>",
            "</ think >",
            "<",
            ">",
            "</",
            "<thin",
            "k>",
            "<answer",
            "answer>",
            "<b>",
            "<3",
            " ",
            "\n\n",
        ),
        *("a", "think", "Hello there. ", "你好。", "1 < 2", "\u212a"),
        *(
            "＜answer＞",
            "＜／answer＞",
            "＜ Thinking ＞",
            "&lt;answer&gt;",
            "&lt;/answer&gt;",
            "&amp;lt;think&gt;",
        ),
        *("＜", "＞", "／", "&", "&l", "&lt", "&lt;", "t;", "&gt;", "&#6", "0;", "&#x3", "&amp;", "lt;", ";"),
        *("```\n", "```xml\n", "<thinking", "</answer", "ANSWER>", "< / Strategy >", "\u3000"),
    ]
)
spelt = st.builds(
    lambda opened, blank, slash, name, closed: opened + blank + slash + blank + name + blank + closed,
    st.sampled_from(OPEN),
    st.sampled_from(["", " ", "\n", "\u3000"]),
    st.sampled_from(["", "/", "／"]),
    st.sampled_from([*NAMES, *(name.upper() for name in NAMES), *(name.title() for name in NAMES)]),
    st.sampled_from([*CLOSE, ""]),
)
pieces = pieces | spelt
outputs = st.lists(pieces, max_size=16).map("".join)


def parse_in_chunks(
    output: str, cuts: list[int], *, expect_thought: bool, cut: bool
) -> tuple[ParsedReply, str]:
    """The result, and what was passed on as the reply while it arrived."""
    parser = ReplyParser(expect_thought=expect_thought)
    bounds = [0, *sorted(cut % (len(output) + 1) for cut in cuts), len(output)]
    passed_on = "".join(parser.feed(output[start:end]).text for start, end in pairwise(bounds))
    passed_on += parser.finish(cut=cut).text
    return parser.result(), passed_on


@given(outputs, st.lists(st.integers(min_value=0), max_size=8), st.booleans(), st.booleans())
def test_any_chunking_gives_the_same_result_as_the_whole(
    output: str, cuts: list[int], expect_thought: bool, cut: bool
) -> None:
    chunked, _ = parse_in_chunks(output, cuts, expect_thought=expect_thought, cut=cut)
    assert chunked == parse_reply(output, expect_thought=expect_thought, cut=cut)


@given(outputs, st.lists(st.integers(min_value=0), max_size=8), st.booleans())
def test_no_tag_reaches_the_reply_whole_or_in_halves(
    output: str, cuts: list[int], expect_thought: bool
) -> None:
    result, passed_on = parse_in_chunks(output, cuts, expect_thought=expect_thought, cut=False)
    assert not TAG.search(result.text)
    assert not TAG.search(passed_on)


@given(st.text(alphabet="ab <\n", max_size=20), outputs, st.lists(st.integers(min_value=0), max_size=8))
def test_a_thought_is_never_passed_on(before: str, after: str, cuts: list[int]) -> None:
    output = f"{before}<think>SECRET{_never_closed(after)}"
    result, passed_on = parse_in_chunks(output, cuts, expect_thought=False, cut=True)
    assert "SECRET" not in result.text + passed_on


def _never_closed(output: str) -> str:
    """Without any slash, whole or encoded."""
    return output.replace("/", " ").replace("／", " ").replace("&#47;", " ")


@given(st.text(alphabet="ab .\n", min_size=1), st.lists(st.integers(min_value=0), max_size=8))
def test_a_thought_the_template_opened_is_never_passed_on(thought: str, cuts: list[int]) -> None:
    _, passed_on = parse_in_chunks(f"{thought}</think>Hello.", cuts, expect_thought=True, cut=False)
    assert passed_on == "Hello."


@given(outputs.map(_never_closed), st.lists(st.integers(min_value=0), max_size=8))
def test_what_is_passed_on_adds_up_to_the_reply(output: str, cuts: list[int]) -> None:
    result, passed_on = parse_in_chunks(output, cuts, expect_thought=False, cut=False)
    assert passed_on == result.text


@given(st.text(alphabet=st.characters(exclude_characters="<＜&")))
def test_text_without_tags_is_the_reply(text: str) -> None:
    assert parse_reply(text) == ParsedReply(text.strip(), None)


@pytest.mark.parametrize(
    ("output", "text", "reasoning"),
    [
        ("<think>hm</think>\n\nHello.", "Hello.", "hm"),
        ("<think>never closed", "", "never closed"),
        ("<think>says <answer>no</answer></think>Yes.", "Yes.", "says no"),
        ("stray thought</think>\nHello.", "Hello.", "stray thought"),
        ("<thinking>a <answer>Hello.", "Hello.", "a"),
        (
            "<thinking><strategy>use <answer> well</strategy></thinking><answer>Hi.</answer>",
            "Hi.",
            "use  well",
        ),
        ("<answer>Hi.</answer> Human: what?", "Hi.", None),
        ("Hello.<think", "Hello.", None),
        ("I <3 you and 1 < 2", "I <3 you and 1 < 2", None),
        ("<THINK>hm</THINK>Hi.", "Hi.", "hm"),
        ("", "", None),
    ],
)
def test_outputs_are_taken_apart(output: str, text: str, reasoning: str | None) -> None:
    parsed = parse_reply(output)
    assert (parsed.text, parsed.reasoning) == (text, reasoning)


def test_ecot_sections_are_told_by_name() -> None:
    assert parse_reply(ECOT) == ParsedReply(
        "听起来真的很难。",
        "她失去了工作\n\n想被理解\n\n先共情",
        {"situation": "她失去了工作", "motivation": "想被理解", "strategy": "先共情"},
    )


def test_an_expected_thought_that_never_came_is_a_reply() -> None:
    assert parse_reply("Hello.", expect_thought=True).text == "Hello."


def test_an_expected_thought_that_was_cut_stays_a_thought() -> None:
    assert parse_reply("she must be", expect_thought=True, cut=True) == ParsedReply("", "she must be")


@pytest.mark.parametrize("opened", OPEN)
@pytest.mark.parametrize("closed", CLOSE)
def test_brackets_of_every_spelling_make_a_tag(opened: str, closed: str) -> None:
    output = ECOT.replace("<", opened).replace(">", closed)
    assert parse_reply(output) == parse_reply(ECOT)


@pytest.mark.parametrize(
    ("output", "text"),
    [
        ("<thinking 她很难过</thinking>听起来很难。", "听起来很难。"),
        ("<thinking\n她很难过\n</thinking\n<answer>听起来很难。</answer>", "听起来很难。"),
        ("她很难过</situation>听起来很难。", "听起来很难。"),
        ("<answer>听起来很难。</answer", "听起来很难。"),
        ("听起来很难。</ans", "听起来很难。"),
        ("听起来很难。&lt;/ans", "听起来很难。"),
        ("<answer/>听起来很难。", "听起来很难。"),
        ("Tom & Anna", "Tom & Anna"),
        ("just us two &", "just us two &"),
        ("a thinker <thinker> and 3 &lt; 4", "a thinker <thinker> and 3 &lt; 4"),
        ("&<think>hm</think>lt;answer&gt;Hi.", "lt;answer&gt;Hi."),
    ],
)
def test_half_tags_are_read_with_care(output: str, text: str) -> None:
    assert parse_reply(output).text == text


@given(
    st.text(alphabet="ab .", min_size=1),
    st.sampled_from(OPEN),
    st.sampled_from(CLOSE),
    st.sampled_from(["situation", "motivation", "strategy"]),
    st.lists(st.integers(min_value=0), max_size=8),
)
def test_a_section_in_any_spelling_stays_a_thought(
    text: str, opened: str, closed: str, name: str, cuts: list[int]
) -> None:
    output = f"{opened}{name}{closed}SECRET {text}{opened}/{name}{closed}Hello."
    result, passed_on = parse_in_chunks(output, cuts, expect_thought=False, cut=False)
    assert (result.text, passed_on) == ("Hello.", "Hello.")
