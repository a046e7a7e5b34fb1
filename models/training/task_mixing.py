"""Which examples each optimiser step learns from: temperature mixing of data sets of unequal size."""

import random
from collections.abc import Iterator, Mapping

Draw = Mapping[str, tuple[int, ...]]
"""Row numbers by name of the data set."""


def mixing_probabilities(sizes: Mapping[str, int], exponent: float) -> dict[str, float]:
    """p_i = n_i^a / sum_j n_j^a (Raffel et al. 2020, section 3.5.2, with a = 1 / T).

    Args:
        sizes: Rows of each data set; empty ones get 0.
        exponent: a; 1 draws rows alike, 0 draws data sets alike.

    Raises:
        ValueError: All are empty.
    """
    powers = {name: float(size) ** exponent if size else 0.0 for name, size in sizes.items()}
    total = sum(powers.values())
    if not total:
        raise ValueError("nothing to draw from: every data set is empty")
    return {name: power / total for name, power in powers.items()}


def draws(sizes: Mapping[str, int], exponent: float, batch: int, seed: int) -> Iterator[Draw]:
    """The endless sequence of batches; it depends on the arguments only, so a resumed run skips what it had.

    A data set's rows come in random order, each once before any comes again.

    Args:
        sizes: Rows of each data set.
        exponent: See :func:`mixing_probabilities`.
        batch: Rows a step.
        seed: Of all choices.
    """
    probabilities = mixing_probabilities(sizes, exponent)
    names = list(probabilities)
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    orders = {name: shuffled_rows(size, f"{seed}:{name}") for name, size in sizes.items() if size}
    while True:
        chosen = chance.choices(names, weights=[probabilities[name] for name in names], k=batch)
        yield {name: tuple(next(orders[name]) for _ in range(chosen.count(name))) for name in orders}


def shuffled_rows(size: int, seed: str) -> Iterator[int]:
    """Row numbers in random order, again and again, each time in another order."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    while True:
        yield from chance.sample(range(size), size)
