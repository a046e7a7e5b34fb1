"""Trains a small Qwen3 from scratch to answer Chinese in an empathic chain of thought, for tests.

    python -m models.training.ecot_tiny --config models/training/configs/ecot_tiny.yaml [--device cpu]

It is a stand-in of MindChat's form and architecture, no listener: it knows the phrase books in
``models/training/ecot_book/`` and nothing else. The run's folder gets ``model/`` (bfloat16, with
tokenizer and chat template), ``metrics.jsonl``, ``curves.svg`` and ``training.json``.
"""

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import Qwen3Config, Qwen3ForCausalLM

from models.profiles import load_profiles
from models.prompts.build import RISK_BLOCKS
from models.training.chat_tokens import Tokens
from models.training.config_file import ConfigError
from models.training.ecot_book import Book, BookError, read_book
from models.training.ecot_samples import sample_figures
from models.training.ecot_talks import PROFILE, Composer, EcotExample, request
from models.training.ecot_tiny_config import EcotTinyConfig, ShapeSettings, read_config
from models.training.ecot_tiny_run import CHECKPOINT, EcotTraining, chosen_device
from models.training.ecot_tokenizer import END, PAD, train_tokenizer
from models.training.run_facts import run_facts
from models.training.run_folder import REPORT, RunFolderError, claim, forget

MODEL = "model"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe. Exit status 2: bad settings or data; 3: out of time, the same command goes on."""
    started = time.monotonic()
    parser = argparse.ArgumentParser(prog="python -m models.training.ecot_tiny", description=__doc__)
    parser.add_argument("--config", type=Path, required=True, help="a file as in models/training/configs")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), help="replaces the file's")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="replaces a setting")
    parser.add_argument("--budget-s", type=float, default=float("inf"), help="seconds for this call")
    parser.add_argument("--restart", action="store_true", help="forget an earlier run")
    options = parser.parse_args(arguments)
    changes = [*options.set, *([f"train.device={options.device}"] if options.device else [])]
    try:
        config = read_config(options.config, changes)
        if options.restart:
            forget(config.output)
            (config.output / CHECKPOINT).unlink(missing_ok=True)
        report = train(config, started + options.budget_s)
    except (ConfigError, BookError, RunFolderError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(json.dumps({name: report[name] for name in ("ended", "valid_loss", "held_out")}))
    if report["ended"] == "budget":
        parser.exit(3, f"{parser.prog}: out of time; the same command goes on\n")


def train(config: EcotTinyConfig, deadline: float = float("inf")) -> dict[str, Any]:
    """Train and write everything into the run's folder.

    Args:
        config: Settings.
        deadline: ``time.monotonic()`` at which training stops and can be resumed.

    Returns:
        The report, as it is written.

    Raises:
        BookError: The phrase books are malformed.
        RunFolderError: The folder holds another run.
    """
    started = time.monotonic()
    book = read_book(config.book)
    claim(config.output, config.claim())
    device = chosen_device(config.train.device)
    tokenizer = train_tokenizer(tokenizer_texts(book), config.shape.vocabulary)
    model = new_model(config.shape, tokenizer, config.train.seed).to(device)
    learned = _composed(Composer(book, config.train.seed), config.train.conversations, tokenizer)
    kept = _composed(Composer(book, -config.train.seed, held_out=True), config.train.validation, tokenizer)
    trained = EcotTraining(model, learned, kept, tokenizer.pad_token_id, config).run(deadline)
    report: dict[str, Any] = {
        **run_facts(device),
        "settings": config.model_dump(mode="json", exclude={"output": True, "book": True}),
        "weights": model.num_parameters(),
        "vocabulary": len(tokenizer),
        "lines": len(book.texts),
        "ended": trained.ended,
        "steps": trained.history[-1]["step"] if trained.history else 0,
        "valid_loss": trained.history[-1]["valid"] if trained.history else None,
        "held_out": None,
        "seconds": round(time.monotonic() - started, 1),
    }
    model.to(torch.bfloat16).save_pretrained(config.output / MODEL)
    tokenizer.save_pretrained(config.output / MODEL)
    if trained.ended == "steps" and config.samples:
        report["held_out"] = sample_figures(model, tokenizer, book, config.samples, config.train.seed)
    (config.output / REPORT).write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return report


def new_model(shape: ShapeSettings, tokenizer: Any, seed: int) -> Any:
    """A Qwen3 with random weights."""
    library: Any = torch
    library.manual_seed(seed)
    config: Any = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=shape.width,
        intermediate_size=shape.inner,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.key_heads,
        head_dim=shape.head_width,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.convert_tokens_to_ids(END),
        pad_token_id=tokenizer.convert_tokens_to_ids(PAD),
    )
    return Qwen3ForCausalLM(config)


def tokenizer_texts(book: Book) -> list[str]:
    """Each line of the phrase books and of the prompts once."""
    message = Composer(book, 0).example().turns[-1:]
    cases = [(level, emotion) for level in range(len(RISK_BLOCKS)) for emotion in (None, "grief")]
    prompts = [request(message, level, emotion)[0]["content"] for level, emotion in cases]
    return [*book.texts, *sorted({line for text in prompts for line in text.splitlines() if line})]


def prompt_text(tokenizer: Any, messages: Sequence[dict[str, str]]) -> str:
    """A request in the chat template, up to where the reply begins."""
    kwargs = load_profiles()[PROFILE].chat_template_kwargs
    return str(tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True, **kwargs))


def _composed(composer: Composer, count: int, tokenizer: Any) -> list[Tokens]:
    return encoded([composer.example() for _ in range(count)], tokenizer)


def encoded(examples: Sequence[EcotExample], tokenizer: Any) -> list[Tokens]:
    """Ids of prompt, reply and end mark of each example."""
    prompts = tokenizer([prompt_text(tokenizer, one.prompt) for one in examples], add_special_tokens=False)
    replies = tokenizer([one.output for one in examples], add_special_tokens=False)
    end = tokenizer.convert_tokens_to_ids(END)
    pairs = zip(prompts["input_ids"], replies["input_ids"], strict=True)
    return [Tokens("ecot", (*prompt, *reply, end), len(prompt)) for prompt, reply in pairs]


if __name__ == "__main__":
    transformers.utils.logging.set_verbosity_error()
    main()
