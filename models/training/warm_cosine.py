"""The schedule of learning rates that recipes share: a straight rise, then half a cosine down to nought."""

import math


def warm_cosine(step: int, warm: int, steps: int) -> float:
    """Share of the peak rate at a step.

    Args:
        step: From nought on.
        warm: Steps of the rise, at least one; its last one is at the peak.
        steps: All of them.
    """
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))
