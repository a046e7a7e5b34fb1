"""Tunes a chat model on thumbs by Kahneman-Tversky optimisation (Ethayarajh et al. 2024).

    python -m models.training.kto --config models/training/configs/kto.yaml

Reads ``kto.jsonl`` as the service exports it; ``docs/training.md`` tells the rest.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from models.training.preference_command import command
from models.training.preference_config import PreferenceConfig
from models.training.preference_rows import read_labelled
from models.training.preference_run import run
from models.training.preferences import Row, label_weights, labelled_row, split, with_codes


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe from the command line."""
    command("kto", (__doc__ or "").splitlines()[0], train, arguments)


def train(config: PreferenceConfig, deadline: float = float("inf")) -> dict[str, Any]:
    """Train and write everything; see :func:`models.training.preference_run.run`.

    Raises:
        PreferenceDataError: The export can't be learned from.
    """
    apart = split(read_labelled(config.data), config.validation_share, config.train.seed)
    examples = with_codes(apart, config)

    def rows(tokenizer: Any) -> tuple[list[Row], list[Row]]:
        made = partial(labelled_row, tokenizer=tokenizer, config=config)
        train, valid = map(made, examples.train), map(made, examples.valid)
        return [row for row in train if row is not None], [row for row in valid if row is not None]

    return run("kto", config, rows, partial(_trainer, config.balance), deadline)


def _trainer(
    balance: bool,
    model: Any,
    tokenizer: Any,
    adapter: Any,
    train: Sequence[Row],
    valid: Sequence[Row],
    options: dict[str, Any],
) -> Any:
    import datasets
    import trl

    good, bad = label_weights(train, balance)
    data: Any = datasets.Dataset
    library: Any = trl
    return library.KTOTrainer(
        model=model,
        args=library.KTOConfig(**options, desirable_weight=good, undesirable_weight=bad),
        train_dataset=data.from_list(list(train)),
        eval_dataset=data.from_list(list(valid)),
        processing_class=tokenizer,
        peft_config=adapter,
    )


if __name__ == "__main__":
    main()
