"""The title of a film, a book or a song says nothing about whoever names it; what stands around it does."""

import time

import pytest

from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor
from safety.titles import Titles

ONLY_TITLES = [
    "watched Want to Die last night, brilliant film",
    'watched "I Want to Die" last night, brilliant film',
    "saw “Kill Myself Tomorrow” at the cinema, great movie",
    'the song "I want to die" is stuck in my head',
    "that album called 'Suicide Note' is fantastic",
    '"I Want to Die" is a really funny book',
    "read the novel Suicide Club, loved the twists",
    "看了《想死》这部电影",
    "看完《想死》，写得真好",
    "《不想活了》这首歌挺好听的",
    "最近在读《自杀论》",
    "推荐一部电影叫“我想自杀”",
    "在听“不想活了”这首歌，旋律不错",
]

STILL_DANGER = [
    "看完《想死》，我也想死",
    "我想死，《活着》这本书也看不下去",
    "看了电影《想死》，说的就是我",
    "我写了一首歌《不想活了》",
    'watched "Happy Days" last night, great film. i want to die',
    'the song "I want to die", thats me',
    'my daughter texted "I want to die" during the film',
    'heard "I want to die" from my sons room during the movie',
    'she keeps saying "I want to die" and then watches a film',
    "i want to die after that film",
    "great film. i want to die",
    "watched a great film and i really want to die",
    "这部剧看完了。我想死",
    "看了这部剧，我也不想活了",
    "我想“死”",
]


@pytest.mark.parametrize("text", ONLY_TITLES)
def test_a_title_alone_is_no_danger(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level < RiskLevel.MODERATE


@pytest.mark.parametrize("text", STILL_DANGER)
def test_danger_beside_a_title_or_told_through_it_counts(assessor: RiskAssessor, text: str) -> None:
    assert assessor.assess(text, SessionRisk()).level >= RiskLevel.MODERATE


@pytest.mark.parametrize(
    "text",
    [
        "读了《完全自杀手册》这本书",
        'just read the book "How to Kill Yourself"',
        'i wrote a song called "I want to die"',
        'found the song "I want to die" scribbled in a book',
        "在女儿的书里看到《我想死》",
        "我想写一首歌，还没写完《不想活》",
        "I Want To Die",
        "he said: “Nobody Wants Me”",
    ],
)
def test_manuals_own_works_and_words_of_others_are_not_taken_out(text: str) -> None:
    assert Titles().without(text) == text


@pytest.mark.parametrize("text", [*ONLY_TITLES, *STILL_DANGER])
def test_every_place_stays_as_it_was(text: str) -> None:
    assert len(Titles().without(text)) == len(text)


@pytest.mark.parametrize("piece", ['"a ', "watched A B ", "看《", "《想", '"', "film called "])
def test_a_long_text_takes_no_time(piece: str) -> None:
    start = time.perf_counter()
    Titles().without(piece * (20_000 // len(piece)))
    assert time.perf_counter() - start < 1.5
