"""Does the embedded model know at turn 60 what turn 3 told, and what does being told cost its replies?

    python -m evals.recall --json evals/results/recall.json

Each conversation tells one thing, goes on about something else until that turn has left the context, and
ends twice: with a question about it, and with an ordinary message. Three prompts are compared: without
memory, with the fact at the beginning of the first turn that fits (what Hearken does for a model that was
tuned to its exact prompt), and with the fact in the system message.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean

import yaml

from app.chat.prompt import turn_prompt
from app.chat.recall import NOTHING, Memory
from evals.embedded_model import CONTEXTS
from evals.provenance import provenance, write_results
from models.chat_model import ChatMessage, ChatModel
from models.fact_patterns import facts_in
from models.facts import ToldFact
from models.local import LocalChatModel
from models.profiles import load_profiles
from models.scorer import ReplyScorer, load_scorer
from models.training.sample_chat import read_contexts
from safety.levels import RiskLevel

STORIES = Path(__file__).parent / "data" / "recall.yaml"
SAMPLES = 4
TOKENS = 300
TURNS = 60
FILLER = (
    "That sounds like a lot to carry. Thank you for telling me. What has been the hardest part of it for you?"
)


@dataclass(frozen=True, slots=True)
class Story:
    """One thing that is told and asked for.

    Attributes:
        told: The message of turn 3.
        asked: The message of turn 60.
        word: What a reply that knows the answer holds, in lower case.
    """

    told: str
    asked: str
    word: str


Prompt = list[ChatMessage]
Arm = Callable[[ChatModel, Sequence[ChatMessage], tuple[ToldFact, ...]], Prompt]


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw, measure, write the table."""
    parser = argparse.ArgumentParser(prog="python -m evals.recall", description=__doc__)
    parser.add_argument("--stories", type=int, default=100, help="most stories that are played")
    parser.add_argument("--context", type=int, default=None, help="tokens of the context, to save time")
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args(arguments)
    stories = [Story(**entry) for entry in yaml.safe_load(STORIES.read_text("utf-8"))][: options.stories]
    table = asyncio.run(measured(stories, load_scorer("e5"), options.context))
    about = provenance(seed=None, data=f"{len(stories)} stories written for this evaluation")
    write_results(
        options.json, {"arms": table, "samples": SAMPLES, "turns": TURNS, "context": options.context}, about
    )
    print(json.dumps(table, indent=1))


async def measured(
    stories: Sequence[Story], scorer: ReplyScorer, context: int | None
) -> dict[str, dict[str, float]]:
    """One row of figures for each kind of prompt."""
    ordinary = [said for script in read_contexts(CONTEXTS) for said in script]
    usual = load_profiles()["embedded"]
    profile = usual if context is None else replace(usual, context_length=context)
    model = LocalChatModel(profile=profile, timeout_s=600.0)
    await model.check()
    table: dict[str, dict[str, float]] = {}
    try:
        for name, arm in ARMS.items():
            known: list[float] = []
            quality: list[float] = []
            for number, story in enumerate(stories):
                asked = await _replies(model, arm, story, story.asked, ordinary, number)
                known.append(mean(story.word in reply.lower() for reply in asked))
                last = ordinary[number]
                everyday = await _replies(model, arm, story, last, ordinary, number)
                found = scorer.features([ChatMessage("user", last)], everyday)
                quality.append(max(one.quality for one in found))
                print(name, number + 1, round(mean(known), 3), round(mean(quality), 3), flush=True)
            table[name] = {
                "stories": len(stories),
                "replies_that_know": round(mean(known), 3),
                "stories_known_by_one_of_4": round(mean(share > 0 for share in known), 3),
                "predicted_q_best_of_4": round(mean(quality), 3),
            }
    finally:
        await model.close()
    return table


async def _replies(
    model: LocalChatModel, arm: Arm, story: Story, last: str, ordinary: Sequence[str], number: int
) -> list[str]:
    turns = conversation(story, last, ordinary, number)
    facts = tuple(ToldFact(fact.kind, fact.text) for fact in facts_in(story.told))
    return [one.text for one in await model.sample(arm(model, turns, facts), SAMPLES)]


def conversation(story: Story, last: str, ordinary: Sequence[str], number: int) -> list[ChatMessage]:
    """Sixty turns: the third tells, the others are messages of other people's days."""
    turns: list[ChatMessage] = []
    for turn in range(1, TURNS):
        said = story.told if turn == 3 else ordinary[(number * 7 + turn) % len(ordinary)]
        turns += [ChatMessage("user", said), ChatMessage("assistant", FILLER)]
    return [*turns, ChatMessage("user", last)]


def _prompt(model: ChatModel, turns: Sequence[ChatMessage], memory: Memory) -> Prompt:
    level = RiskLevel.NONE
    return turn_prompt(model.profile, turns, [], level, "en", model.count_tokens, memory=memory)


def without(model: ChatModel, turns: Sequence[ChatMessage], facts: tuple[ToldFact, ...]) -> Prompt:
    """No memory."""
    del facts
    return _prompt(model, turns, NOTHING)


def first_turn(model: ChatModel, turns: Sequence[ChatMessage], facts: tuple[ToldFact, ...]) -> Prompt:
    """As Hearken does it."""
    return _prompt(model, turns, Memory(facts, TOKENS))


def in_system(model: ChatModel, turns: Sequence[ChatMessage], facts: tuple[ToldFact, ...]) -> Prompt:
    """In the system message, which this model only knows in one form."""
    system, *rest = _prompt(model, turns, NOTHING)
    told = " ".join(fact.text for fact in facts)
    return [ChatMessage("system", f"{system.content}\n\nThis person told you earlier: {told}."), *rest]


ARMS: dict[str, Arm] = {"without": without, "first_turn": first_turn, "system": in_system}


if __name__ == "__main__":
    main()
