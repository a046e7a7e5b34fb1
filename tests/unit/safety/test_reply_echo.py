"""A reply that names the person's danger raises the level; replies about anything else don't."""

import json
from pathlib import Path

import pytest

from safety.levels import RiskCategory, RiskLevel, SessionRisk
from safety.reply_echo import echoed_danger, in_first_person
from safety.risk import RiskAssessor

DATA = Path(__file__).parents[3] / "evals" / "data"
DANGER = (
    "I'm so sorry that you want to die tonight. Can you tell me more?",
    "Thank you for trusting me with your overdose. Please call for help.",
    "Please don't hurt yourself. You matter.",
    "It sounds like you are thinking about killing yourself.",
    "You said you're planning to end your life, and I'm worried.",
    "Having thoughts of suicide is heavy, and you carry your suicidal thoughts alone.",
    "You took an overdose of your suicide pills, that needs an ambulance.",
    "听到你想自杀，我很担心你。",
    "你说你不想活了，我听见了。",
    "请你不要伤害自己，我在这里。",
)
CALM = (
    "You're killing it at work, well done!",
    "Don't kill yourself over a spreadsheet.",
    "Please don't hurt yourself lifting that couch.",
    "If you ever feel like hurting yourself, call a helpline.",
    "Are you thinking about suicide?",
    "In that level you kill yourself with your own grenade in the game.",
    "His suicide must have shocked you.",
    "You want to live by the sea, and that sounds lovely.",
    "You don't want to die, you want this pain to stop.",
    "You were dying of laughter at the party.",
    "It shows that you take your own life seriously.",
    "You're dying to see the concert!",
    "如果你想自杀，请拨打热线。",
    "你在游戏里自杀了三次，真好笑。",
    "他自杀的消息让你很难过。",
    "你并没有想死，只是太累了。",
)


@pytest.mark.parametrize("reply", DANGER)
def test_a_reply_that_names_the_danger_raises_the_level(assessor: RiskAssessor, reply: str) -> None:
    found = echoed_danger(["Tell me more.", reply], "xq zzz", lambda s: assessor.assess(s, SessionRisk()))
    assert found is not None
    assert (found.level, found.layer) == (RiskLevel.MODERATE, "echo")
    assert found.category is not RiskCategory.NONE
    assert (found.start, found.end) == (0, 6)


@pytest.mark.parametrize("reply", CALM)
def test_a_reply_about_anything_else_does_not(assessor: RiskAssessor, reply: str) -> None:
    assert echoed_danger([reply], "xq zzz", lambda s: assessor.assess(s, SessionRisk())) is None


@pytest.mark.parametrize(
    "asked",
    [
        "A singer killed himself, it was in the news",
        "in my novel the hero jumps",
        "他在新闻里说的那件事",
        "I can't get past this level",
    ],
)
def test_what_a_person_tells_of_others_or_of_stories_is_no_danger(assessor: RiskAssessor, asked: str) -> None:
    assert echoed_danger([DANGER[0]], asked, lambda s: assessor.assess(s, SessionRisk())) is None


def test_none_of_the_calm_replies_at_hand_raises_it(assessor: RiskAssessor) -> None:
    lines = [
        json.loads(line)
        for name in ("replies_held_out.jsonl", "replies_second_set.jsonl")
        for line in (DATA / name).read_text(encoding="utf-8").splitlines()
    ]
    calm = [line["text"] for line in lines if not line.get("block") and line["level"] in {"none", "low"}]
    raised = [text for text in calm if echoed_danger([text], "", lambda s: assessor.assess(s, SessionRisk()))]
    assert len(calm) > 150
    assert raised == []


def test_a_sentence_turns_to_the_first_person() -> None:
    assert in_first_person("you're sure that you'll hurt yourself with your knife") == (
        "i am sure that i will hurt myself with my knife"
    )
