"""A real, tiny Qwen3 checkpoint whose weights make it say what a test wrote down.

Attention and feed-forward layers add nothing, so the last hidden state is the embedding of the
last token, and the output layer maps it to the token that the script lets follow. Tokenizer, chat
template and architecture are those of Qwen3 in small, so servers treat it like the real one.
"""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

TEMPLATE = Path(__file__).parent / "data" / "qwen3_chat_template.jinja"
END = "<|im_end|>"
SPECIAL = ("<|endoftext|>", "<|im_start|>", END)
THINK = ("<think>", "</think>")

# After "assistant\n" it thinks; after an empty thought ("\n\n") or a finished one it answers.
THOUGHT = (" She", " needs", " comfort", " before", " advice", ",", " so", " listen")
REPLY = ("I", " hear", " you", ".", " That", " sounds", " hard", "!")
SCRIPT: tuple[tuple[str, ...], ...] = (("\n", "<think>", *THOUGHT, "</think>", "\n\n", *REPLY, END),)
ENDLESS: tuple[tuple[str, ...], ...] = (("\n", "I", " am", " listening", " and", " I", " am"),)
_SHARPNESS = 0.5
_WIDTH = 256


def write_checkpoint(folder: Path, script: Sequence[Sequence[str]] = SCRIPT, context: int = 2048) -> Path:
    """Write a checkpoint that continues each token as the lines of ``script`` say; returns its folder."""
    tokenizer = _tokenizer([word for line in script for word in line])
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=_WIDTH,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=64,
        max_position_embeddings=context,
        tie_word_embeddings=False,
        eos_token_id=tokenizer.convert_tokens_to_ids(END),
        pad_token_id=tokenizer.convert_tokens_to_ids(SPECIAL[0]),
    )
    torch.manual_seed(0)
    model: Any = Qwen3ForCausalLM(config)
    _script_weights(model, tokenizer, script)
    model.to(torch.bfloat16).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(words: Sequence[str]) -> Any:
    """A byte-level BPE that has every word of the script as one token."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=1000,
        min_frequency=1,
        show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator([word for word in words if not word.startswith("<")] * 20, trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for token in SPECIAL])
    tokenizer.add_tokens([AddedToken(token, special=False) for token in THINK])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=SPECIAL[0])
    fast.chat_template = TEMPLATE.read_text("utf-8")
    return fast


def _script_weights(model: Any, tokenizer: Any, script: Sequence[Sequence[str]]) -> None:
    with torch.no_grad():
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        signs = torch.randint(0, 2, (len(tokenizer), _WIDTH)) * 2.0 - 1.0
        model.model.embed_tokens.weight.copy_(signs)
        model.lm_head.weight.zero_()
        for word, following in {pair for line in script for pair in pairwise(line)}:
            model.lm_head.weight[_id(tokenizer, following)] += _SHARPNESS * signs[_id(tokenizer, word)]


def _id(tokenizer: Any, word: str) -> int:
    (token,) = tokenizer(word, add_special_tokens=False).input_ids
    return token
