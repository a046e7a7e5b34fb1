"""Who says that they are under 18, and who does not."""

import pytest

from safety.own_age import says_minor


@pytest.mark.parametrize(
    "text",
    [
        "im 11",
        "i'm eleven",
        "I’m 11",
        "I am only 12.",
        "hi im 13 and my mum shouts a lot",
        "im 12 years old",
        "Im 14 yo",
        "I'm 15, nobody at school talks to me",
        "im 16 f",
        "i just turned 13 today",
        "im turning 14",
        "i'm almost 18",
        "im not even 18",
        "im under 18 can i use this",
        "I'm a 12 year old girl",
        "im a minor",
        "im in 6th grade",
        "my age is 12",
        "13 years old here",
        "12f",
        "everyone says im stupid. im 11",
        "I'm 16 and pregnant",
        "my sister is 19 and im 12 so she gets everything",
        "我11岁",
        "我今年12岁了",
        "今年12岁了",
        "我才13岁",
        "我才13",
        "我十二岁，爸妈天天吵架",
        "本人14岁",
        "我是一个13岁的女生",
        "我是12岁的小学生",
        "我16歲",
        "我还未成年",
        "我还没满18岁",
        "我上初一",
        "我读六年级，不想去学校",
        "12岁，女",
    ],
)
def test_an_age_of_ones_own_is_heard(text: str) -> None:
    assert says_minor(text)


@pytest.mark.parametrize(
    "text",
    [
        "my son is 11",
        "my daughter's 11 and i'm 38",
        "i was 11 when my dad left",
        "11 years ago",
        "i moved here 11 years ago",
        "im 11 weeks pregnant",
        "im 11 minutes late",
        "im 15 kg over",
        "I'm 10 minutes away and 5 late",
        "im 12 days sober",
        "I'm 17 years into this marriage",
        "im 14 years older than him",
        "im 16 months clean",
        "I'm 7, 8 hours behind",
        "im 10 and a half stone",
        "I'm 18",
        "i'm 21 and tired",
        "im 117",
        "he treats me like im 12",
        "I feel like I'm 13 again",
        "everyone thinks im 15",
        "when i'm 17 and my parents fight, that was the worst",
        'she said "I\'m 11" and ran off',
        "im in 9 different group chats",
        "im 6'2",
        "im 16th in the queue",
        "im 7 so far",
        "I'm 17 weeks and counting",
        "im 18 weeks along",
        "im under 18 stone now",
        "15 year old car broke down",
        "12 year old dog died",
        "I teach 6th grade",
        "i turned 15 and left home, 30 years ago now",
        "im 12 percent of the company",
        "im 15 too many drinks in",
        "im 9 now out of ten",
        "我儿子11岁",
        "我儿子今年12岁了",
        "儿子小学快毕业了，今年12岁了",
        "我家猫今年12岁了",
        "她是我女儿。今年12岁了",
        "我11岁的时候",
        "我11岁那年爸爸走了",
        "我11岁就开始做家务",
        "那年我11岁",
        "当时我12岁，什么都不懂",
        "我和他在一起11年了",
        "我11岁的女儿不肯上学",
        "我今年21岁",
        "我今年十八岁",
        "我28岁了",
        "我三十七岁",
        "感觉我12岁",
        "他们都以为我15岁",
        "我未成年的时候被打过",
        "我儿子未成年",
        "我教六年级",
        "我有个11岁的女孩",
        "我有一个12岁的男孩",
        "我是六年级老师",
        "我女儿上初一",
        "我迟到11分钟",
        "工作今年12年了",
        "",
    ],
)
def test_other_ages_times_and_numbers_are_left_alone(text: str) -> None:
    assert not says_minor(text)


@pytest.mark.parametrize(
    "text", ["im 11 " * 4000, "我" * 20000, "今年" * 20000, "i am a " * 9000, "just " * 9000]
)
def test_a_long_text_takes_no_time(text: str) -> None:
    import time

    start = time.perf_counter()
    says_minor(text)
    assert time.perf_counter() - start < 0.5
