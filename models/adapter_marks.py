"""Whether an adapter was tuned with control codes, which its file says of itself."""

from pathlib import Path
from typing import Any

import safetensors

WEIGHTS = "adapter_model.safetensors"
CODES = "control_codes"
"""Mark in the file's own facts."""


def knows_codes(adapter: Path | None) -> bool:
    """Whether prompts for this adapter end with control codes (:mod:`models.control_code`)."""
    if adapter is None:
        return False
    library: Any = safetensors
    try:
        with library.safe_open(adapter / WEIGHTS, "numpy") as file:
            facts: Any = file.metadata()
    except (OSError, safetensors.SafetensorError):
        return False
    return facts is not None and facts.get(CODES) == "yes"


def marks(codes: bool) -> dict[str, str]:
    """What a file of weights says of itself."""
    return {"format": "pt"} | ({CODES: "yes"} if codes else {})
