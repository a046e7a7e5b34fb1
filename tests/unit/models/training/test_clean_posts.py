"""Cleaning of help-seeking posts: what goes out, what is masked, what is left alone."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.training import clean_posts
from models.training.clean_posts import Tally, clean, language
from models.training.near_duplicates import SeenPosts, plain_form, similarity
from models.training.post_files import Post, read_posts
from models.training.post_text import clean_text, is_advertisement
from models.training.post_topics import topic

LONG = "I can't sleep since my grandmother went to hospital and nobody tells me anything."


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("我好累😭😭真的撑不住了", "我好累 真的撑不住了"),
        ("看这里 https://t.cn/A6abc 我该怎么办", "看这里 我该怎么办"),
        ("转发微博：我也是这样 [图片]", "：我也是这样"),
        ("12楼 我也失眠很久了", "我也失眠很久了"),
        ("#失恋日记# 三年了还是忘不掉 @小明同学 ", "三年了还是忘不掉"),
        ("太难受了//@路人甲：抱抱你", "太难受了"),
        ("还是想哭[泪] 来自 iPhone客户端", "还是想哭"),
        ("RT @someone: I feel so alone at night", "I feel so alone at night"),
        ("I failed again #sad #exam 😢", "I failed again"),
    ],
)
def test_what_belongs_to_a_platform_goes_out(raw: str, left: str) -> None:
    assert clean_text(raw).text == left


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        ("我叫李小明，今年十七岁", "我叫[name]，今年十七岁"),
        ("Hi, my name is Anna Berg and I am lost", "Hi, my name is [name] and I am lost"),
        ("电话13812345678打给我", "电话[phone]打给我"),
        ("call me on +49 170 1234567 please", "call me on [phone] please"),
        ("my number is (415) 555-0132.", "my number is [phone]."),
        ("写信到 a.b@example.com 吧", "写信到 [email] 吧"),
        ("身份证11010519491231002X丢了", "身份证[id]丢了"),
        ("my ssn is 078-05-1120", "my ssn is [id]"),
        ("加我微信：abc_12345 聊聊", "加我[account] 聊聊"),
        ("QQ号是 123456789", "[account]"),
        ("我住在幸福路12号", "[address]"),
        ("I live at 221 Baker Street with him", "I live at [address] with him"),
    ],
)
def test_what_names_a_person_is_masked(raw: str, left: str) -> None:
    assert clean_text(raw).text == left


@pytest.mark.parametrize(
    "text",
    [
        "我叫他别走，他没有理我",
        "他们叫我别想太多",
        "my name is never mentioned at home",
        "In 2019 I lost 20 kilos in 3 months.",
        "我妈妈每天打我电话三次",
        "It was 5 in the morning and I was at the street corner",
        "Dear all, I'm at 100 % of what I can do",
    ],
)
def test_what_names_nobody_is_left_alone(text: str) -> None:
    assert clean_text(text).text == text


PIECES = st.sampled_from(
    [
        "我叫李小明，",
        "13812345678",
        "138 1234 5678",
        "+44 20 7946 0958",
        "a@b.com",
        "x.y@mail.example.org",
        "微信：abc_12345",
        "QQ 123456",
        "[图片]",
        "#话题#",
        "@小明 ",
        "https://a.cn/b",
        "😀",
        "[phone]",
        "//@某人：转发",
        "my name is Tom Hill ",
        "\u200b",
        "\n",
        "3楼 ",
    ]
)
POSTS = st.lists(st.one_of(PIECES, st.text(max_size=12)), max_size=8).map("".join)


@given(POSTS)
def test_cleaning_twice_changes_nothing(raw: str) -> None:
    once = clean_text(raw)
    assert clean_text(once.text) == type(once)(once.text, {})


@given(POSTS)
def test_no_phone_number_and_no_address_of_mail_is_left(raw: str) -> None:
    left = clean_text(raw).text
    assert not re.search(r"(?<!\d)1[3-9]\d{9}(?!\d)", left)
    assert not re.search(r"[a-z0-9.]+@[a-z0-9-]+\.[a-z]{2,}", left, re.ASCII)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (LONG, "en"),
        ("我最近总是睡不着，不知道该怎么办", "zh"),
        ("No puedo dormir desde que mi abuela está en el hospital", None),
        ("Ich kann nicht schlafen, seit meine Oma im Krankenhaus ist", None),
        ("眠れなくて、どうしたらいいか分からない", None),
        ("12345 !!!", None),
    ],
)
def test_only_english_and_chinese_are_kept(text: str, found: str | None) -> None:
    assert language(text) == found


def test_similarity_estimates_the_jaccard_index_of_shingles() -> None:
    seen = SeenPosts()
    one, two = (
        plain_form("abcdefghijklmnopqrstuvwxyz" * 1 + "0123456789"),
        plain_form("abcdefghijklmnopqrstuvwxyz"),
    )
    # 32 shingles, 22 of which the shorter text has as well
    assert similarity(seen.signature(one), seen.signature(two)) == pytest.approx(22 / 32, abs=0.13)


def test_duplicates_are_told_apart_from_other_posts() -> None:
    seen = SeenPosts()
    assert seen.add(LONG) is None
    assert seen.add(LONG.upper() + "!!") == "exact"
    assert seen.add(LONG + " Please help.") == "near"
    assert seen.add("My boss shouts at me every day and I am afraid of Mondays now.") is None


def test_every_post_is_kept_or_counted_under_one_reason() -> None:
    texts = [
        LONG,
        LONG,
        LONG + " Help.",
        "too short 😀😀😀😀😀😀😀😀😀😀",
        "限时特价课程，扫码领取，名额有限先到先得哦哦",
    ]
    texts += [
        "No puedo dormir desde que mi abuela está en el hospital",
        "我男朋友昨天和我分手了，我一直哭，停不下来，怎么办",
    ]
    tally = Tally()
    rows = list(clean([Post("f", n, text) for n, text in enumerate(texts)], tally))
    report = tally.report()
    assert [row["text"] for row in rows] == [LONG, texts[-1]]
    assert report["left_out"] == {
        "exact duplicate": 1,
        "near duplicate": 1,
        "under 20 characters": 1,
        "advertisement": 1,
        "other language": 1,
    }
    assert (report["read"], report["kept"]) == (7, 2)
    assert report["topics"]["love"] == {"posts": 1, "share": 0.5, "en": 0, "zh": 1}
    assert sum(row["posts"] for row in report["topics"].values()) == 2


def test_a_topic_is_that_with_the_most_words() -> None:
    assert topic("男朋友说分手，我没法工作") == "love"
    assert topic("My boss and my coworkers laugh, my friend says") == "work"
    assert topic("Nothing to see") == "other"
    assert not is_advertisement("老师让我们报名课程，我很焦虑")


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        ("a.jsonl", '{"text": "x"}\n{"text": 3}\n', "row 2: no text"),
        ("a.jsonl", '{"text": "x"}\n\n{\n', "row 3: not JSON"),
        ("a.jsonl", "[]\n", "row 1: not an object"),
        ("a.csv", "id,words\n1,x\n", "row 2: no text"),
        ("a.doc", "x", "must end in"),
    ],
)
def test_a_broken_file_is_told_with_its_row(tmp_path: Path, name: str, text: str, what: str) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=what):
        list(read_posts(file))


def test_the_command_writes_posts_and_counts_and_nothing_after_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out, report = (tmp_path / name for name in ("p.csv", "out.jsonl", "report.json"))
    source.write_text(f'id,content\n1,"{LONG} my name is Ann."\n2,"{LONG}"\n', "utf-8")
    clean_posts.main([str(source), "--output", str(out), "--report", str(report)])
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["text"] for row in rows] == [f"{LONG} my name is [name]."]
    assert json.loads(report.read_text("utf-8"))["left_out"] == {"near duplicate": 1}
    assert "2 posts read, 1 kept" in capsys.readouterr().out
    source.write_text("id,words\n1,x\n", "utf-8")
    other = tmp_path / "other.jsonl"
    with pytest.raises(SystemExit, match=r"p\.csv, row 2"):
        clean_posts.main([str(source), "--output", str(other)])
    assert not list(tmp_path.glob("other*"))
