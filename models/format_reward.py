"""The format reward of MindChat-R0: how well an output keeps the form of an empathic chain of thought.

It is the mean of three parts, each from 0 to 1 (She et al., *MindChat-R0*, UbiComp Companion 2025):

- existence: 0.2 for each of the five pairs of tags ``thinking``, ``situation``, ``motivation``,
  ``strategy`` and ``answer`` that is there;
- uniqueness: 0.2 for each pair that is there exactly once;
- order: 1.0, 0.7, 0.4, 0.1 or 0 for four, three, two, one or none of the relations of order.

Where the paper says no more, this project has chosen (docs/decisions/0009-empathic-chain-of-thought.md):
tags count only as the prompt writes them; a pair is there when a closing tag stands behind the first
opening one; it is there once when there is exactly one of each; the four relations are those of
neighbours, ``thinking`` before ``situation`` before ``motivation`` before ``strategy`` before
``answer``, by the place of the first opening tag of each, and hold only between pairs that are there.
What stands in the tags, or outside of them, is not looked at.
"""

from itertools import pairwise

from models.ecot_tags import SECTIONS

PAIRS = ("thinking", *SECTIONS, "answer")
_SHARE = 0.2
_ORDER = (0.0, 0.1, 0.4, 0.7, 1.0)


def format_reward(output: str) -> float:
    """The reward of one output, from 0 to 1.

    Args:
        output: What the model wrote, tags included.

    Examples:
        >>> format_reward("<answer>I hear you.</answer>")
        0.13333333333333333
    """
    places = {name: output.find(f"<{name}>") for name in PAIRS if _is_there(output, name)}
    once = [name for name in places if output.count(f"<{name}>") == output.count(f"</{name}>") == 1]
    in_order = sum(
        first in places and second in places and places[first] < places[second]
        for first, second in pairwise(PAIRS)
    )
    return (_SHARE * len(places) + _SHARE * len(once) + _ORDER[in_order]) / 3


def _is_there(output: str, name: str) -> bool:
    start = output.find(f"<{name}>")
    return start >= 0 and output.find(f"</{name}>", start) >= 0
