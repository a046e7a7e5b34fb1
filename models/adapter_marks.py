"""Whether an adapter was tuned with control codes, which its file says of itself."""

from pathlib import Path

from safetensors import SafetensorError, safe_open

WEIGHTS = "adapter_model.safetensors"
CODES = "control_codes"
"""Mark in the file's own facts."""


def knows_codes(adapter: Path | None) -> bool:
    """Whether prompts for this adapter end with control codes (:mod:`models.control_code`)."""
    if adapter is None:
        return False
    try:
        with safe_open(adapter / WEIGHTS, "numpy") as file:
            return (file.metadata() or {}).get(CODES) == "yes"
    except (OSError, SafetensorError):
        return False


def marks(codes: bool) -> dict[str, str]:
    """What a file of weights says of itself."""
    return {"format": "pt"} | ({CODES: "yes"} if codes else {})
