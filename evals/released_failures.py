"""What the checks for failures say of released replies, from stored vectors."""

from collections.abc import Sequence
from pathlib import Path

from evals.held_out import Measured
from models.encoder import Encoder, untuned_part
from models.exchange import answered, said_by
from models.failure_checks import FailureValues, load_failure_checks
from models.specifics import missed, specifics
from models.training.mint_data import MintData
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
    return [
        checks.values(
            answered(
                said[reply.context],
                reply.sentences,
                measured.tactics[i],
                measured.vectors[i],
                missed(told[reply.context], reply.text),
            )
        )
        for i, reply in enumerate(data.replies)
    ]
