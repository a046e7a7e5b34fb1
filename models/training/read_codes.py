r"""Adds the control codes that the application would put into the prompt of each message.

    python -m models.training.read_codes messages.jsonl --output var/messages.jsonl

:mod:`models.training.draw_replies` then draws with them, on a machine without the reader of messages.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from models.training.draw_replies import Script, read_scripts
from models.training.shipped_kinds import ShippedKinds


def coded(script: Script, code: Callable[[Sequence[str]], str]) -> Script:
    """The script with the codes of each of its messages, read behind those before it.

    Args:
        script: A person's messages.
        code: See :meth:`models.training.shipped_kinds.ShippedKinds.code`.
    """
    codes = tuple(code(script.said[: place + 1]) for place in range(len(script.said)))
    return Script(script.source, script.said, codes)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        scripts = read_scripts(options.file)
    except (OSError, ValueError) as error:
        sys.exit(f"read_codes: {error}")
    kinds = ShippedKinds(options.base)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8") as file:
        for script in scripts:
            found = coded(script, kinds.code)
            row = {"source": found.source, "turns": found.said, "codes": found.codes}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
