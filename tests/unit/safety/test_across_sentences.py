"""Hints that only two or three sentences together give, and their ordinary twins."""

from pathlib import Path

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.risk import RiskAssessor
from safety.rule_book import load_rule_book
from safety.rules import MAX_UNIT, SENTENCES_ACROSS, RuleEngine, neighbours, split_units

_MODERATE = [
    "No one would notice until the rent is late. I did the maths on the bus.",
    "I was googling how other people did it. I closed the tab. I opened it again.",
    "I'm thinking about it again. I promised my nurse I had stopped.",
    "I had a plan when I was seventeen. Lately I've been thinking about it again.",
    "I always lean over the railing on the way home. Every time a bit too long, and I had to step back.",
    "I keep that song on repeat. I want it at my funeral. Somebody should know that.",
    "I wear a hoodie all summer. My aunt asks why. I say I like it.",
    "My teacher saw the scratches. I said it was the cat.",
    "She asked about the lines on my arm. I blamed the cat. We've never had a cat.",
    "The kids would get the insurance. It's a better deal than me.",
    "I said no. He kept going.",
    "My uncle did it. I understand him better every year.",
    "Ninety days clean. Then on Sunday I did it again.",
    "I keep picturing running him over. It's so clear.",
    "I'm using again. Nobody at the meetings knows.",
    "一直在查别人是怎么走的。看完就关掉，过一会儿又打开。",
    "我这一身病，拖累全家。早点走大家都轻松。",
    "我们楼上个月有人跳了。邻居都说可惜。我却有点羡慕。",
    "四十度的天，只有我穿着长袖。老师问我热不热，我说不热。",
    "手腕上好几道口子。我跟妈妈说是猫抓的。",
    "又想那个了。没告诉医生。",
    "那首歌，我想在自己的葬礼上放。",
    "新鞋就不买了。反正也穿不了几次。",
]
_TWINS = [
    "No one would notice the stain until the rent is due. I covered it with a rug.",
    "I was googling how other people did it, the marathon I mean. I closed the tab and put my shoes on.",
    "I'm thinking about it again, the caravan. My wife says yes.",
    "I had a plan when I was seventeen: Paris. Then I met Tom.",
    "I always lean over the railing on the way home. The ducks are nesting there, such a pretty view.",
    "I keep that song on repeat. I want it at my wedding. And at my funeral, lol.",
    "I wear a hoodie all summer. The office air con is brutal, my aunt asks why I bother with sandals.",
    "My teacher saw the drawing. I said it was the cat.",
    "The cat scratched my arms when I bathed him. He's dry now and still cross.",
    "The kids would get the bigger room. It's a better deal than now.",
    "I said no. He asked my sister to dance.",
    "My uncle did it. He finally opened a bakery.",
    "Ninety days without sugar. Then on Sunday there was cake.",
    "I keep picturing him in that hat. It's so funny.",
    "I'm using the bike again. Nobody at the office knows the shortcut.",
    "一直在查别人是怎么做糖醋排骨的。看完就关掉，过一会儿又打开。",
    "路上堵，早点走大家都轻松。",
    "我们组上个月有人走了，去上海发展。大家都说可惜。我却有点羡慕。",
    "四十度的天，只有我穿着长袖。公司空调太冷，老师问我热不热。",
    "手背上好几道红印。给猫洗澡抓的。",
    "又想那个了，巷口那家烤鱼。",
    "那首歌，我想在婚礼上放。",
    "新鞋就不买了。反正孩子长个快，也穿不了几次。",
]
_IMMINENT = [
    "I took a lot more than I was supposed to. I feel heavy. Don't tell anyone.",
    "It's all set up in the shed. I did try, somebody should hear that.",
    "Goodbye. You've been kind to me. It's not your fault.",
    "I don't want my little girl to find me. So it won't be at home.",
    "刚吞了两板。妈妈在客厅，她不知道。",
    "绳子也带来了。别怪任何人，对不起。",
    "胳膊上口子很深。按着也止不住，头晕。",
]
_IMMINENT_TWINS = [
    "I took a lot more photos than I was supposed to. My arm feels heavy. Don't tell the museum.",
    "It's all set up in the shed. The guests come at six, I did try to keep it a secret.",
    "Goodbye. Have a good week.",
    "I don't want my little girl to find me. Best hiding spot ever.",
    "刚吃了两板巧克力。妈妈在客厅，她不知道。",
    "绳子也带来了。烧烤架在后备箱，对不起让大家久等。",
    "菜板上口子很深。洗了几遍还是有味道。",
]


@pytest.mark.parametrize("text", _MODERATE)
def test_a_hint_over_sentences_gets_a_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize("text", _IMMINENT)
def test_danger_told_over_sentences_is_imminent(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.IMMINENT


@pytest.mark.parametrize("text", [*_TWINS, *_IMMINENT_TWINS])
def test_its_twin_gets_none(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


def test_a_hint_is_found_anywhere_in_a_long_message_and_over_line_ends(assessor: RiskAssessor) -> None:
    filler = "The week was long and grey. We talked about the bus. "
    hint = "No one would notice until the rent is late.\nI did the maths on the bus. "
    text = filler * 20 + hint + filler * 20
    found = assessor.assess(text, SessionRisk())
    assert found.level is RiskLevel.MODERATE
    first = found.matches[0]
    assert text[first.start : first.end].startswith("No one would notice")
    assert first.category is RiskCategory.SUICIDE


def test_a_phrase_wrapped_inside_is_found_too(assessor: RiskAssessor) -> None:
    text = "I keep that song on repeat. I want it at my\nfuneral. Somebody should know that."
    assert assessor.assess(text, SessionRisk()).level is RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "took all my vitamins every morning this week, so proud",
        "if looks could kill i'd be six feet under",
        "the kitten scratched my hand when I fed her",
        "i just want it all to stop for a minute, the phones, the forms",
        "躲在厕所吃了个鸡腿，没分给弟弟",
        "再堵车我就跳河了",
        "奶奶总说活不过今年，打麻将到半夜",
        "太困了，让我死在沙发上",
        "这单拿不下来大家一起死",
        "在山顶栏杆边坐着等日出，风大",
    ],
)
def test_ordinary_talk_with_the_same_words_gets_none(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "took all my tablets, I'm getting sleepy",
        "i just want it all to stop",
        "i'd kill myself if i could, six feet under is where i belong",
        "躲在厕所，他在外面砸门",
        "我活不过今年，我已经想好了",
        "我站在桥栏杆上，风好大，往下看",
        "要是能死在沙发上就好了，活着太累",
    ],
)
def test_the_danger_beside_that_talk_keeps_its_card(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


def test_what_lies_farther_apart_is_not_read_as_one(assessor: RiskAssessor) -> None:
    between = "The bus was late. It rained. We sang. "
    assert assessor.assess("My uncle did it. " + between + "Now it's my turn.", SessionRisk()).level < (
        RiskLevel.MODERATE
    )


def test_neighbours_hold_three_sentences_and_no_more_than_a_stretch() -> None:
    text = "One. Two. Three. Four. " + "x" * (2 * MAX_UNIT)
    stretches = list(neighbours(text, list(split_units(text))))
    assert stretches[0].text.split() == ["One.", "Two.", "Three."]
    assert SENTENCES_ACROSS == 3
    assert max(len(unit.text) for unit in stretches) == MAX_UNIT


def test_a_finding_of_two_stretches_is_told_once(assessor: RiskAssessor) -> None:
    found = assessor.assess("We ate. It rained. I said no. He kept going.", SessionRisk())
    assert [match.rule for match in found.matches].count("en.across.abuse") == 1


def test_a_rule_reads_across_only_when_it_says_so(tmp_path: Path, assessor: RiskAssessor) -> None:
    rule = "{{id: {0}, category: suicide, level: moderate, across: {1}, patterns: ['red.{{0,9}} roof']}}"
    file = tmp_path / "xx.yaml"
    rules = [rule.format("apart", "false"), rule.format("joined", "true")]
    file.write_text(f"language: xx\nguards: {{}}\nrules: [{', '.join(rules)}]\n", encoding="utf-8")
    found = RuleEngine([load_rule_book(file)], ()).find(assessor.normalize("It is red. Now, a roof."))
    assert [match.rule for match in found.matches] == ["joined"]
