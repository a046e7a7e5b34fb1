"""Trains the emotion head (GoEmotions) and, on request, the strategy head (ESConv, non-commercial).

    python -m models.training.emotion_strategy --data ../shared/data --esconv

Both are small networks on vectors of the encoder, which stays as it is. Hyperparameters are chosen by
cross-validation inside the training split (``configs/emotion_strategy.yaml``); temperature and threshold of
the emotions come from the 5 % of GoEmotions' training file that are kept apart, the temperature of the
strategies from held-out outputs of the training split. GoEmotions' dev file and ESConv's validation file
are only measured on. The strategy head goes to ``var/heads``: ESConv's licence (CC BY-NC 4.0) does not
allow commercial use, so it is no part of Hearken. CPU, one thread: 12 minutes for the vectors, once, then
about as long.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from models.encoder import TUNED, load_encoder
from models.head_file import HEADS_FOLDER, write_head
from models.training.config_file import read_settings
from models.training.emotion_head import train_emotions
from models.training.emotion_strategy_config import EmotionStrategyConfig
from models.training.emotion_strategy_data import emotion_examples, strategy_turns
from models.training.language_shift import message_shift
from models.training.multi_task_sources import emotion_names
from models.training.shared_layer import compare
from models.training.strategy_head import train_strategies

CONFIG = Path(__file__).parent / "configs" / "emotion_strategy.yaml"


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose, train, calibrate, measure and write."""
    options = _options(arguments)
    torch.set_num_threads(options.threads)
    config = read_settings(EmotionStrategyConfig, options.config, options.change)
    encoder = load_encoder(TUNED, threads=options.threads)
    names = tuple(emotion_names(options.data / "goemotions"))
    emotions = emotion_examples(options.data / "goemotions", encoder, options.cache)
    shift = message_shift(encoder, options.data, options.cache)
    head, scores = train_emotions(emotions, names, config, shift)
    write_head(options.output / f"emotions-{TUNED}" / "head.safetensors", head.tensors, head.facts)
    report: dict[str, Any] = {"config": config.model_dump(mode="json"), "emotion": scores}
    if options.esconv:
        turns = strategy_turns(options.data / "esconv", encoder, options.cache)
        head, report["strategy"] = train_strategies(turns, config)
        file = options.non_commercial / f"strategies-{TUNED}" / "head.safetensors"
        write_head(file, head.tensors, head.facts)
        report["together"] = compare(emotions, turns.examples(("text",)), config, names)
    options.report.parent.mkdir(parents=True, exist_ok=True)
    options.report.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(json.dumps(report, ensure_ascii=False, indent=1))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m models.training.emotion_strategy", description="Train the emotion and strategy heads."
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the data folder")
    parser.add_argument("--config", type=Path, default=CONFIG)
    parser.add_argument("--esconv", action="store_true", help="also make the strategy head (non-commercial)")
    parser.add_argument("--cache", type=Path, default=Path("var/embeddings"), help="stored vectors")
    parser.add_argument("--output", type=Path, default=HEADS_FOLDER, help="where the emotion head goes")
    parser.add_argument(
        "--non-commercial", type=Path, default=Path("var/heads"), help="and the strategy head"
    )
    parser.add_argument("--report", type=Path, default=Path("var/emotion_strategy.json"), help="scores")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("change", nargs="*", help="single settings, such as emotion.networks=1")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
