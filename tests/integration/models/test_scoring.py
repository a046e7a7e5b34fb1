"""The committed heads on the real encoder: sensible on sentences of our own, without any data folder."""

import pytest

from models.chat_model import ChatMessage
from models.novelty import TacticHistory
from models.rerank import RankInput, rerank
from models.scorer import ReplyScorer, load_scorer
from models.tactics import Tactic

LOST_JOB = [ChatMessage("user", "I lost my job last week and I can't sleep. My wife Anna is worried.")]
失业 = [ChatMessage("user", "我失业了，晚上睡不着，觉得自己很没用。")]
WARM = (
    "I'm so sorry you lost your job. It makes sense that you can't sleep with all this on your mind. "
    "What worries Anna most right now?"
)


@pytest.fixture(scope="module")
def scorer() -> ReplyScorer:
    made = load_scorer()
    made.warm_up()
    return made


@pytest.mark.parametrize(
    ("sentence", "tactic"),
    [
        ("What worries you most right now?", Tactic.QUESTIONING),
        ("You could try writing your worries down before you go to bed.", Tactic.ADVICE),
        ("It makes complete sense that you feel exhausted.", Tactic.VALIDATION),
        ("I'm so sorry that you have to go through this.", Tactic.EMOTIONAL_EXPRESSION),
        ("I went through something similar when I lost my first job.", Tactic.SELF_DISCLOSURE),
        ("You have shown real strength by holding on this long.", Tactic.EMPOWERMENT),
        ("It sounds like the silence at home hurts most.", Tactic.PARAPHRASING),
        ("I'm here to help you whenever you need me.", Tactic.ASSISTANCE),
        ("你现在最担心的是什么呢？", Tactic.QUESTIONING),
        ("你可以试着睡前把担心的事情写下来。", Tactic.ADVICE),
        ("有这样的感受是很正常的。", Tactic.VALIDATION),
        ("听起来，家里的沉默最让你难受。", Tactic.PARAPHRASING),
        ("我相信你一定能走出来。", Tactic.EMPOWERMENT),
        ("无论什么时候，我都愿意在这里陪着你。", Tactic.ASSISTANCE),
    ],
)
def test_a_plain_sentence_gets_its_tactic(scorer: ReplyScorer, sentence: str, tactic: Tactic) -> None:
    assert tactic in scorer.features(LOST_JOB, [sentence])[0].counts


@pytest.mark.parametrize(
    "cold", ["lol ok", "You should update your CV. Apply to ten jobs a day.", "That is life."]
)
def test_a_warm_reply_scores_above_a_cold_one(scorer: ReplyScorer, cold: str) -> None:
    warm, other = scorer.features(LOST_JOB, [WARM, cold])
    assert warm.quality > other.quality + 0.5


def test_a_warm_chinese_reply_scores_above_a_cold_one(scorer: ReplyScorer) -> None:
    warm, cold = scorer.features(
        失业, ["听起来失业让你很难受，这不是你的错。你愿意多说说吗？", "你应该赶紧去投简历。"]
    )
    assert warm.quality > cold.quality + 0.3


def test_the_persons_own_words_given_back_are_no_good_reply(scorer: ReplyScorer) -> None:
    warm, echo = scorer.features(LOST_JOB, [WARM, LOST_JOB[0].content])
    assert warm.quality > echo.quality + 1.0


def test_a_reply_to_something_else_scores_lower(scorer: ReplyScorer) -> None:
    fits = scorer.features(LOST_JOB, [WARM])[0].quality
    elsewhere = [ChatMessage("user", "My neighbour's dog barks all day and the landlord does nothing.")]
    assert scorer.features(elsewhere, [WARM])[0].quality < fits


def test_after_questions_another_move_is_chosen_among_equals(scorer: ReplyScorer) -> None:
    replies = [
        "It sounds like losing the job shook you. What worries you most about it?",
        "It sounds like losing the job shook you. Anyone in your place would lie awake.",
    ]
    history = TacticHistory(({Tactic.QUESTIONING: 2},))
    found = scorer.features(LOST_JOB, replies)
    alike = [
        RankInput(i, one.__class__(one.sentences, one.sentence_tactics, one.counts, 4.0), ())
        for i, one in enumerate(found)
    ]
    assert rerank(alike, history).chosen == 1
