"""Spellings fold into one, and every span still points into the original text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from safety.levels import SessionRisk
from safety.normalize import Normalizer
from safety.risk import RiskAssessor


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("I don\u2019t want to", "i dont want to"),
        ("I don`t want to", "i dont want to"),
        ("ＫＩＬＬ myself", "kill myself"),
        ("𝐤𝐢𝐥𝐥 myself", "kill myself"),
        ("ki\u200bll my\u00adself", "kill myself"),
        ("kíll mysélf", "kill myself"),
        ("kіll mуself", "kill myself"),
        ("k i l l  m y s e l f", "kill myself"),
        ("k.i.l.l myself", "kill myself"),
        ("w a n t t o d i e", "want to die"),
        ("#iwanttodie", "i want to die"),
        ("k1ll mys3lf", "kill myself"),
        ("i w4nt t0 d1e", "i want to die"),
        ("k*ll myself", "kill myself"),
        ("killlll myselffff", "kill myself"),
        ("dieeeee", "die"),
        ("kms", "kill myself"),
        ("i wanna die", "i want to die"),
        ("done with livign", "done with living"),
        ("one\r\ntwo", "one\ntwo"),
        ("one\u2028two", "one\ntwo"),
        ("one\ttwo", "one two"),
        ("sucide", "suicide"),
        ("mysefl", "myself"),
        ("自鲨", "自杀"),
        ("想zs", "想自杀"),
        ("想4了", "想死了"),
        ("想s", "想死"),
        ("自 杀", "自杀"),
        ("自*杀", "自杀"),
        ("自殺", "自杀"),
        ("輕生", "轻生"),
        ("bu xiang huo le", "不想活了"),
        ("想💀", "想死"),
        ("i want to 💀", "i want to die"),
    ],
)
def test_spelling_folds(normalizer: Normalizer, written: str, folded: str) -> None:
    assert normalizer.normalize(written).text.strip() == folded


@pytest.mark.parametrize(
    "text",
    [
        "i am willing to help",
        "filling the skilled team",
        "she likes her homeless friend",
        "lol 💀",
        "紫砂壶很好看",
        "想4点下班",
        "the best better butter battle",
        "3 books and 4 pens",
    ],
)
def test_ordinary_words_stay(normalizer: Normalizer, text: str) -> None:
    assert normalizer.normalize(text).text == text


@given(text=st.text(max_size=200))
def test_spans_stay_inside_the_original(normalizer: Normalizer, text: str) -> None:
    folded = normalizer.normalize(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.ends, strict=True))


@given(text=st.text(max_size=200))
def test_places_never_run_backwards(normalizer: Normalizer, text: str) -> None:
    starts = normalizer.normalize(text).starts
    assert list(starts) == sorted(starts)


# Single letters may be a word that is spaced out, and letters said over and over are folded to one.
_WORD = st.text("abcdefgh", min_size=2, max_size=8).filter(lambda word: not re.search(r"(.)\1", word))


@given(words=st.lists(_WORD, max_size=20), between=st.sampled_from([" ", ", ", ". "]))
def test_folding_is_stable_on_plain_words(normalizer: Normalizer, words: list[str], between: str) -> None:
    once = normalizer.normalize(between.join(words)).text
    assert normalizer.normalize(once).text == once


@given(before=st.text(max_size=60), after=st.text(max_size=60))
def test_a_finding_names_the_words_that_were_written(assessor: RiskAssessor, before: str, after: str) -> None:
    text = f"{before}\n\nI w4nt t0 d1e.\n\n{after}"
    found = [m for m in assessor.assess(text, SessionRisk()).matches if m.rule == "en.suicide.wish"]
    assert any("d1e" in text[match.start : match.end] for match in found)


def test_chinese_characters_keep_their_places_whether_alone_or_in_a_run(normalizer: Normalizer) -> None:
    text = "說，我們說a說說ＡＢ說嗎"
    folded = normalizer.normalize(text)
    assert folded.text == "说,我们说a说说ab说吗"
    assert folded.starts == tuple(range(len(text)))
    assert folded.ends == tuple(range(1, len(text) + 1))


@given(text=st.text(alphabet="我想死了不活，。！愛國 aB'’1\n\u3000Ａ", max_size=40))
def test_a_text_folds_alike_whether_or_not_a_later_character_becomes_several(
    text: str, normalizer: Normalizer
) -> None:
    alone = normalizer.normalize(f"{text}。")
    before_more = normalizer.normalize(f"{text}。\n㎏")
    length = len(alone.text)
    assert before_more.text[:length] == alone.text
    assert before_more.starts[:length] == alone.starts
    assert before_more.ends[:length] == alone.ends
