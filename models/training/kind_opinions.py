r"""What a fine-tuned chat model itself says of the kinds of messages that it had not learned from.

    python -m models.training.kind_opinions --adapter var/adapters/coded --output var/kinds/opinions.npz

Written: ``chances`` of each kind after the start of the control codes, ``(rows, kinds)``, and ``rows``,
their places among the rows that :mod:`models.training.kind_pack` packs. :mod:`models.training.kind_install`
chooses how much they count beside the encoder.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.chat_model import ChatMessage
from models.control_code import CODE_START
from models.head_file import Array
from models.message_kind import KINDS
from models.training.base_model import load_adapted
from models.training.chat_tokens import prompt_text
from models.training.kind_rows import kind_rows


def opinions(model: Any, tokenizer: Any, talks: Sequence[Sequence[ChatMessage]], batch: int = 64) -> Array:
    """Chances of each kind as the next word, ``(messages, kinds)``.

    Args:
        model: A causal language model.
        tokenizer: Its tokenizer; the padding side is set to left.
        talks: Turns up to the message that is read.
        batch: Prompts computed at once.
    """
    tokenizer.padding_side = "left"
    first = [tokenizer(f" {kind}", add_special_tokens=False)["input_ids"][0] for kind in KINDS]
    texts = [_begun(tokenizer, turns) for turns in talks]
    found: list[Array] = []
    for start in range(0, len(texts), batch):
        encoded = tokenizer(
            texts[start : start + batch], return_tensors="pt", padding=True, add_special_tokens=False
        )
        ids, mask = (encoded[key].to(model.device) for key in ("input_ids", "attention_mask"))
        with torch.no_grad():
            logits = model(input_ids=ids, attention_mask=mask, logits_to_keep=1).logits[:, -1, first]
        found.append(torch.softmax(logits.float(), dim=1).cpu().numpy())
    return np.concatenate(found)


def _begun(tokenizer: Any, turns: Sequence[ChatMessage]) -> str:
    text = prompt_text(tokenizer, turns, 0, code=CODE_START)
    return text[: text.rindex(CODE_START) + len(CODE_START)]


def main(arguments: Sequence[str] | None = None) -> None:
    """Ask the model and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--adapter", required=True, help="folder of the adapter")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    library: Any = torch
    model, tokenizer = load_adapted(options.base, options.adapter)
    model.to("cuda" if library.cuda.is_available() else "cpu").eval()
    apart = [(place, row) for place, row in enumerate(kind_rows()) if row.apart]
    talks = [[ChatMessage("user", text) for text in row.said] for _, row in apart]
    chances = opinions(model, tokenizer, talks)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    rows = np.array([place for place, _ in apart], np.int64)
    np.savez(options.output, allow_pickle=False, rows=rows, chances=chances)
    best: list[int] = chances.argmax(axis=1).tolist()
    right = [KINDS[place] == row.kind for place, (_, row) in zip(best, apart, strict=True)]
    print(f"{len(apart)} messages, {np.mean(right):.3f} right")


if __name__ == "__main__":
    main()
