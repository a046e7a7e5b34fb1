import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from models.cleanup import clean_reply


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("[Validation] That is hard. **Questioning** What now?", "That is hard. What now?"),
        ("Validation: It's okay.\nQuestioning: Why?", "It's okay.\nWhy?"),
        ("(Emotional Expression) I am sorry.", "I am sorry."),
        ("**Validation:** It makes sense.", "It makes sense."),
        ("### Advice\nTry to rest.", "Try to rest."),
        ("【共情】我理解你。提问：怎么了？", "我理解你。怎么了？"),
        ("I hear you.\n\n**Probability:** 0.8\n**Tactic Used:** validation, empowerment", "I hear you."),
        ("[Validation, Questioning] That is hard.", "That is hard."),
    ],
)
def test_labels_are_taken_out(raw: str, shown: str) -> None:
    clean = clean_reply(raw)
    assert (clean.text, clean.penalties) == (shown, ("visible_label",))


@pytest.mark.parametrize(
    "text",
    [
        "I gave him advice: he left.",
        "Your validation of her mattered. Good question!",
        "*What feels right?* Maybe rest.",
        "It took 2.5 hours. That is long.",
        "You said: “User: unknown”, and that hurt.",
        "You are worth it (really).",
        "I feel 50/50 - and that is fine.",
        "你的感受很正常，慢慢来。",
    ],
)
def test_plain_sentences_stay_as_they_are(text: str) -> None:
    assert clean_reply(text).text == text
    assert clean_reply(text).penalties == ()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Try this:\n- Breathe in\n- Walk\n\nWhat helps?", "Try this: Breathe in. Walk. What helps?"),
        ("Here:\n1. Breathe\n2. Walk a bit.\nOk?", "Here: Breathe. Walk a bit. Ok?"),
        ("你可以：\n1、深呼吸\n2、散步\n你觉得呢？", "你可以：深呼吸。散步。你觉得呢？"),
        ("* One step\n* Another step", "One step. Another step."),
        ("You could 1) rest, 2) sleep.", "You could rest, sleep."),
    ],
)
def test_lists_become_sentences(raw: str, shown: str) -> None:
    clean = clean_reply(raw)
    assert (clean.text, clean.penalties) == (shown, ("list",))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("<think>hm</think>Hi there.", "Hi there."),
        ("so the person is sad\n</think>\n\nHi there.", "Hi there."),
        ("Hi there. <think>was that good", "Hi there."),
        ("<think>only thoughts", ""),
    ],
)
def test_reasoning_is_dropped(raw: str, shown: str) -> None:
    clean = clean_reply(raw)
    assert (clean.text, clean.penalties) == (shown, ("leaked_reasoning",))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Assistant: I hear you.\nUser: thanks\nAssistant: ok", "I hear you."),
        ("I hear you.<|im_end|>\n<|im_start|>user\nok", "I hear you."),
        ("<|im_start|>assistant\nI hear you.", "I hear you."),
        ("助手：我在。\n用户：谢谢", "我在。"),
        ("I hear you.\n**User:** and then", "I hear you."),
    ],
)
def test_role_markers_end_the_reply(raw: str, shown: str) -> None:
    clean = clean_reply(raw)
    assert (clean.text, clean.penalties) == (shown, ("role_marker",))


def test_of_several_replies_the_first_is_kept() -> None:
    raw = "<response>\n<text>It is okay.</text>\n<probability>0.3</probability>\n<response><text>B.</text>"
    clean = clean_reply(raw)
    assert (clean.text, clean.penalties) == ("It is okay.", ("several_replies",))


def test_a_name_placeholder_is_taken_out() -> None:
    clean = clean_reply("You’re not alone in this, [Name]. Rest.")
    assert (clean.text, clean.penalties) == ("You’re not alone in this. Rest.", ("placeholder",))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("I hear you. You are not alone and", "I hear you."),
        ("我在这里。你可以慢慢", "我在这里。"),
        ("I hear", ""),
    ],
)
def test_a_cut_sentence_is_trimmed(raw: str, shown: str) -> None:
    clean = clean_reply(raw, "length")
    assert (clean.text, clean.penalties) == (shown, ("unfinished",))


@pytest.mark.parametrize(
    "text", ["I hear you.", "I hear you. 💛", "我在。", "“I hear you.” she said. *Yes.*"]
)
def test_a_finished_sentence_is_not_trimmed(text: str) -> None:
    assert clean_reply(text, "length").text == text


def test_a_reply_that_was_not_cut_may_lack_an_end_mark() -> None:
    assert clean_reply("Take good care").text == "Take good care"


@pytest.mark.parametrize(
    "raw", ["", "  \n", "**Validation**", "[Questioning]", "💛", "...", "- ", "Validation:"]
)
def test_nothing_but_labels_and_marks_is_not_usable(raw: str) -> None:
    assert not clean_reply(raw).usable


def test_quotation_marks_around_the_whole_reply_go() -> None:
    assert clean_reply('"I am here."').text == "I am here."


PIECES = st.sampled_from(
    [
        "I hear you.",
        " ",
        "\n",
        "- ",
        "1. ",
        "[Validation]",
        "**Advice:** ",
        "User: ",
        "<think>",
        "</think>",
        "我在。",
        "<|im_end|>",
        "<text>",
        "💛",
        '"',
        "*",
        "Assistant:",
        "# ",
        "[Name]",
        "question",
        "a",
    ]
)
RAW = st.lists(PIECES, max_size=12).map("".join)


@given(RAW)
@example("[Val[Validation]idation] a")
def test_cleaning_twice_changes_nothing(raw: str) -> None:
    once = clean_reply(raw).text
    assert clean_reply(once).text == once


@given(RAW)
def test_what_is_usable_has_letters_and_no_markers(raw: str) -> None:
    text = clean_reply(raw, "length").text
    assert text == "" or any(c.isalpha() for c in text)
    assert "<|im_end|>" not in text
    assert "<think>" not in text


@given(st.text(max_size=200))
def test_any_text_can_be_cleaned(raw: str) -> None:
    assert clean_reply(raw).text == clean_reply(raw).text.strip()
