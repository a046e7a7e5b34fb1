"""Writes what ``reader_tune`` learned as a file that says of itself what it is."""

from pathlib import Path
from typing import Any, cast

import safetensors.torch as safetensors_torch
from safetensors import safe_open

from models.reader_file import QuestionFacts


def write_reader(source: Path, path: Path, facts: QuestionFacts) -> None:
    """Copy the weights with facts beside them.

    Args:
        source: ``reader_*.safetensors`` of ``reader_tune``.
        path: Where to.
        facts: Of the file.

    Raises:
        ValueError: The weights are of another rank than the facts say.
        OSError: A file can't be read or written.
    """
    with cast(Any, safe_open)(source, framework="pt") as file:
        metadata: dict[str, str] = file.metadata() or {}
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    if metadata.get("rank") != str(facts.rank):
        raise ValueError(f"{source.name} has no changes of rank {facts.rank}")
    path.parent.mkdir(parents=True, exist_ok=True)
    files: Any = safetensors_torch
    files.save_file(tensors, path, metadata={"facts": facts.model_dump_json()})
    path.chmod(0o644)  # safetensors writes files only their owner can read
