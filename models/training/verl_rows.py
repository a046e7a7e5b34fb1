"""Writes prompts in the form that verl reads: ``train.parquet`` and ``valid.parquet``.

python -m models.training.verl_rows --prepared var/grpo --output var/verl --profile mint-4b
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.profiles import load_profiles
from models.training.chat_tokens import prompt_messages
from models.training.grpo_rows import PROMPTS, GrpoDataError, PromptRow, read_prompts


def verl_row(row: PromptRow, profile: str) -> dict[str, Any]:
    """One row: the profile's prompt as messages, and what the reward needs under ``extra_info``."""
    return {
        "data_source": row.source,
        "prompt": prompt_messages(row.messages, 0, profile),
        "ability": "support",
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {
            "key": row.key,
            "turns": [turn.model_dump() for turn in row.turns],
            "previous": list(row.previous),
            "mood": row.mood,
        },
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write both files."""
    import datasets

    parser = argparse.ArgumentParser(
        prog="python -m models.training.verl_rows", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--prepared", type=Path, default=Path("var/grpo"), help="from grpo_prepare")
    parser.add_argument("--output", type=Path, default=Path("var/verl"))
    parser.add_argument("--profile", choices=list(load_profiles()), required=True)
    options = parser.parse_args(arguments)
    try:
        rows = read_prompts(options.prepared / PROMPTS)
    except GrpoDataError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    options.output.mkdir(parents=True, exist_ok=True)
    library: Any = datasets
    for split in ("train", "valid"):
        made = [verl_row(row, options.profile) for row in rows if row.split == split]
        if made:
            library.Dataset.from_list(made).to_parquet(str(options.output / f"{split}.parquet"))


if __name__ == "__main__":
    main()
