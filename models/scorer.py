"""Everything that is measured on a group of candidate replies, in one call."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from models.chat_model import ChatMessage
from models.emotion import EmotionReading, emotions_on
from models.empathy import EmpathyScorer, last_user_text, load_empathy
from models.encoder import CachedEncoder, Encoder, load_encoder, untuned_part
from models.exchange import Exchange, answered, said_by
from models.failure_checks import FailureChecks, FailureValues, load_failure_checks
from models.guidance import guides_to_safety
from models.inventions import inventions_beside, read_told, told_in, value_of
from models.mood import UNREAD, mood_of
from models.restating import restated
from models.scorer_features import ReplyFeatures
from models.sentences import is_chinese
from models.specifics import missed, specifics
from models.tactics import Tactic, count_tactics, split_sentences
from models.tagger import ReadReply, TacticTagger, load_tagger
from models.wording import read_wording, repeats_opening

__all__ = ["EARLIER_REPLIES", "ReplyFeatures", "ReplyScorer", "load_scorer"]

EARLIER_REPLIES = 8
"""Earlier replies of the conversation a candidate is compared with: the cost of a turn must not
grow with the conversation."""


class Strategies(Protocol):
    """What is needed of a reader that :func:`models.strategy_file.load_strategies` makes."""

    def read(self, replies: Sequence[str], context: Sequence[ChatMessage], earlier: int) -> list[str]:
        """The strategy of each reply to a conversation, with so many replies before it."""
        ...


class Emotions(Protocol):
    """What is needed of :class:`models.emotion.EmotionReader`."""

    def read(self, text: str) -> EmotionReading | None:
        """The emotions of one message."""
        ...


class Answers(Protocol):
    """What is needed of :class:`models.answers.AnswerReader`."""

    def unfit(self, replies: Sequence[str], context: Sequence[ChatMessage]) -> list[float]:
        """How little each reply fits, 0 to 1."""
        ...


class ReplyScorer:
    """Tags, scores and compares candidates; synchronous CPU work for a worker thread.

    Args:
        reader: Embeds replies, with tactics as ``empathy`` learned to read them.
        empathy: Predicts Q.
        tagger: Finds the tactics that count; ``reader`` itself where there is no better one.
        strategies: Names the strategy of each reply; ``None`` where it is not wanted.
        checks: Finds failures; ``None`` where none were learned for the encoder.
        emotions: Reads the person's message for the check of tone; without it only words are read.
        answers: Tells replies that fit; ``None`` where none was learned for the model that answers.
    """

    def __init__(
        self,
        reader: TacticTagger,
        empathy: EmpathyScorer,
        tagger: TacticTagger | None = None,
        strategies: Strategies | None = None,
        checks: FailureChecks | None = None,
        emotions: Emotions | None = None,
        answers: Answers | None = None,
    ) -> None:
        self._reader = reader
        self._empathy = empathy
        self._tagger = tagger
        self._strategies = strategies
        self._checks = checks
        self._emotions = emotions
        self._answers = answers

    def warm_up(self) -> None:
        """Load the encoder and compute once, so that the first turn does not wait for it."""
        self.features([ChatMessage("user", "Hello.")], ["Hello. How are you?"])

    def features(
        self,
        context: Sequence[ChatMessage],
        replies: Sequence[str],
        earlier: Sequence[str] = (),
        facts: Sequence[str] = (),
    ) -> list[ReplyFeatures]:
        """Measure candidates.

        Embedded are they, the person's last message and, unless the encoder knows them, the earlier replies.

        Args:
            context: The dialogue up to the person's message that is answered, oldest first.
            replies: Candidate replies, cleaned.
            earlier: Earlier replies of this conversation, oldest first; the last
                ``EARLIER_REPLIES`` are used.
            facts: What is remembered of the person beside the context.

        Returns:
            One value for each reply, in order.
        """
        shown = list(earlier)[-EARLIER_REPLIES:]
        recent = [read_wording(reply) for reply in shown]
        message = last_user_text(context)
        *both, said = self._reader.read([split_sentences(text) for text in (*replies, *shown, message)])
        read, before = both[: len(replies)], both[len(replies) :]
        quality = self._empathy.score(context, read)
        tags = (self._tagger or self._reader).read_all([one.sentences for one in (*read, *before[-1:])])
        tagged, last = tags[: len(replies)], tags[len(replies) :]
        tactics = [one.tactics for one in tagged]
        wordings = [read_wording(reply) for reply in replies]
        left_out = [missed(specifics(message), reply) for reply in replies]
        added = _invented(replies, told_in(context, facts))
        failures = self._failures(self._exchanges(context, said, read, tactics, left_out, added))
        strategies = self._strategies_of(replies, context, len(earlier))
        unfit = [0.0] * len(replies) if self._answers is None else self._answers.unfit(replies, context)
        return [
            ReplyFeatures(
                sentences=one.sentences,
                sentence_tactics=tactics[i],
                counts=count_tactics(tactics[i]),
                chances=tagged[i].chances,
                previous=last[0].chances if last else None,
                quality=quality[i],
                similarity=max((wordings[i].similarity(past) for past in recent), default=0.0),
                repeated_opening=repeats_opening(wordings[i], recent),
                restated=restated(one.vectors, [past.vectors for past in before], self._reader.center),
                missed=left_out[i],
                guidance=guides_to_safety(replies[i]),
                strategy=strategies[i],
                unfit=unfit[i],
                failures=failures[i],
            )
            for i, one in enumerate(read)
        ]

    def exchanges(self, context: Sequence[ChatMessage], replies: Sequence[str]) -> list[Exchange]:
        """What the checks for failures see of each reply; see :meth:`features` for the arguments."""
        message = last_user_text(context)
        *read, said = self._reader.read([split_sentences(text) for text in (*replies, message)])
        tactics = (self._tagger or self._reader).tag([one.sentences for one in read])
        left_out = [missed(specifics(message), reply) for reply in replies]
        added = _invented(replies, told_in(context))
        return self._exchanges(context, said, read, tactics, left_out, added)

    def _exchanges(
        self,
        context: Sequence[ChatMessage],
        said: ReadReply,
        read: Sequence[ReadReply],
        tactics: Sequence[Sequence[frozenset[Tactic]]],
        left_out: Sequence[float],
        added: Sequence[float],
    ) -> list[Exchange]:
        mood = UNREAD if self._emotions is None else mood_of(self._emotions.read(last_user_text(context)))
        person = said_by(context, np.vstack([said.whole[None], said.vectors]), self._reader.center, mood)
        return [
            answered(person, one.sentences, tagged, one.vectors, missed_share, invented)
            for one, tagged, missed_share, invented in zip(read, tactics, left_out, added, strict=True)
        ]

    def _failures(self, exchanges: Sequence[Exchange]) -> list[FailureValues]:
        checks = self._checks
        return [
            FailureValues(invented=one.invented) if checks is None else checks.values(one)
            for one in exchanges
        ]

    def _strategies_of(
        self, replies: Sequence[str], context: Sequence[ChatMessage], earlier: int
    ) -> Sequence[str | None]:
        if self._strategies is None:
            return [None] * len(replies)
        return self._strategies.read(replies, context, earlier)


def _invented(replies: Sequence[str], told: Sequence[str]) -> list[float]:
    """How much of each reply was never told; nothing can be said where nothing was told."""
    if not any(text.strip() for text in told):
        return [0.0] * len(replies)
    read = read_told(told)
    return [
        value_of(inventions_beside(reply, read, "zh" if is_chinese(reply) else "en")) for reply in replies
    ]


def load_scorer(
    encoder: str = "default", max_vectors: int = 20_000, threads: int = 1, answers: Answers | None = None
) -> ReplyScorer:
    """Build the scorer from the committed heads; the encoder is loaded at its first use.

    Args:
        encoder: A name; see :func:`models.encoder.load_encoder`.
        max_vectors: Vectors kept in memory.
        threads: CPU threads of the encoder.
        answers: See :class:`ReplyScorer`.
    """
    cached = CachedEncoder(load_encoder(encoder, threads=threads), max_vectors)
    return scorer_with(cached, emotions=emotions_on(cached), answers=answers)


def scorer_with(
    encoder: Encoder,
    strategies: Strategies | None = None,
    emotions: Emotions | None = None,
    answers: Answers | None = None,
) -> ReplyScorer:
    """Build the scorer on an encoder that others use as well; one with a cache is best.

    Args:
        encoder: The encoder.
        strategies: Names the strategy of each reply; ``None`` where it is not wanted.
        emotions: Reads messages on the same encoder, whose cache has their vectors.
        answers: See :class:`ReplyScorer`.

    Raises:
        HeadError: A head is missing, broken or belongs to another encoder.
    """
    untuned = untuned_part(encoder)
    tagger = None if untuned is encoder else load_tagger(encoder)
    checks = load_failure_checks(untuned.name)
    return ReplyScorer(
        load_tagger(untuned), load_empathy(untuned), tagger, strategies, checks, emotions, answers
    )
