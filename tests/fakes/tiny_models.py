"""Tiny random models with a byte-level tokenizer, as Transformers folders."""

from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from models.training.dialogue_file import read_dialogues

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
QWEN3_TEMPLATE = Path(__file__).parents[1] / "data" / "qwen3_chat_template.jinja"
SIZES = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
}


def write_tiny_llama(folder: Path) -> Path:
    """Write a Llama with ChatML; the same each time."""
    torch.manual_seed(0)
    tokenizer = _write_tokenizer(folder, CHATML)
    LlamaForCausalLM(LlamaConfig(**SIZES, **_ids(tokenizer))).save_pretrained(folder)
    return folder


def write_tiny_qwen3(folder: Path) -> Path:
    """Write a Qwen3 with its chat template; the same each time."""
    torch.manual_seed(0)
    tokenizer = _write_tokenizer(folder, QWEN3_TEMPLATE.read_text("utf-8"))
    Qwen3ForCausalLM(Qwen3Config(**SIZES, head_dim=8, **_ids(tokenizer))).save_pretrained(folder)
    return folder


def _ids(tokenizer: Any) -> dict[str, Any]:
    return {"vocab_size": len(tokenizer), "eos_token_id": tokenizer.eos_token_id, "bos_token_id": None}


def _write_tokenizer(folder: Path, template: str) -> Any:
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    raw.train_from_iterator([example.reply for example in read_dialogues()], trainer)
    tokenizer: Any = PreTrainedTokenizerFast(
        tokenizer_object=raw, eos_token="<|im_end|>", pad_token="<|im_end|>", chat_template=template
    )
    tokenizer.save_pretrained(folder)
    return tokenizer
