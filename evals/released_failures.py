"""What the checks for failures say of released replies, from stored vectors, beside the judge's ratings."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from evals.held_out import Measured
from models.encoder import Encoder, untuned_part
from models.exchange import answered, said_by
from models.failure_checks import SIGNS, FailureValues, load_failure_checks
from models.inventions import inventions_beside, read_told, told_in, value_of
from models.specifics import missed, specifics
from models.tactics import Tactic
from models.training.metrics import mean_of, rank_correlation
from models.training.mint_data import HUMAN, RATINGS, MintData, by_context
from models.training.quality_rows import mint_vectors


def released_failures(
    data: MintData, measured: Measured, encoder: Encoder, cache: Path
) -> Sequence[FailureValues]:
    """The values of each reply of a folder, in the order of the data.

    Args:
        data: The replies.
        measured: Their tactics by heads that did not see the conversation, and their vectors.
        encoder: The encoder that ``measured`` was made with.
        cache: Where vectors are stored.
    """
    untuned = untuned_part(encoder)
    checks = load_failure_checks(untuned.name)
    if checks is None:
        return [FailureValues()] * len(data.replies)
    vectors = mint_vectors(untuned, data, cache).said
    said = {key: said_by(turns, vectors[key], measured.center) for key, turns in data.histories.items()}
    told = {key: specifics(one.message.text) for key, one in said.items()}
    lives = {key: read_told(told_in(turns)) for key, turns in data.histories.items()}
    return [
        checks.values(
            answered(
                said[reply.context],
                reply.sentences,
                measured.tactics[i],
                measured.vectors[i],
                missed(told[reply.context], reply.text),
                value_of(inventions_beside(reply.text, lives[reply.context], "en")),
            )
        )
        for i, reply in enumerate(data.replies)
    ]


def beside_the_judge(data: MintData, encoder: Encoder, cache: Path) -> dict[str, dict[str, float]]:
    """Spearman of each check with the judge's ratings and with length, within a context, mean over contexts.

    Tactics are the authors' tags. The human supporter's own replies are left out.
    """
    vectors = [rows[1:] for rows in mint_vectors(untuned_part(encoder), data, cache).replies]
    untagged: frozenset[Tactic] = frozenset()
    tags = [one.tactics if one.aligned else (untagged,) * len(one.sentences) for one in data.replies]
    center = np.concatenate(vectors).mean(axis=0)
    measured = Measured(tags, np.zeros(len(vectors), np.float32), vectors, center, "authors")
    found = [asdict(one) for one in released_failures(data, measured, encoder, cache)]
    groups = [
        [i for i in group if data.replies[i].system != HUMAN] for group in by_context(data.replies).values()
    ]
    others = {name: [one.ratings[place] for one in data.replies] for place, name in enumerate(RATINGS)}
    others["words"] = [float(len(one.text.split())) for one in data.replies]
    return {
        failure: {
            name: _within([one[failure] for one in found], values, groups) for name, values in others.items()
        }
        for failure in (*SIGNS, "invented")
    }


def _within(values: Sequence[float], others: Sequence[float], groups: Sequence[Sequence[int]]) -> float:
    rated = [[i for i in group if others[i] == others[i]] for group in groups]  # not nan
    return round(
        mean_of(
            rank_correlation([values[i] for i in group], [others[i] for i in group])
            for group in rated
            if group
        ),
        3,
    )
