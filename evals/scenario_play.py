"""Lets a configuration answer a scenario turn by turn, with the app's prompt, checks and choice."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.chat.choice import Choice, JudgedCandidate, ReplyChooser
from app.chat.crisis import CrisisVerdict
from app.chat.prompt import turn_prompt
from app.chat.written import instead_of_model
from evals.scenario_data import Configuration, Scenario
from models.chat_model import ChatMessage, ChatModel, ChatModelError
from models.novelty import TacticHistory
from models.tactics import TacticCounts
from safety.crisis_reply import fallback_reply
from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor

_NO_TACTICS: TacticCounts = {}


@dataclass(frozen=True, slots=True)
class Transcript:
    """A conversation.

    Attributes:
        scenario: Its id.
        turns: Person and supporter in turn; empty when the model failed.
        fallbacks: Turns in which no candidate could be shown.
        written: Turns that the app answers with a written reply instead of this model: danger, or a
            language that it does not speak.
        failures: Codes of the model's errors; such a conversation is judged by nobody, and counted.
        completion_tokens: Of all candidates.
    """

    scenario: str
    turns: tuple[ChatMessage, ...] = ()
    fallbacks: int = 0
    written: int = 0
    failures: tuple[str, ...] = ()
    completion_tokens: int = 0


async def play(
    scenario: Scenario,
    configuration: Configuration,
    model: ChatModel,
    chooser: ReplyChooser,
    assessor: RiskAssessor,
) -> Transcript:
    """Take a scenario to its end; a failing model ends it without a transcript."""
    turns: list[ChatMessage] = []
    history, risk, earlier = TacticHistory(), SessionRisk(), list[str]()
    fallbacks = writtens = tokens = 0
    for number, said in enumerate(scenario.turns):
        assessment = assessor.assess(said, risk)
        risk = assessment.session
        turns.append(ChatMessage("user", said))
        written = instead_of_model(
            model.profile, said, scenario.language, CrisisVerdict(assessment, None, False), earlier
        )
        if written is not None:
            writtens += 1
            turns.append(ChatMessage("assistant", written.text))
            earlier.append(written.text)
            history = history.with_turn(_NO_TACTICS)
            continue
        level = max(assessment.level, risk.level)
        prompt = turn_prompt(
            model.profile, turns, history.turns, level, scenario.language, model.count_tokens
        )
        try:
            candidates = await model.sample(prompt, configuration.n)
        except ChatModelError as error:
            return Transcript(scenario.id, (), fallbacks, writtens, (error.code,), tokens)
        tokens += sum(candidate.completion_tokens for candidate in candidates)
        choice = await chooser.choose(candidates, turns, history, earlier, RiskLevel(assessment.level))
        taken = choice.chosen if configuration.rerank else first_shown(choice)
        text = fallback_reply(scenario.language, number) if taken is None else taken.text
        fallbacks += taken is None
        features = None if taken is None else taken.features
        history = history.with_turn(_NO_TACTICS if features is None else features.counts)
        turns.append(ChatMessage("assistant", text))
        earlier.append(text)
    return Transcript(scenario.id, tuple(turns), fallbacks, writtens, (), tokens)


def first_shown(choice: Choice) -> JudgedCandidate | None:
    """The first candidate that may be shown: what a service without re-ranking would answer."""
    return next((one for one in choice.judged if one.blocked is None), None)


def mean_length(turns: Sequence[ChatMessage]) -> float:
    """Mean length of the supporter's turns in characters."""
    own = [len(turn.content) for turn in turns if turn.role == "assistant"]
    return sum(own) / len(own) if own else 0.0
