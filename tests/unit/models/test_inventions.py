"""What of a reply the person never told; how often the check is right is measured elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.chat_model import ChatMessage
from models.inventions import Reason, inventions, read_told, told_in, value_of

INVENTED = [
    ("The party was dull.", "Your girlfriend missed the party.", "girlfriend", Reason.PEOPLE),
    ("My aunt is ill.", "It hurts to see your sister like this.", "sister", Reason.PEOPLE),
    ("My husband left.", "Your boyfriend left, and that hurts.", "boyfriend", Reason.PEOPLE),
    ("We lost the match.", "You lost a dog, and the house is quiet.", "dog", Reason.PETS),
    ("He won't call me back.", "She must know how that feels.", "She", Reason.PEOPLE),
    ("We lost the match.", "How long was your dog with you?", "dog", Reason.PETS),
    ("I sleep badly.", "Living with cancer takes all your sleep.", "cancer", Reason.BODY),
    ("I'm late for the interview.", "Your car broke down before the interview.", "car", Reason.THINGS),
    ("I can't sleep.", "Since your childhood the nights were hard.", "childhood", Reason.TIMES),
    ("Everything is grey.", "After the divorce everything turned grey.", "divorce", Reason.EVENTS),
    ("Sober for one year!", "Twelve years sober is a long time!", "Twelve years", Reason.NUMBERS),
    ("Married for 19 years.", "After 25 years he took the pans.", "25 years", Reason.NUMBERS),
    ("My friend forgot me.", "It stings that Melanie forgot you.", "Melanie", Reason.NAMES),
    (
        "My mother calls me by her sister's name.",
        "She uses your sister's name.",
        "sister's",
        Reason.ANOTHERS,
    ),
    ("My boss yelled at me.", "You yelled at your boss.", "yelled", Reason.ROLES),
    ("I was fired by my brother.", "You fired your own brother.", "fired", Reason.ROLES),
    ("聚会很无聊。", "你女朋友没来，一定很失落。", "女朋友", Reason.PEOPLE),
    ("姑姑认不出我了。", "姐姐认不出你，真难受。", "姐姐", Reason.PEOPLE),
    ("他不理我。", "她这样做，你很受伤。", "她", Reason.PEOPLE),
    ("我们输了比赛。", "你的狗走了，家里空了。", "你的狗", Reason.PETS),
    ("我睡不着。", "得了癌症，谁都睡不着。", "癌症", Reason.BODY),
    ("面试要迟到了。", "你的车偏偏坏了。", "你的车", Reason.THINGS),
    ("我睡不好。", "从小你就睡不好。", "从小", Reason.TIMES),
    ("提不起劲。", "离婚以后你一直提不起劲。", "离婚", Reason.EVENTS),
    ("我戒酒一年了。", "戒酒十二年，真了不起。", "十二年", Reason.NUMBERS),
    ("闺蜜没叫我。", "小雅没叫你，真扎心。", "小雅", Reason.NAMES),
    ("同事的老公病了。", "你老公病了，你很担心。", "老公", Reason.ANOTHERS),
    ("领导骂了我。", "你骂了领导，心里不安。", "骂", Reason.ROLES),
]

FINE = [
    ("Mum calls daily.", "Your mother calls every day."),
    ("My boss is unfair.", "Your manager doesn't see what you do."),
    ("My wife is ill.", "Your partner is ill, and you worry."),
    ("He left me after 19 years.", "Nearly twenty years, and then he left."),
    ("Retired after forty-one years.", "41 years at one plant!"),
    ("I feel alone.", "A friend or a doctor could help."),
    ("I feel alone.", "Talk to someone you trust, like your sister or a friend."),
    ("I feel alone.", "Is there a friend or an aunt you could call?"),
    ("I feel alone.", "If your husband is with you, tell him."),
    ("I feel alone.", "You can call the Samaritans on 116 123, 24 hours a day."),
    ("I feel alone.", "A walk or a bath might help tonight. Take five minutes for yourself."),
    ("I feel alone.", "You may feel sad, anxious and left behind, and your heart is heavy."),
    ("I feel alone.", "Sometimes it comes after a divorce or a funeral."),
    ("I feel alone.", "How are your friends and your family? How is your sleep?"),
    ("i yelled at my boss", "You yelled at your boss."),
    ("My boss yelled at me. Then I yelled at him.", "You yelled at your boss."),
    ("I was yelled at by my boss.", "Your boss yelled at you."),
    ("max bit me", "So Max bit you."),
    ("我妈天天打电话。", "母亲天天打电话给你。"),
    ("我老婆病了。", "爱人病了，你很担心。"),
    ("我很孤单。", "有没有哪个朋友可以聊聊？"),
    ("我很孤单。", "如果你女朋友在身边，可以告诉她。"),
    ("我很孤单。", "有时候是因为分手，有时候没有原因。"),
    ("我很孤单。", "可以找家人、朋友或者医生谈谈。"),
    ("我很孤单。", "第二天醒来，一个人的滋味更难受。"),
    ("领导骂了我。", "被领导当着大家骂，谁都难受。"),
    ("我干了十九年。", "快二十年了，真不容易。"),
]


def found(reply: str, *told: str) -> list[tuple[str, Reason]]:
    return [(one.span, one.reason) for one in inventions(reply, told, "en" if reply.isascii() else "zh")]


@pytest.mark.parametrize(("told", "reply", "span", "reason"), INVENTED)
def test_what_was_never_told_is_found(told: str, reply: str, span: str, reason: Reason) -> None:
    assert (span, reason) in found(reply, told)


@pytest.mark.parametrize(("told", "reply"), FINE)
def test_what_was_told_or_holds_for_anybody_is_no_invention(told: str, reply: str) -> None:
    assert found(reply, told) == []


def test_an_earlier_message_and_a_remembered_fact_count_as_told() -> None:
    reply = "Your sister and your dog wait for you."
    assert found(reply, "I miss home.", "My sister calls daily.", "my dog Bo") == []


def test_what_is_told_in_one_language_may_be_said_in_the_other() -> None:
    assert found("你妈妈很担心你。", "My mum worries.") == []
    assert found("Your mother worries.", "我妈很担心。") == []


def test_an_invention_says_where_it_stands() -> None:
    reply = "That hurts. Your husband and your cat know it."
    places = [(one.start, one.span) for one in inventions(reply, ["I cried."], "en")]
    assert places == [(reply.index("husband"), "husband"), (reply.index("cat"), "cat")]


def test_a_reply_is_worth_half_from_the_first_and_whole_from_the_second() -> None:
    two = inventions("Your husband and your cat know it.", ["I cried."], "en")
    assert [value_of(two[:number]) for number in (0, 1, 2)] == [0.0, 0.5, 1.0]


def test_told_are_messages_facts_and_what_the_last_reply_asked() -> None:
    context = [
        ChatMessage("user", "I cried."),
        ChatMessage("assistant", "Did your aunt see it?"),
        ChatMessage("user", "Yes."),
        ChatMessage("assistant", "Your uncle too. Is your cousin there?"),
        ChatMessage("user", "No."),
    ]
    told = told_in(context, ["my dog Bo"])
    assert told == [
        "I cried.",
        "Yes.",
        "No.",
        "Is your cousin there?",
        "my dog Bo",
    ]


ENGLISH = ["your", "her", "sister", "yelled", "at", "you", "12", "years", "Anna's", "İ", ".", "?", ",", "or"]
CHINESE = ["你", "的", "老公", "骂了", "十二", "年", "小雅", "。", "？", "，", "被", "我", " ", "\n", "”"]
WORDS = st.lists(st.sampled_from([*ENGLISH, *CHINESE]), max_size=25)


@given(WORDS, st.sampled_from(["", " "]), st.text(max_size=30), st.sampled_from(["en", "zh"]))
def test_whatever_is_said_a_span_stands_where_it_says(
    words: list[str], between: str, told: str, language: str
) -> None:
    reply = between.join(words)
    for one in inventions(reply, [told], language):
        assert reply[one.start : one.start + len(one.span)] == one.span
        assert one.span


@given(WORDS, st.sampled_from(["en", "zh"]))
def test_a_person_s_own_words_are_no_invented_people_or_things(words: list[str], language: str) -> None:
    text = " ".join(words)
    kinds = {one.reason for one in inventions(text, [text], language)}
    assert kinds <= {Reason.ROLES, Reason.ANOTHERS}


def test_persons_are_read_by_sex_and_whose_they_are() -> None:
    told = read_told(["My mother calls me by her sister's name. He's late."])
    assert told.sexes == {"f", "m"}
    assert told.others == {"sister"}
