"""Written replies exist for every case, differ, pass the checks themselves and promise nobody."""

from collections.abc import Callable
from functools import partial

import pytest

from safety.crisis_reply import (
    carried_replies,
    corrected_replies,
    corrects_it,
    fallback_reply,
    language_of,
    retracted_replies,
    takes_it_back,
    unsure_replies,
    written_replies,
    written_reply,
)
from safety.levels import RiskCategory, RiskLevel
from safety.reply_check import check_reply

_CARDS = [RiskLevel.MODERATE, RiskLevel.IMMINENT]


@pytest.mark.parametrize("locale", ["en", "zh", "zh-CN", "fr"])
@pytest.mark.parametrize("category", list(RiskCategory))
@pytest.mark.parametrize("level", list(RiskLevel))
def test_every_case_has_a_reply_that_passes_the_check(
    level: RiskLevel, category: RiskCategory, locale: str
) -> None:
    for variant in range(4):
        assert check_reply(written_reply(level, category, locale, variant), level).ok


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize("category", [RiskCategory.SUICIDE, RiskCategory.ABUSE, RiskCategory.CHILD_SAFETY])
def test_two_turns_in_a_row_read_differently(level: RiskLevel, category: RiskCategory, locale: str) -> None:
    assert written_reply(level, category, locale, 0) != written_reply(level, category, locale, 1)


@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize("category", list(RiskCategory))
def test_a_crisis_reply_asks_something_back(level: RiskLevel, category: RiskCategory) -> None:
    for variant in range(3):
        assert "?" in written_reply(level, category, "en", variant)
        assert "？" in written_reply(level, category, "zh", variant)


@pytest.mark.parametrize("category", list(RiskCategory))
def test_an_imminent_reply_points_to_people_now(category: RiskCategory) -> None:
    reply = written_reply(RiskLevel.IMMINENT, category, "en")
    assert any(word in reply for word in ("call", "line", "emergency"))


def test_without_risk_it_is_a_kind_fallback() -> None:
    assert written_reply(RiskLevel.NONE, RiskCategory.NONE, "en", 1) == fallback_reply("en", 1)


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_fallbacks_vary(locale: str) -> None:
    assert len({fallback_reply(locale, variant) for variant in range(4)}) == 4


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize(
    "written",
    [
        carried_replies,
        partial(carried_replies, category=RiskCategory.THIRD_PARTY),
        partial(carried_replies, category=RiskCategory.MEDICAL_EMERGENCY),
        partial(carried_replies, category=RiskCategory.GAMBLING),
        retracted_replies,
        corrected_replies,
    ],
)
def test_a_reply_without_a_sure_sign_passes_the_check_and_asks(
    written: Callable[[str], list[str]], locale: str
) -> None:
    replies = written(locale)
    assert len(set(replies)) == len(replies) >= 3
    assert all(check_reply(reply, RiskLevel.IMMINENT).ok for reply in replies)
    assert all("?" in reply or "？" in reply for reply in replies)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("category", list(RiskCategory))
def test_an_unsure_reply_asks_about_its_kind_of_danger(category: RiskCategory, locale: str) -> None:
    replies = unsure_replies(category, locale)
    assert len(set(replies)) == len(replies) >= 2
    for reply in replies:
        assert check_reply(reply, RiskLevel.IMMINENT).ok
        assert "?" in reply or "？" in reply
        assert "page" in reply or "页面" in reply


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_each_kind_of_danger_has_its_own_unsure_words(locale: str) -> None:
    kinds = {tuple(unsure_replies(category, locale)) for category in RiskCategory}
    assert len(kinds) == 11


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_an_overdose_is_urgent_however_it_feels(locale: str) -> None:
    feels = {"en": "however it feels|feels well|feeling fine|wait to see", "zh": "感觉|不要等"}[locale].split(
        "|"
    )
    for reply in written_replies(RiskLevel.IMMINENT, RiskCategory.MEDICAL_EMERGENCY, locale):
        assert any(word in reply for word in feels)
        assert "emergency number" in reply or "急救电话" in reply


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_a_plain_wish_has_replies_of_its_own_that_pass_the_check(locale: str) -> None:
    plain = written_replies(RiskLevel.MODERATE, RiskCategory.SUICIDE, locale, plainly=True)
    hinted = written_replies(RiskLevel.MODERATE, RiskCategory.SUICIDE, locale)
    assert not set(plain) & set(hinted)
    assert all(check_reply(reply, RiskLevel.MODERATE).ok for reply in plain)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("category", [RiskCategory.THIRD_PARTY, RiskCategory.MEDICAL_EMERGENCY])
def test_after_danger_to_somebody_else_the_writer_is_not_asked_about_own_thoughts(
    category: RiskCategory, locale: str
) -> None:
    own = ["thoughts from before", "Is somebody with you", "do you feel", "念头", "身边有人", "自己有多安全"]
    assert not any(words in reply for reply in carried_replies(locale, category) for words in own)


@pytest.mark.parametrize(
    "text",
    [
        "sorry, i mean she takes them for her heart",
        "I meant he's on tablets for his blood pressure",
        "what I meant is that she takes them every morning",
        "no no, they're just vitamins",
        "those are her heart pills",
        "oh it's prescribed",
        "you misunderstood me",
        "you've got that wrong",
        "that's not what I meant",
        "it came out wrong, sorry",
        "I meant in the film",
        "I mean my character lol",
        "抱歉，我是说她每天都吃，治心脏的",
        "我的意思是医生开的降压药",
        "你误会了",
        "我没说清楚，那是维生素",
        "我说错了",
        "不是那个意思",
        "其实是电影里的情节",
    ],
)
def test_a_correction_is_heard(text: str) -> None:
    assert corrects_it(text)


@pytest.mark.parametrize(
    "text",
    [
        "sorry, i mean she took 30 tablets for her heart",
        "i mean she takes them for her heart but she took all of them",
        "I meant I took them for my back, too many",
        "you misunderstood, i want to die",
        "I mean she is asleep on the floor",
        "I mean it",
        "I mean, the bus was late again",
        "sorry I was late",
        "they are just mean to me",
        "she takes the bus every morning",
        "我是说她把降压药全吃了",
        "你误会了，我是想死",
        "我没说清楚，她吃了一把心脏药",
        "我是说今天好冷",
        "那是我昨天买的书",
        "",
    ],
)
def test_more_danger_and_other_talk_are_no_correction(text: str) -> None:
    assert not corrects_it(text)


def test_a_retraction_is_not_any_sorry() -> None:
    assert not takes_it_back("I'm sorry I was late")


@pytest.mark.parametrize(
    ("text", "locale", "language"),
    [
        ("我好累", "en", "zh"),
        ("I can't sleep at all", "zh", "en"),
        ("ok", "zh", "zh"),
        ("??", "en", "en"),
        ("我在 office 里哭了", "en", "zh"),
    ],
)
def test_a_written_reply_speaks_the_language_of_the_message(text: str, locale: str, language: str) -> None:
    assert language_of(text, locale) == language


@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize("category", [RiskCategory.NONE, RiskCategory.HARM_TO_OTHERS, RiskCategory.SUICIDE])
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_unsure_reply_passes_the_check_asks_and_varies(
    level: RiskLevel, category: RiskCategory, locale: str
) -> None:
    replies = unsure_replies(category, locale, level)
    assert len(set(replies)) == len(replies) >= 2
    for reply in replies:
        assert check_reply(reply, RiskLevel.IMMINENT).ok
        assert "?" in reply or "？" in reply


def _to_a_plan_against_somebody(locale: str, level: RiskLevel) -> list[str]:
    category = RiskCategory.HARM_TO_OTHERS
    suspected = unsure_replies(category, locale, level) if level is RiskLevel.IMMINENT else []
    return [*written_replies(level, category, locale), *suspected]


@pytest.mark.parametrize(
    ("locale", "weapon", "alone", "call"),
    [
        (
            "en",
            ("weapon", "out of reach", "lock away", "what you would use"),
            ("alone", "away from them"),
            "emergency",
        ),
        ("zh", ("东西",), ("单独", "离开对方"), "急救电话"),
    ],
)
def test_a_stated_plan_against_somebody_is_heard(
    locale: str, weapon: tuple[str, ...], alone: tuple[str, ...], call: str
) -> None:
    for reply in _to_a_plan_against_somebody(locale, RiskLevel.IMMINENT):
        assert any(word in reply for word in weapon)
        assert any(word in reply for word in alone)
        assert call in reply


@pytest.mark.parametrize(("locale", "words"), [("en", ("keep", "put")), ("zh", ("距离", "远一点", "单独"))])
def test_a_thought_of_hurting_somebody_is_heard_too(locale: str, words: tuple[str, ...]) -> None:
    for reply in _to_a_plan_against_somebody(locale, RiskLevel.MODERATE):
        assert any(word in reply for word in words)
