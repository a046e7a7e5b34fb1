"""Tunes a chat model on people's rankings by direct preference optimisation (Rafailov et al. 2023).

    python -m models.training.dpo --config models/training/configs/dpo.yaml

Reads ``dpo.jsonl`` as the service exports it; ``docs/training.md`` tells the rest.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from models.training.preference_command import command
from models.training.preference_config import PreferenceConfig
from models.training.preference_rows import read_pairs
from models.training.preference_run import run
from models.training.preferences import Row, paired_row, split, with_codes


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe from the command line."""
    command("dpo", (__doc__ or "").splitlines()[0], train, arguments)


def train(config: PreferenceConfig, deadline: float = float("inf")) -> dict[str, Any]:
    """Train and write everything; see :func:`models.training.preference_run.run`.

    Raises:
        PreferenceDataError: The export can't be learned from.
    """
    apart = split(read_pairs(config.data), config.validation_share, config.train.seed)
    examples = with_codes(apart, config)

    def rows(tokenizer: Any) -> tuple[list[Row], list[Row]]:
        made = partial(paired_row, tokenizer=tokenizer, config=config)
        train, valid = map(made, examples.train), map(made, examples.valid)
        return [row for row in train if row is not None], [row for row in valid if row is not None]

    return run("dpo", config, rows, partial(_trainer, likelihood=config.train.likelihood), deadline)


def _trainer(
    model: Any,
    tokenizer: Any,
    adapter: Any,
    train: Sequence[Row],
    valid: Sequence[Row],
    options: dict[str, Any],
    likelihood: float,
) -> Any:
    import datasets
    import trl

    data: Any = datasets.Dataset
    library: Any = trl
    if likelihood:
        options = {**options, "loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, likelihood]}
    return library.DPOTrainer(
        model=model,
        args=library.DPOConfig(**options),
        train_dataset=data.from_list(list(train)),
        eval_dataset=data.from_list(list(valid)),
        processing_class=tokenizer,
        peft_config=adapter,
    )


if __name__ == "__main__":
    main()
