"""Tactics of released replies as predicted by tuned encoders that did not see their conversation.

They come from :mod:`models.training.tune_encoder`, are kept beside the tuned encoder, and let evaluations
measure it on the conversations it was tuned on. Replies are known by digest; the file holds no text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.presence import by_thresholds, presence, signs_of
from models.sentences import says_something
from models.tactics import Tactic
from models.tagger import TaggedReply
from models.training.metrics import best_thresholds
from models.training.mint_data import MintData, MintReply, carried, reply_digest
from models.training.presence_fit import fit_presence


@dataclass(frozen=True, slots=True)
class HeldOutTags:
    """Predictions of all folds.

    Attributes:
        rows: Place of each reply's sentences among the probabilities, by digest.
        fold: Fold of each reply, by digest.
        probabilities: Of each sentence and tactic.
        thresholds: Of each fold, best on the sentences of the other folds.
        presence: Weights of each fold by which whole replies are read, ``(folds, 10, 3)``, learned on the
            other folds; see :mod:`models.presence`.
    """

    rows: Mapping[str, slice]
    fold: Mapping[str, int]
    probabilities: NDArray[np.float32]
    thresholds: NDArray[np.float32]
    presence: NDArray[np.float32]

    @classmethod
    def from_tuning(cls, path: Path, data: MintData) -> "HeldOutTags":
        """Read what the tuning wrote and find the thresholds of each fold."""
        with np.load(path) as file:
            fold_of = dict(zip(file["conversations"].tolist(), file["fold"].tolist(), strict=True))
            fold = {reply_digest(reply): fold_of[reply.context[0]] for reply in data.replies}
            rows = _rows(file["digests"].tolist(), file["sentences"])
            probabilities = file["probabilities"].astype(np.float32)
        count = max(fold.values()) + 1
        return cls._fitted(data, count, rows, fold, probabilities)

    @classmethod
    def _fitted(
        cls,
        data: MintData,
        count: int,
        rows: Mapping[str, slice],
        fold: Mapping[str, int],
        probabilities: NDArray[np.float32],
    ) -> "HeldOutTags":
        halves = np.full((count, len(Tactic)), 0.5, np.float32)
        found = cls(rows, fold, probabilities, halves, np.zeros((count, len(Tactic), 3), np.float32))
        for number in range(count):
            found.thresholds[number] = found.best_thresholds(data, without=number)
        return found.with_presence(data)

    @classmethod
    def read(cls, path: Path) -> "HeldOutTags":
        """Read what :meth:`save` wrote."""
        with np.load(path) as file:
            names = file["digests"].tolist()
            fold = dict(zip(names, file["fold"].tolist(), strict=True))
            rows = _rows(names, file["sentences"])
            thresholds = file["thresholds"]
            if "presence" in file.files:
                weights = file["presence"]
            else:
                weights = np.stack([by_thresholds(row) for row in thresholds])
            return cls(rows, fold, file["probabilities"].astype(np.float32), thresholds, weights)

    def save(self, path: Path) -> None:
        """Write one file."""
        np.savez_compressed(
            path,
            allow_pickle=False,
            digests=np.array(list(self.rows)),
            sentences=np.array([place.stop - place.start for place in self.rows.values()], np.int16),
            fold=np.array([self.fold[name] for name in self.rows], np.int8),
            probabilities=self.probabilities.astype(np.float16),
            thresholds=self.thresholds,
            presence=self.presence,
        )

    def averaged(self, other: "HeldOutTags", data: MintData, share: float) -> "HeldOutTags":
        """The mean of two models' probabilities, with thresholds of its own.

        Args:
            other: Predictions for the same replies, by the same folds.
            data: The replies.
            share: The other's part of the mean.

        Raises:
            ValueError: Replies are missing or in another fold: a model of it may have seen them.
        """
        if any(other.fold.get(name) != fold for name, fold in self.fold.items()):
            raise ValueError("the predictions to average are not by the same folds")
        mean = np.empty_like(self.probabilities)
        for name, place in self.rows.items():
            mean[place] = (1 - share) * self.probabilities[place] + share * other.probabilities[
                other.rows[name]
            ]
        return HeldOutTags._fitted(data, len(self.thresholds), self.rows, self.fold, mean)

    def with_presence(self, data: MintData) -> "HeldOutTags":
        """With weights of whole replies that are learned on the other folds."""
        each = [self.best_presence(data, without=number) for number in range(len(self.thresholds))]
        return replace(self, presence=np.stack(each))

    def tactics(self, reply: MintReply) -> list[frozenset[Tactic]] | None:
        """Tactics of each sentence, or ``None`` for a reply that was not among them."""
        name = reply_digest(reply)
        if name not in self.rows:
            return None
        hits = self.probabilities[self.rows[name]] >= self.thresholds[self.fold[name]]
        return [frozenset(t for t, hit in zip(Tactic, row, strict=True) if hit) for row in hits]

    def tagged(self, reply: MintReply) -> TaggedReply | None:
        """The tactics of each sentence and how likely the reply carries each, or ``None`` as above."""
        name, tactics = reply_digest(reply), self.tactics(reply)
        if tactics is None:
            return None
        chances = presence(self.probabilities[self.rows[name]], self.presence[self.fold[name]])
        return TaggedReply(tuple(tactics), chances)

    def best_presence(self, data: MintData, without: int | None = None) -> NDArray[np.float32]:
        """Weights of whole replies, learned on the replies of all folds but one."""
        known = [
            (reply, name)
            for reply in data.replies
            if (name := reply_digest(reply)) in self.rows and self.rows[name].stop > self.rows[name].start
        ]
        learnt = [(reply, name) for reply, name in known if self.fold[name] != without]
        signs = np.stack([signs_of(self.probabilities[self.rows[name]]) for _, name in learnt])
        return fit_presence(signs, carried(reply for reply, _ in learnt))

    def best_thresholds(self, data: MintData, without: int | None = None) -> NDArray[np.float32]:
        """Thresholds of the highest macro-F1 on the sentences of all folds but one."""
        truth: list[list[bool]] = []
        guess: list[NDArray[np.float32]] = []
        for reply in data.replies:
            name = reply_digest(reply)
            if not reply.aligned or name not in self.rows or self.fold[name] == without:
                continue
            for sentence, tags, row in zip(
                reply.sentences, reply.tactics, self.probabilities[self.rows[name]], strict=True
            ):
                if says_something(sentence):
                    truth.append([tactic in tags for tactic in Tactic])
                    guess.append(row)
        return best_thresholds(np.array(truth, np.float32), np.stack(guess))


def _rows(digests: list[str], sentences: NDArray[np.int64]) -> dict[str, slice]:
    ends = np.cumsum(sentences.astype(np.int64)).tolist()
    sizes = sentences.tolist()
    return {name: slice(end - size, end) for name, end, size in zip(digests, ends, sizes, strict=True)}
