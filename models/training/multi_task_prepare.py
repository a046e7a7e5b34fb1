"""Writes everything the multi-task recipe learns from into one small folder.

    python -m models.training.multi_task_prepare --data ../shared/data --output var/multi_task

Four files of gzipped JSON lines (``dialogue``, ``emotion``, ``strategy``, ``safety``) and ``manifest.json``:
counts, sources, licences and digests, so that the training can run on a machine without the data. With
``--esconv`` two more files are written, for the variant that may only be used non-commercially.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from models.training.chat_data import SOURCES, load_examples
from models.training.multi_task_rows import Row, write_rows
from models.training.multi_task_sources import (
    dialogue_rows,
    emotion_names,
    emotion_rows,
    esconv_rows,
    safety_rows,
    strategy_rows,
)
from models.training.raw_rows import RawAnswer, read_conversations, read_json_lines
from models.training.run_facts import revision

DIALOGUES = ("mint", "conversations", "counselchat")
"""Sources of replies by default."""

LICENCES = {
    "mint": "MIT (honglizhan/mint-empathy)",
    "conversations": "MIT (honglizhan/mint-empathy; texts from WildChat and SENSE-7)",
    "counselchat": "MIT (nbertagnolli/counsel-chat)",
    "labelled": "Apache-2.0 (GoEmotions) and MIT (counsel-chat)",
    "dialogues": "Apache-2.0 (written for Hearken)",
    "phrases": "Apache-2.0 (written for Hearken)",
    "scenes": "Apache-2.0 (written for Hearken)",
    "echoes": "Apache-2.0 (written for Hearken)",
    "goemotions": "Apache-2.0 (monologg/GoEmotions-pytorch)",
    "simple_safety_tests": "CC BY 4.0 (bertiev/SimpleSafetyTests)",
    "xstest": "CC BY 4.0 (paul-rottger/xstest)",
    "openai_moderation": "MIT (openai/moderation-api-release)",
    "crisis_cases": "Apache-2.0 (written for Hearken)",
    "esconv": "CC BY-NC 4.0 (thu-coai/Emotional-Support-Conversation): non-commercial",
}


def prepare(data: Path, output: Path, dialogues: Sequence[str], esconv: bool, seed: int) -> dict[str, Any]:
    """Read, check and write.

    Args:
        data: Folder of the public data.
        output: Folder that is written.
        dialogues: Sources of replies, some of ``chat_data.SOURCES``.
        esconv: Whether ESConv is written as well.
        seed: Of what is left out of too frequent contexts and openings.

    Returns:
        The manifest.

    Raises:
        ValueError: A file is missing or a row is wrong (file and row number).
    """
    _check_raw(data, dialogues)
    files: dict[str, Sequence[Row]] = {
        "strategy": strategy_rows(data / "mint"),
        "dialogue": dialogue_rows(load_examples(data, dialogues, seed)),
        "emotion": emotion_rows(data / "goemotions"),
        "safety": safety_rows(data / "safety"),
    }
    if esconv:
        files["dialogue_esconv"], files["strategy_esconv"] = esconv_rows(data / "esconv")
    output.mkdir(parents=True, exist_ok=True)
    written = {name: _write(rows, output / f"{name}.jsonl.gz") for name, rows in sorted(files.items())}
    sources = sorted({row.source for rows in files.values() for row in rows})
    manifest: dict[str, Any] = {
        "files": written,
        "emotions": emotion_names(data / "goemotions")[:-1],
        "licences": {source: LICENCES[source] for source in sources},
        "seed": seed,
        "revision": revision(),
    }
    (output / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
    return manifest


def _check_raw(data: Path, dialogues: Sequence[str]) -> None:
    """Refuse broken rows of the files that ``chat_data`` reads, before it meets them."""
    if "conversations" in dialogues:
        read_conversations(data / "mint" / "conversations_322.json.gz")
    if "counselchat" in dialogues:
        read_json_lines(RawAnswer, data / "counselchat" / "answers.jsonl.gz")


def _write(rows: Sequence[Row], file: Path) -> dict[str, Any]:
    digest = write_rows(rows, file)
    return {"rows": _counts(rows), "sha256": digest, "bytes": file.stat().st_size}


def _counts(rows: Sequence[Row]) -> Mapping[str, Mapping[str, int]]:
    """Rows by source and split."""
    counts = Counter((row.source, row.split) for row in rows)
    sources = sorted({row.source for row in rows})
    return {
        one: {split: n for (source, split), n in sorted(counts.items()) if source == one} for one in sources
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the folder and print its manifest."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.multi_task_prepare", description=(__doc__ or "").splitlines()[0]
    )
    default = os.environ.get("HEARKEN_DATA_DIR", "../shared/data")
    parser.add_argument("--data", type=Path, default=Path(default), help="folder of the public data")
    parser.add_argument("--output", type=Path, default=Path("var/multi_task"))
    parser.add_argument("--dialogues", nargs="+", choices=SOURCES, default=list(DIALOGUES))
    parser.add_argument("--esconv", action="store_true", help="also ESConv (CC BY-NC 4.0)")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args(arguments)
    try:
        manifest = prepare(options.data, options.output, options.dialogues, options.esconv, options.seed)
    except ValueError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    print(json.dumps(manifest["files"], indent=1))


if __name__ == "__main__":
    main()
