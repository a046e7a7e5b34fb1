"""Small checkpoints that lie in the repository, for tests; each folder has a card."""

from pathlib import Path

ECOT_TINY = Path(__file__).parent / "ecot-tiny-zh"
"""A Qwen3 of a few million weights that answers Chinese in an empathic chain of thought."""

__all__ = ["ECOT_TINY"]
