"""System prompts and whole prompts for each checkpoint, built from text files an operator can replace."""

from models.prompts.build import build_prompt
from models.prompts.markers import neutralise_markers, restore_markers
from models.prompts.memory import tell_first, told_again
from models.prompts.mint import build_mint_prompt
from models.prompts.templates import check_templates, load_template

__all__ = [
    "build_mint_prompt",
    "build_prompt",
    "check_templates",
    "load_template",
    "neutralise_markers",
    "restore_markers",
    "tell_first",
    "told_again",
]
