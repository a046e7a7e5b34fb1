"""Tunes a chat model by group-relative rewards (GRPO, Shao et al. 2024), with MINT's or MindChat's reward.

    python -m models.training.grpo_prepare --data ../shared/data --output var/grpo
    python -m models.training.grpo --config models/training/configs/grpo.yaml

A run that was broken off goes on where its last checkpoint was. ``docs/training.md`` tells the rest.
"""

from collections.abc import Sequence

from models.encoder import EncoderError
from models.head_file import HeadError
from models.training.grpo_config import read_grpo_config
from models.training.grpo_rows import GrpoDataError
from models.training.grpo_run import run
from models.training.recipe_command import Recipe, command
from models.training.run_folder import forget


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the recipe from the command line; when time runs out, the adapter so far is written."""
    recipe = Recipe(
        name="grpo",
        description=(__doc__ or "").splitlines()[0],
        read=read_grpo_config,
        forget=lambda config: forget(config.output, adapter=True),
        train=run,
        refused=(GrpoDataError, EncoderError, HeadError),
        shown=("method", "ended", "step", "prompts", "first", "last", "seconds"),
    )
    command(recipe, arguments)


if __name__ == "__main__":
    main()
