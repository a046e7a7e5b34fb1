"""The command line that both recipes of preference tuning share."""

from collections.abc import Callable, Sequence
from typing import Any

from models.training import recipe_command
from models.training.preference_config import PreferenceConfig, read_preference_config
from models.training.preference_rows import PreferenceDataError
from models.training.recipe_command import Recipe
from models.training.run_folder import forget

Train = Callable[[PreferenceConfig, float], dict[str, Any]]
"""From settings and a deadline to a report."""


def command(method: str, description: str, train: Train, arguments: Sequence[str] | None) -> None:
    """Run a recipe; prints how the margin changed. See :func:`models.training.recipe_command.command`."""
    recipe = Recipe(
        name=method,
        description=description,
        read=read_preference_config,
        forget=lambda config: forget(config.output),
        train=train,
        refused=(PreferenceDataError,),
        shown=("method", "ended", "step", "rows", "margin_before", "margin_after", "seconds"),
    )
    recipe_command.command(recipe, arguments)
