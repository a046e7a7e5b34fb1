"""Which statements are remembered; the sentences were written for this test, after the patterns."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.fact_patterns import MOST, facts_in
from models.facts import FactKind, may_be_kept, same_words

NAME, REQUEST, PERSON, PET = FactKind.NAME, FactKind.REQUEST, FactKind.PERSON, FactKind.PET
LIFE, EVENT, DETAIL = FactKind.LIFE, FactKind.EVENT, FactKind.DETAIL

TOLD: list[tuple[str, list[tuple[FactKind, str]]]] = [
    ("Hello, I'm Priya.", [(NAME, "I'm Priya")]),
    ("My name's Oskar, by the way.", [(NAME, "My name's Oskar")]),
    ("Just call me Jo", [(NAME, "Just call me Jo")]),
    (
        "My daughter Ines is starting school in September.",
        [(PERSON, "My daughter Ines is starting school in September")],
    ),
    ("My older brother lives in Toronto", [(PERSON, "My older brother lives in Toronto")]),
    ("my husband has been deployed twice", [(PERSON, "my husband has been deployed twice")]),
    ("I have three sisters and no brothers.", [(PERSON, "I have three sisters and no brothers")]),
    ("Our old dog Rufus can barely walk now.", [(PET, "Our old dog Rufus can barely walk now")]),
    ("I got a kitten in May", [(PET, "I got a kitten in May")]),
    ("I work as a paramedic", [(LIFE, "I work as a paramedic")]),
    ("I'm a single mom", [(LIFE, "I'm a single mom")]),
    ("I grew up in a small village.", [(LIFE, "I grew up in a small village")]),
    ("I'm 52 and I live alone.", [(LIFE, "I'm 52"), (LIFE, "I live alone")]),
    ("I got laid off in spring.", [(EVENT, "I got laid off in spring")]),
    ("We separated two years ago", [(EVENT, "We separated two years ago")]),
    ("My surgery is on Thursday", [(EVENT, "My surgery is on Thursday")]),
    ("I failed the bar exam twice.", [(EVENT, "I failed the bar exam twice")]),
    ("I was diagnosed with lupus in 2021", [(EVENT, "I was diagnosed with lupus in 2021")]),
    ("I haven't slept properly for three weeks", [(DETAIL, "I haven't slept properly for three weeks")]),
    ("We owe the bank 40 thousand dollars", []),
    ("Please just listen for now.", [(REQUEST, "Please just listen for now")]),
    ("Stop giving me advice.", [(REQUEST, "Stop giving me advice")]),
    ("Could you ask me about it tomorrow?", [(REQUEST, "Could you ask me about it tomorrow?")]),
    ("I'd like help with writing to my landlord", [(REQUEST, "I'd like help with writing to my landlord")]),
    ("大家好，我叫林晓。", [(NAME, "我叫林晓")]),
    ("你就叫我阿诚吧", [(NAME, "叫我阿诚")]),
    ("我女儿今年上小学二年级。", [(PERSON, "我女儿今年上小学二年级")]),
    ("我爸爸是个卡车司机，常年不在家。", [(PERSON, "我爸爸是个卡车司机，常年不在家")]),
    ("我家的橘猫叫年糕", [(PET, "我家的橘猫叫年糕")]),
    ("我养了两只仓鼠", [(PET, "我养了两只仓鼠")]),
    ("我今年三十五岁。", [(LIFE, "我今年三十五岁")]),
    ("我现在在深圳打工", [(LIFE, "我现在在深圳打工")]),
    ("我是单亲妈妈。", [(LIFE, "我是单亲妈妈")]),
    ("我上周被裁员了", [(EVENT, "我上周被裁员了")]),
    ("我去年离婚了。", [(EVENT, "我去年离婚了")]),
    ("我十二月十号要答辩", [(EVENT, "我十二月十号要答辩")]),
    ("我已经失眠三个月了", [(DETAIL, "我已经失眠三个月了")]),
    ("别再劝我了，好吗", [(REQUEST, "别再劝我了，好吗")]),
    ("我只是想找个人听我说说", [(REQUEST, "我只是想找个人听我说说")]),
    ("你能不能提醒我早点睡？", [(REQUEST, "你能不能提醒我早点睡？")]),
]

NOT_TOLD = [
    "I don't know what to do anymore.",
    "Everything feels heavy today",
    "Thank you, that helps.",
    "Do you remember your mother?",
    "What if my boyfriend leaves me?",
    "If I lost my job I would panic.",
    "She is 40 and he is 42.",
    "They call me lazy.",
    "Call me when you can.",
    "I'm Irish",
    "Sometimes I just cry.",
    "It was a cat and mouse game.",
    "Is it normal to be this tired?",
    "I want to disappear",
    "You sound like my therapist",
    "Imagine my wife had said that.",
    "My mind is racing",
    "I can't stop thinking",
    "ok",
    "",
    "我不知道该怎么办",
    "今天心里很乱",
    "谢谢你",
    "你有孩子吗？",
    "如果我失业了怎么办",
    "要是我妈妈在就好了",
    "他们结婚了",
    "我叫他别走",
    "真是狗血的剧情",
    "我好想哭",
    "为什么会这样呢",
    "他今年四十岁",
]

NEVER = [
    "I have 40 sleeping pills in my drawer",
    "My brother has a gun in the house",
    "I live near the bridge I told you about",
    "My sister's number is 07700 900123",
    "My name is x, write to me at x@example.org",
    "I've been cutting myself for two years",
    "我家里有很多安眠药，我攒了三个月",
    "我妈妈把刀都藏起来了",
    "我三年前自杀过一次",
    "我的电话是13800138000",
]


@pytest.mark.parametrize(("text", "expected"), TOLD)
def test_statements_are_found_in_the_persons_own_words(
    text: str, expected: list[tuple[FactKind, str]]
) -> None:
    assert [(fact.kind, fact.text) for fact in facts_in(text)] == expected


@pytest.mark.parametrize("text", NOT_TOLD)
def test_moods_questions_and_suppositions_are_no_facts(text: str) -> None:
    assert facts_in(text) == []


@pytest.mark.parametrize("text", NEVER)
def test_means_of_harm_and_contact_data_are_never_kept(text: str) -> None:
    assert facts_in(text) == []


def test_what_is_said_twice_in_a_message_is_one_fact() -> None:
    assert [fact.text for fact in facts_in("My cat is called Miso. My cat is called Miso!")] == [
        "My cat is called Miso"
    ]


def test_several_facts_of_one_message_stand_apart() -> None:
    found = facts_in("I'm 34, my husband Paul is a nurse, and my mother lives in Cork.")
    assert [(fact.kind, fact.text) for fact in found] == [
        (LIFE, "I'm 34"),
        (PERSON, "my husband Paul is a nurse"),
        (PERSON, "my mother lives in Cork"),
    ]


def test_a_chinese_sentence_without_a_subject_goes_on_about_the_one_before() -> None:
    found = facts_in("我弟弟叫小军，在北京读大学。")
    assert [(fact.kind, fact.text) for fact in found] == [(PERSON, "我弟弟叫小军，在北京读大学")]


def test_a_message_full_of_facts_gives_a_few() -> None:
    assert len(facts_in("\n".join(f"My cat number {n} is called Miso{n}." for n in range(30)))) == MOST


@given(st.text(max_size=400))
def test_every_fact_stands_in_the_message(text: str) -> None:
    for fact in facts_in(text):
        assert same_words(fact.text, text)
        assert may_be_kept(fact.text)


@pytest.mark.parametrize(
    "text",
    [
        "我" * 3900,
        "my " * 1900,
        "my dog, " * 490,
        ("I have a " * 20 + ". ") * 22,
        ("my my " * 30 + ". ") * 20,
    ],
)
def test_long_monotonous_messages_cost_little(text: str) -> None:
    start = time.process_time()
    facts_in(text)
    assert time.process_time() - start < 2
