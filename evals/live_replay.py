"""Replays what persons said in recorded conversations against the embedded model, turn by turn.

Each conversation runs twice, with one candidate a turn and with several that are re-ranked, each with its
own history. Prompt, risk rules, cleaning, checks, scoring and ranking are those of the app.
"""

import asyncio
import gzip
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from app.chat.choice import ReplyChooser, Scorer
from app.chat.prompt import TokenCounter, turn_prompt
from models.chat_model import Candidate, ChatMessage
from models.novelty import TacticHistory
from models.profiles import Profile
from models.tactics import Tactic
from safety.crisis_reply import fallback_reply
from safety.levels import RiskLevel, SessionRisk
from safety.risk import RiskAssessor


class Sampler(Protocol):
    """Draws candidates for many prompts; see ``evals.live_engine.BatchSampler``."""

    @property
    def count_tokens(self) -> TokenCounter:
        """Counts tokens of messages."""
        ...

    def sample(self, prompts: Sequence[Sequence[ChatMessage]], n: int) -> list[list[Candidate]]:
        """Candidates of each prompt."""
        ...


@dataclass(frozen=True, slots=True)
class Script:
    """What the person of one conversation says, in order."""

    id: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LiveTurn:
    """One reply that was chosen, with what was measured on it.

    Attributes:
        conversation: Whose.
        turn: Which, from 0.
        n: Candidates it was chosen from.
        text: The reply; kept in the file to resume from, never in results.
        tactics: Sentences that carry each tactic, by name.
        quality: Predicted Q.
        repeated_opening: Whether it opens like an earlier reply.
        similarity: Largest similarity of wording to an earlier one.
        words: Its length.
        level: Risk level of the message.
        fallback: Whether no candidate could be shown.
        model_s: Seconds of sampling, shared evenly in the batch.
        choose_s: Seconds of cleaning, checking, scoring and ranking.
    """

    conversation: str
    turn: int
    n: int
    text: str
    tactics: dict[str, int]
    quality: float
    repeated_opening: bool
    similarity: float
    words: int
    level: int
    fallback: bool
    model_s: float
    choose_s: float


@dataclass(slots=True)
class _Going:
    """A conversation that is going on."""

    script: Script
    turns: list[ChatMessage]
    replies: list[str]
    history: TacticHistory
    risk: SessionRisk
    level: int = 0


def read_scripts(file: Path, conversations: int, most_turns: int) -> list[Script]:
    """The first conversations in which the person speaks at least twice, in file order, cut to some turns.

    Raises:
        ValueError: The file can't be read as a list of conversations.
    """
    try:
        with gzip.open(file, "rt", encoding="utf-8") as text:
            raw: list[dict[str, Any]] = json.load(text)
        found = [
            Script(
                f"{number}:{row['conversation_id']}",
                tuple(t["content"].strip() for t in row["conversation"] if t["role"] == "seeker")[
                    :most_turns
                ],
            )
            for number, row in enumerate(raw)
        ]
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        msg = f"{file.name}: no gzipped list of conversations ({type(error).__name__}: {error})"
        raise ValueError(msg) from None
    usable = [script for script in found if len(script.messages) > 1 and all(script.messages)]
    return usable[:conversations]


class Replay:
    """Runs scripts with a number of candidates.

    Args:
        sampler: Draws candidates.
        profile: Facts of its checkpoint.
        chooser: The app's.
        scorer: The same scorer as the chooser's, for written replies.
        assessor: The app's risk rules.
    """

    def __init__(
        self,
        sampler: Sampler,
        profile: Profile,
        chooser: ReplyChooser,
        scorer: Scorer,
        assessor: RiskAssessor,
    ) -> None:
        self._sampler, self._profile = sampler, profile
        self._chooser, self._scorer, self._assessor = chooser, scorer, assessor

    def run(
        self, scripts: Sequence[Script], n: int, known: Iterable[LiveTurn] = ()
    ) -> Iterable[list[LiveTurn]]:
        """Take all scripts to their end, one turn of every conversation at a time.

        Args:
            scripts: What the persons say.
            n: Candidates a turn.
            known: Turns with this ``n`` from an earlier run, which are not taken again.

        Yields:
            The turns of each step that were taken now.
        """
        stored = {(turn.conversation, turn.turn): turn for turn in known if turn.n == n}
        going = [_Going(script, [], [], TacticHistory(), SessionRisk()) for script in scripts]
        for number in range(max((len(script.messages) for script in scripts), default=0)):
            now = [one for one in going if number < len(one.script.messages)]
            for one in now:
                self._listen(one, one.script.messages[number])
            fresh = [one for one in now if (one.script.id, number) not in stored]
            taken = self._answer(fresh, number, n) if fresh else []
            for turn in taken:
                stored[turn.conversation, turn.turn] = turn
            for one in now:
                _remember(one, stored[one.script.id, number])
            if taken:
                yield taken

    def _listen(self, one: _Going, said: str) -> None:
        assessment = self._assessor.assess(said, one.risk)
        one.risk, one.level = assessment.session, int(assessment.level)
        one.turns.append(ChatMessage("user", said))

    def _answer(self, fresh: Sequence[_Going], number: int, n: int) -> list[LiveTurn]:
        began = time.perf_counter()
        groups = self._sampler.sample([self._prompt(one) for one in fresh], n)
        seconds = (time.perf_counter() - began) / len(fresh)
        return [
            asyncio.run(self._choose(one, group, number, n, seconds))
            for one, group in zip(fresh, groups, strict=True)
        ]

    def _prompt(self, one: _Going) -> list[ChatMessage]:
        level = max(RiskLevel(one.level), one.risk.level)
        count = self._sampler.count_tokens
        return turn_prompt(self._profile, one.turns, one.history.turns, level, "en", count)

    async def _choose(
        self, one: _Going, group: Sequence[Candidate], number: int, n: int, model_s: float
    ) -> LiveTurn:
        began = time.perf_counter()
        choice = await self._chooser.choose(group, one.turns, one.history, one.replies, RiskLevel(one.level))
        seconds = time.perf_counter() - began
        chosen = choice.chosen
        text = fallback_reply("en", number) if chosen is None else chosen.text
        features = None if chosen is None else chosen.features
        if features is None:
            features = self._scorer.features(one.turns, [text], one.replies)[0]
        return LiveTurn(
            conversation=one.script.id,
            turn=number,
            n=n,
            text=text,
            tactics={str(tactic): count for tactic, count in features.counts.items()},
            quality=features.quality,
            repeated_opening=features.repeated_opening,
            similarity=features.similarity,
            words=len(text.split()),
            level=one.level,
            fallback=chosen is None,
            model_s=model_s,
            choose_s=seconds,
        )


def _remember(one: _Going, turn: LiveTurn) -> None:
    one.turns.append(ChatMessage("assistant", turn.text))
    one.replies.append(turn.text)
    one.history = one.history.with_turn({Tactic(name): count for name, count in turn.tactics.items()})


def read_turns(file: Path) -> list[LiveTurn]:
    """Turns of an earlier run; none when there is no such file. A line that was cut off is left out."""
    if not file.is_file():
        return []
    found: list[LiveTurn] = []
    for line in file.read_text("utf-8").splitlines():
        try:
            found.append(LiveTurn(**json.loads(line)))
        except (ValueError, TypeError):
            break
    return found


def add_turns(file: Path, turns: Sequence[LiveTurn]) -> None:
    """Append turns to the file to resume from."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.writelines(json.dumps(asdict(turn), ensure_ascii=False) + "\n" for turn in turns)
