"""A small tokenizer with the special tokens and the chat template of Qwen3, trained on the phrase books."""

from collections.abc import Sequence
from importlib import resources
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from models.format_reward import PAIRS

PAD, START, END = "<|endoftext|>", "<|im_start|>", "<|im_end|>"
MARKS = ("<think>", "</think>", *(f"<{slash}{name}>" for name in PAIRS for slash in ("", "/")))
"""Tags that are one token each; servers must not hide them, so they are no special tokens."""


def train_tokenizer(texts: Sequence[str], size: int) -> Any:
    """Byte-level BPE: any text can be written with it.

    Args:
        texts: Each counts once, so that frequent templates don't become tokens.
        size: Most tokens, those for bytes, tags and turns included.

    Returns:
        A fast tokenizer of Transformers with its chat template.
    """
    tokenizer: Any = Tokenizer(models.BPE())
    library: Any = pre_tokenizers
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = library.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()  # pyright: ignore[reportCallIssue]
    trainer: Any = trainers.BpeTrainer(
        vocab_size=size - len(MARKS) - 3,
        min_frequency=2,
        show_progress=False,
        max_token_length=12,
        initial_alphabet=library.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in (PAD, START, END)])
    tokenizer.add_tokens([AddedToken(token, special=False) for token in MARKS])
    fast: Any = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=PAD)
    fast.chat_template = resources.files("models.training").joinpath("ecot_template.jinja").read_text("utf-8")
    return fast
