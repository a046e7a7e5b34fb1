r"""Adds the control codes that the application would put into the prompt of each message.

    python -m models.training.read_codes messages.jsonl --output var/messages.jsonl

:mod:`models.training.draw_replies` then draws with them, on a machine without the reader of messages.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from models.control_code import code_text
from models.message_kind import KindReader, load_kinds
from models.training.draw_replies import Script, read_scripts


@cache
def _reader() -> KindReader:
    return load_kinds()


def read_code(said: Sequence[str]) -> str:
    """Control codes of a person's last message, by the shipped encoder alone; an empty text for none."""
    readings = _reader().read(said)
    return code_text(readings[0]) if readings else ""


def coded(script: Script) -> Script:
    """The script with the codes of each of its messages, read behind those before it."""
    codes = tuple(read_code(script.said[: place + 1]) for place in range(len(script.said)))
    return Script(script.source, script.said, codes)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        scripts = read_scripts(options.file)
    except (OSError, ValueError) as error:
        sys.exit(f"read_codes: {error}")
    options.output.parent.mkdir(parents=True, exist_ok=True)
    with options.output.open("w", encoding="utf-8") as file:
        for script in scripts:
            found = coded(script)
            row = {"source": found.source, "turns": found.said, "codes": found.codes}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
