"""The released replies as candidates, with everything that the re-ranker wants to know of them."""

from collections.abc import Sequence
from pathlib import Path

from evals.held_out import Measured
from evals.released_failures import released_failures
from evals.rollout import Pool, Wordings, turns_of
from models.cleanup import clean_reply
from models.encoder import Encoder
from models.training.mint_data import MintData


def pool_of(
    data: MintData, measured: Measured, systems: Sequence[str], encoder: Encoder, cache: Path
) -> Pool:
    """The candidates of some systems, as heads see them that did not see the conversation.

    Args:
        data: The replies.
        measured: What the heads say of them.
        systems: Whose replies are candidates.
        encoder: The encoder that ``measured`` was made with.
        cache: Where vectors are stored.
    """
    return Pool(
        data.replies,
        measured.tactics,
        [float(q) for q in measured.quality],
        [clean_reply(reply.text).penalties for reply in data.replies],
        Wordings(data.replies),
        turns_of(data.replies, systems),
        measured.vectors,
        measured.center,
        released_failures(data, measured, encoder, cache),
        measured.chances,
    )
