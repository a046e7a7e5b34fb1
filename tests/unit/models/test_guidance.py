import pytest

from models.guidance import guides_to_safety


@pytest.mark.parametrize(
    "reply",
    [
        "Are you safe right now?",
        "Please call the crisis line on this page.",
        "Are you thinking about suicide?",
        "Could someone you trust stay with you?",
        "Is there a person who can be with you tonight?",
        "请拨打页面上的热线。",
        "你现在安全吗？",
        "可以请信任的人陪着你吗？",
    ],
)
def test_safety_guidance_is_found(reply: str) -> None:
    assert guides_to_safety(reply)


@pytest.mark.parametrize("reply", ["That sounds exhausting.", "What happened then?", "听起来你很累。", ""])
def test_other_replies_are_none(reply: str) -> None:
    assert not guides_to_safety(reply)
