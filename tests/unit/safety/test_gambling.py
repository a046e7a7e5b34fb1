"""Bets are a kind of their own: category, card, lines, and what is written to whoever lost."""

import re
from collections.abc import Mapping

import pytest

from safety.crisis_reply import (
    carried_replies,
    followed_up_replies,
    unsure_replies,
    written_replies,
)
from safety.helpline_file import LineEntry, read_helplines
from safety.helplines import HelplineDirectory
from safety.levels import RiskCategory, RiskLevel, RiskMatch, SessionRisk
from safety.normalize import NormalizedText
from safety.reply_check import check_reply
from safety.risk import RiskAssessor
from safety.spelling_tables import RULES_FOLDER

GAMBLING, SUBSTANCE, SUICIDE = RiskCategory.GAMBLING, RiskCategory.SUBSTANCE, RiskCategory.SUICIDE
_CARDS = [RiskLevel.MODERATE, RiskLevel.IMMINENT]
_COUNTRIES = read_helplines(RULES_FOLDER.parent / "helplines.json").countries
_OWN_LINE = sorted(
    code for code, entry in _COUNTRIES.items() if any(GAMBLING in line.categories for line in entry.lines)
)


class _SaysSubstance:
    """A classifier that takes every message for one about substances."""

    is_whole = True

    def __init__(self, level: RiskLevel = RiskLevel.MODERATE) -> None:
        self._level = level

    def find(self, text: NormalizedText, suspicion: Mapping[int, int]) -> list[RiskMatch]:
        del suspicion
        return [RiskMatch(self._level, SUBSTANCE, "classifier", "classifier.substance", 0, len(text.text))]


def _with(assessor: RiskAssessor, level: RiskLevel = RiskLevel.MODERATE) -> RiskAssessor:
    classifier = _SaysSubstance(level)
    return RiskAssessor(assessor._normalizer, assessor._engine, classifier)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    "text",
    [
        "i put our rent on a horse and she doesnt know",
        "gambled away our savings, my wife doesn't know",
        "A year clean from gambling and last night I was back on the slots till 4",
        "I keep betting what we don't have. The savings account is at zero.",
        "把房租都押在球赛上了，老婆还不知道",
        "我赌博输了二十万，借了好几个网贷平台，还想翻本",
        "戒赌一年昨晚又下了注，没忍住",
        "女儿的学费被我赌没了",
    ],
)
def test_rules_know_bets(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.MODERATE, GAMBLING)
    assert found.session.category is GAMBLING


@pytest.mark.parametrize(
    "text",
    [
        "been back at the casino every night this week",
        "one more bet and i win it all back",
        "sold my watch for the roulette table",
        "my wages went on the machines",
        "the bookies again. i hate myself",
        "chasing my losses since easter",
        "i dont drink, i just can't leave the slots alone",
        "200 days sober from gambling and then the poker night",
        "手机里的博彩软件删了又下",
        "给孩子看病的钱，我拿去买了足彩",
        "又去賭了，停不下來",
        "我不喝酒，就是戒不掉赌",
        "刮刮乐一天要买五百块",
        "学费全输了，还想捞回来",
    ],
)
@pytest.mark.parametrize("level", [RiskLevel.LOW, *_CARDS])
def test_what_the_classifier_says_of_substances_is_said_of_bets(
    assessor: RiskAssessor, level: RiskLevel, text: str
) -> None:
    findings = _with(assessor, level).assess(text, SessionRisk()).matches
    categories = [match.category for match in findings if match.layer == "classifier"]
    assert categories == [GAMBLING]


@pytest.mark.parametrize(
    "text",
    [
        "drunk again, and then the casino till dawn",
        "i take pills to stay awake at the tables of the casino",
        "coke and poker, same weekend as every weekend",
        "rehab let me out and i went straight to the bookies and the bottle shop for vodka",
        "i buy them off a man at the bookies and I count the hours",
        "喝完酒就想去赌，昨晚又输了",
        "在牌桌上输红了眼，靠冰毒撑着",
        "戒了三回，又赌又喝",
    ],
)
def test_drink_and_drugs_come_before_bets(assessor: RiskAssessor, text: str) -> None:
    """The card about substances names the danger to the body, which can't wait for the money."""
    found = _with(assessor).assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.MODERATE, SUBSTANCE)


@pytest.mark.parametrize(
    "text",
    [
        "she bet me I couldn't get through the day without it, and I couldn't",
        "you bet I will, again and again",
        "I'm betting that it gets worse",
        "i gamble with my health every single weekend",
        "I'd bet my life on it",
        "我跟他打赌能停一周，结果第二天就又来了",
        "跟他赌气，又开始了",
        "我输液的时候只想着那个",
    ],
)
def test_figures_of_speech_are_no_bets(assessor: RiskAssessor, text: str) -> None:
    found = _with(assessor).assess(text, SessionRisk())
    assert (found.level, found.category) == (RiskLevel.MODERATE, SUBSTANCE)


@pytest.mark.parametrize(
    "text", ["I drank and lost the rent on the slots again", "喝了点酒，把房租都输在老虎机上了"]
)
def test_where_a_rule_read_the_loss_a_drink_beside_it_changes_nothing(
    assessor: RiskAssessor, text: str
) -> None:
    """The rule names what is out of hand; the classifier's guess, which the drink keeps, stands behind it."""
    found = _with(assessor).assess(text, SessionRisk())
    assert found.category is GAMBLING
    assert {match.category for match in found.matches} == {GAMBLING, SUBSTANCE}


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("I gambled away our savings and I want to die", SUICIDE),
        ("把房租都输光了，我不想活了", SUICIDE),
        ("gambled away the rent and I cut my arms again last night", RiskCategory.SELF_HARM),
    ],
)
def test_money_waits_for_every_other_danger(
    assessor: RiskAssessor, text: str, category: RiskCategory
) -> None:
    found = assessor.assess(text, SessionRisk())
    assert found.category is category
    assert GAMBLING in {match.category for match in found.matches}


@pytest.mark.parametrize(
    ("text", "category"),
    [("I don't feel safe", GAMBLING), ("我现在不安全", GAMBLING), ("yes, I have a plan", SUICIDE)],
)
def test_what_answers_the_question_after_bets_is_imminent(
    assessor: RiskAssessor, text: str, category: RiskCategory
) -> None:
    found = assessor.assess(text, SessionRisk(RiskLevel.MODERATE, GAMBLING))
    assert (found.level, found.category) == (RiskLevel.IMMINENT, category)


@pytest.mark.parametrize(
    "text", ["I have a plan to win it back", "I have a plan to repay her", "tonight", "I'll tell her tonight"]
)
def test_a_plan_for_the_money_is_none_to_die(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk(RiskLevel.MODERATE, GAMBLING))
    assert found.level is RiskLevel.MODERATE


@pytest.mark.parametrize("text", ["so can I keep going?", "那我可以继续吗"])
def test_a_permission_to_go_on_is_asked_for_after_bets_too(assessor: RiskAssessor, text: str) -> None:
    found = assessor.assess(text, SessionRisk(RiskLevel.MODERATE, GAMBLING))
    assert ("combo.answer_permission", GAMBLING) in {(match.rule, match.category) for match in found.matches}


def _lines(code: str) -> Mapping[str, LineEntry]:
    return {line.id: line for line in _COUNTRIES[code].lines} if code in _COUNTRIES else {}


@pytest.mark.parametrize("young", [False, True])
@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize("code", [*sorted(_COUNTRIES), "XX"])
def test_no_card_about_bets_has_a_line_for_poisons(
    directory: HelplineDirectory, code: str, level: RiskLevel, young: bool
) -> None:
    card = directory.card(code, level, GAMBLING, young=young)
    own = _lines(code)
    about = [own[line.id].categories for line in card.lines if line.id in own]
    assert [kinds for kinds in about if RiskCategory.MEDICAL_EMERGENCY in kinds] == []


@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize("code", _OWN_LINE)
def test_a_line_for_bets_comes_first_and_one_for_a_wish_to_die_beside_it(
    directory: HelplineDirectory, code: str, level: RiskLevel
) -> None:
    lines = directory.card(code, level, GAMBLING).lines
    assert GAMBLING in lines[0].categories
    assert any(SUICIDE in line.categories for line in lines if line.id.startswith(code.lower()))


@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("CN", ["cn-12356", "cn-beijing", "zz-find"]),
        ("TW", ["tw-1925", "tw-1995", "zz-find"]),
        ("JP", ["jp-yorisoi", "jp-inochisos", "zz-find"]),
        ("CA", ["ca-988", "zz-find"]),
        ("AT", ["at-142", "zz-find"]),
        ("IN", ["in-telemanas", "zz-find"]),
        ("RO", ["zz-find", "zz-befrienders"]),
        ("XX", ["zz-find", "zz-befrienders"]),
    ],
)
def test_without_a_line_for_bets_those_for_everything_stand_there(
    directory: HelplineDirectory, code: str, lines: list[str], level: RiskLevel
) -> None:
    assert [line.id for line in directory.card(code, level, GAMBLING).lines] == lines


@pytest.mark.parametrize(("locale", "words"), [("en", "talk about bets"), ("zh", "谈赌")])
@pytest.mark.parametrize("code", [*sorted(_COUNTRIES), "XX"])
def test_a_card_says_that_its_lines_know_about_bets_only_where_one_does(
    directory: HelplineDirectory, code: str, locale: str, words: str
) -> None:
    message = directory.card(code, RiskLevel.MODERATE, GAMBLING, locale).message
    assert (words in message) is (code in _OWN_LINE)


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("level", _CARDS)
@pytest.mark.parametrize("code", ["US", "CN", "XX"])
def test_the_words_of_the_card_are_about_bets_and_name_the_emergency_number(
    directory: HelplineDirectory, code: str, level: RiskLevel, locale: str
) -> None:
    card = directory.card(code, level, GAMBLING, locale)
    substance = directory.card(code, level, SUBSTANCE, locale)
    assert (card.title, card.message) != (substance.title, substance.message)
    assert _of_substances(card.title + card.message) == []
    number = card.emergency[0] if card.emergency else {"US": "911", "CN": "110", "XX": "112"}[code]
    assert number in card.message
    assert bool(card.emergency) is (level is RiskLevel.IMMINENT and code != "XX")


def test_a_moderate_card_about_bets_has_no_emergency_button(directory: HelplineDirectory) -> None:
    assert directory.card("GB", RiskLevel.MODERATE, GAMBLING).emergency == ()


def _of_substances(text: str) -> list[str]:
    words = (
        r"\b(?:doctor|dose\w*|withdraw\w*|stopping suddenly|numb(?:ing|ness)?|tablets?|drugs?|drink\w*|"
        r"poison\w*|taken|swallowed|package|wake|hospital|relapse)\b|医生|剂量|戒断|停用|麻木|药|毒|酒|服用|吃了|包装|叫不醒|复发"
    )
    return re.findall(words, text.lower())


def _all(locale: str) -> dict[str, list[str]]:
    return {
        "moderate": written_replies(RiskLevel.MODERATE, GAMBLING, locale),
        "imminent": written_replies(RiskLevel.IMMINENT, GAMBLING, locale),
        "suspected": unsure_replies(GAMBLING, locale),
        "suspected now": unsure_replies(GAMBLING, locale, RiskLevel.IMMINENT),
        "carried": carried_replies(locale, GAMBLING),
        "permission": followed_up_replies("permission_asked", GAMBLING, locale),
    }


_EACH = [
    (locale, kind, reply) for locale in ("en", "zh") for kind, some in _all(locale).items() for reply in some
]


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_there_are_several_replies_of_each_kind_and_no_two_begin_alike(locale: str) -> None:
    replies = [reply for some in _all(locale).values() for reply in some]
    assert {kind for kind, some in _all(locale).items() if len(some) < 2} == set()
    assert min(len(_all(locale)[kind]) for kind in ("moderate", "imminent")) == 3
    begins = [reply[:4] if locale == "zh" else " ".join(reply.split()[:3]) for reply in replies]
    assert len(set(begins)) == len(replies)


@pytest.mark.parametrize(("locale", "kind", "reply"), _EACH)
def test_a_reply_about_bets_is_of_no_substance_and_ends_with_its_one_question(
    locale: str, kind: str, reply: str
) -> None:
    mark = {"en": "?", "zh": "？"}[locale]
    assert _of_substances(reply.replace("have done something already", "").replace("被发现的滋味", "")) == []
    assert reply.count(mark) == 1
    assert reply.endswith(mark)
    assert kind == "carried" or "page" in reply or "页面" in reply
    assert all(check_reply(reply, level).ok for level in RiskLevel)


@pytest.mark.parametrize(
    ("locale", "words"), [("en", "suicide|killing yourself|dead"), ("zh", "自杀|生命|死")]
)
def test_whoever_lost_is_asked_about_suicide_in_plain_words(locale: str, words: str) -> None:
    for reply in (*_all(locale)["moderate"], *_all(locale)["suspected"][:2]):
        question = re.split("[.:。：]", reply)[-1]
        assert re.search(words, question), question


@pytest.mark.parametrize(
    ("locale", "steps"),
    [("en", "card|self-exclusion|app|one person"), ("zh", "卡|禁赌|软件|一个人")],
)
def test_a_small_next_step_is_named(locale: str, steps: str) -> None:
    for kind in ("moderate", "suspected", "permission"):
        assert all(re.search(steps, reply) for reply in _all(locale)[kind])


@pytest.mark.parametrize("kind", ["imminent", "suspected now"])
@pytest.mark.parametrize(("locale", "number"), [("en", "emergency number"), ("zh", "急救电话")])
def test_where_it_may_be_now_the_emergency_number_is_named(locale: str, number: str, kind: str) -> None:
    assert all(number in reply for reply in _all(locale)[kind])


def test_the_american_number_that_changed_hands_is_not_listed() -> None:
    numbers = {line.call for line in _COUNTRIES["US"].lines if GAMBLING in line.categories}
    assert numbers == {"1-800-697-3738", "1-800-426-2537"}
