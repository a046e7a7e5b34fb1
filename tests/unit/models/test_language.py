import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.language import Evidence, conversation_language, evidence


@pytest.mark.parametrize(
    ("text", "language", "clear"),
    [
        ("我最近总是睡不着，心里很乱", "zh", True),
        ("I can't sleep and my head won't stop", "en", True),
        ("好累", "zh", False),
        ("so tired", "en", False),
        ("我的boss今天又骂我了", "zh", True),
        ("My friend said 加油 but it did not help me at all", "en", True),
        ("我們吵架了，她不理我", "zh", True),
        ("ok", None, False),
        ("OK, thanks", None, False),
        ("Jenny", None, False),
        ("?!… 123 😢", None, False),
        ("", None, False),
        ("我今天 failed my exam 好难过", None, False),
        ("https://example.org/a/long/address/in/latin/letters 好累", "zh", False),
        ("眠れない、とても疲れた", None, False),
        ("잠을 못 자요", None, False),
        ("Я очень устал", None, False),
    ],
)
def test_a_message_says_something_or_nothing(text: str, language: str | None, clear: bool) -> None:
    assert evidence(text) == Evidence(language, clear)  # type: ignore[arg-type]


ZH, EN = "我最近总是睡不着，心里很乱", "I can't sleep and my head won't stop"


@pytest.mark.parametrize(
    ("messages", "page", "language"),
    [
        ([], "en", "en"),
        ([], "zh", "zh"),
        ([], "zh-Hans", "zh"),
        (["好累"], "en", "zh"),
        (["so tired"], "zh", "en"),
        (["ok"], "zh", "zh"),
        ([ZH, "ok thanks"], "en", "zh"),
        ([ZH, "feel better"], "en", "en"),
        ([ZH, "feel better"], "zh", "zh"),
        ([ZH, "feel better", "still here"], "zh", "en"),
        ([ZH, "feel better", "嗯嗯好的", "still here"], "zh", "zh"),
        ([ZH, EN], "zh", "en"),
        ([EN, ZH], "en", "zh"),
        ([EN, "好累"], "en", "en"),
        ([EN, "好累"], "zh", "zh"),
        ([EN], "zh", "en"),
        ([ZH, "我今天 failed my exam 好难过"], "en", "zh"),
        ([EN, "加油", "ok", "哈哈"], "en", "zh"),
    ],
)
def test_a_conversation_changes_language_by_clear_evidence_only(
    messages: list[str], page: str, language: str
) -> None:
    assert conversation_language(messages, page) == language


@given(st.lists(st.sampled_from(["ok", "123", "😢", "Anna", "哈 haha yes okay fine good"]), max_size=8))
def test_messages_that_say_nothing_change_nothing(messages: list[str]) -> None:
    said = [one for one in messages if evidence(one).language is None]
    assert conversation_language([ZH, *said], "en") == "zh"
    assert conversation_language([EN, *said], "zh") == "en"
