"""Draws replies of adapters to contexts kept apart, and rolls conversations out, for ``evals.tuned_chat``."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import peft
import torch

from models.adapter_marks import knows_codes
from models.chat_model import ChatMessage
from models.cleanup import clean_reply
from models.novelty import TacticHistory
from models.rerank import RankInput, rerank
from models.scorer import ReplyScorer
from models.training.base_model import load_base
from models.training.chat_tokens import prompt_text
from models.training.grpo_rows import PromptRow
from models.training.reward_scoring import base_likelihood
from models.training.rewards import counts_of
from models.training.sample_chat import sample_replies
from models.training.shipped_kinds import ShippedKinds

CUT = " […]"
"""What a reply that the token limit cut ends with."""
FALLBACK = "I'm here and I'm listening."
"""Shown when no candidate can be."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply that was chosen.

    Attributes:
        said: The person's message.
        reply: The reply.
        log_likelihood: Mean log-likelihood of its tokens under the untouched base, nats.
        cut: Whether the token limit cut the sample.
        fallback: Whether no candidate could be shown.
    """

    said: str
    reply: str
    log_likelihood: float
    cut: bool
    fallback: bool


@dataclass(slots=True)
class Going:
    """A conversation at a person's message."""

    turns: list[ChatMessage]
    history: TacticHistory
    replies: list[str]


def draw(
    adapter: str,
    base: str,
    contexts: Sequence[PromptRow],
    scripts: Sequence[Sequence[str]],
    numbers: Iterable[int],
    scorer: ReplyScorer,
    seed: int,
    batch: int,
    profile: str = "embedded",
) -> dict[str, Any]:
    """Everything of one adapter, for each number of candidates.

    Args:
        adapter: Its folder, or ``none`` for the base itself.
        base: See :func:`models.training.base_model.load_base`.
        contexts: Rows kept apart; each is answered once.
        scripts: What persons say, played to their end.
        numbers: Candidates a turn: with one the sample is taken as it is, with more they are re-ranked.
        scorer: Of the re-ranking.
        seed: Of the sampling.
        batch: Contexts that are answered at once.
        profile: Prompt and sampling settings.

    Returns:
        ``{n: {"held_out": [turn], "rollouts": [[turn]]}}`` with turns as dictionaries.
    """
    library: Any = torch
    device = "cuda" if library.cuda.is_available() else "cpu"
    model, tokenizer = load_base(base)
    adapters: Any = peft
    if adapter != "none":
        model = adapters.PeftModel.from_pretrained(model, adapter)
    model.to(device)
    reader = ShippedKinds(base) if adapter != "none" and knows_codes(Path(adapter)) else None
    likelihood = base_likelihood(model, tokenizer, min(batch, 16))

    def answer(going: Sequence[Going], n: int, shift: int) -> list[Turn]:
        asked = [(tuple(one.turns), 0) for one in going]
        codes = _codes(going, reader)
        groups = sample_replies(model, tokenizer, asked, n, seed + shift, batch, profile, codes=codes)
        picked = [choose(one, group, scorer) for one, group in zip(going, groups, strict=True)]
        prompts = [prompt_text(tokenizer, one.turns, 0, profile) for one in going]
        found = likelihood(prompts, [text for text, _, _ in picked])
        return [
            Turn(one.turns[-1].content, text, value, cut, fallback)
            for one, (text, cut, fallback), value in zip(going, picked, found, strict=True)
        ]

    drawn: dict[str, Any] = {}
    for n in numbers:
        waiting = [Going(list(row.messages), _before(row), _replies(row)) for row in contexts]
        held_out = answer(waiting, n, 0) if waiting else []
        played = roll_out(scripts, lambda going, turn, n=n: answer(going, n, turn + 1), scorer)
        drawn[str(n)] = {
            "held_out": [asdict(turn) for turn in held_out],
            "rollouts": [[asdict(turn) for turn in turns] for turns in played],
        }
    return drawn


def _codes(going: Sequence[Going], reader: ShippedKinds | None) -> list[str]:
    """Control codes of each conversation's prompt, as the application has them; empty without a reader."""
    if reader is None:
        return [""] * len(going)
    return [reader.code([turn.content for turn in one.turns if turn.role == "user"]) for one in going]


def roll_out(
    scripts: Sequence[Sequence[str]],
    answer: Callable[[Sequence[Going], int], list[Turn]],
    scorer: ReplyScorer,
) -> list[list[Turn]]:
    """Play scripts with own history, one turn of every conversation at a time.

    Args:
        scripts: What persons say.
        answer: From conversations and the number of the turn to replies.
        scorer: Tags the replies for the history.
    """
    going = [Going([], TacticHistory(), []) for _ in scripts]
    played: list[list[Turn]] = [[] for _ in scripts]
    for number in range(max((len(script) for script in scripts), default=0)):
        now = [place for place, script in enumerate(scripts) if number < len(script)]
        for place in now:
            going[place].turns.append(ChatMessage("user", scripts[place][number]))
        for place, turn in zip(now, answer([going[place] for place in now], number), strict=True):
            one = going[place]
            features = scorer.features(one.turns, [turn.reply])[0]
            one.turns.append(ChatMessage("assistant", turn.reply))
            one.replies.append(turn.reply)
            one.history = one.history.with_turn(features.counts)
            played[place].append(turn)
    return played


def choose(going: Going, candidates: Sequence[str], scorer: ReplyScorer) -> tuple[str, bool, bool]:
    """The reply to show, whether it was cut, and whether no candidate could be shown.

    Candidates are cleaned, scored and ranked as in the application, without its checks of a reply.
    """
    cuts = [text.endswith(CUT) for text in candidates]
    cleaned = [
        clean_reply(text.removesuffix(CUT), "length" if cut else "stop")
        for text, cut in zip(candidates, cuts, strict=True)
    ]
    features = scorer.features(going.turns, [one.text for one in cleaned], going.replies)
    group = [
        RankInput(place, found, one.penalties, None if one.usable else "empty")
        for place, (one, found) in enumerate(zip(cleaned, features, strict=True))
    ]
    chosen = rerank(group, going.history).chosen
    if chosen is None:
        return FALLBACK, True, True
    return cleaned[chosen].text, cuts[chosen], False


def _before(row: PromptRow) -> TacticHistory:
    return TacticHistory((counts_of(row.previous),) if any(row.previous) else ())


def _replies(row: PromptRow) -> list[str]:
    return [turn.content for turn in row.turns if turn.role == "assistant"]


def is_adapter(name: str) -> bool:
    """Whether a name is ``none`` or the folder of an adapter."""
    return name == "none" or (Path(name) / "adapter_config.json").is_file()
