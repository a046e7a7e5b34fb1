"""Writes the embedded model, adapter merged, as a Transformers folder that vLLM can serve.

python -m models.training.export_safetensors FOLDER [--adapter default|none|FOLDER]
"""

import argparse
import sys
from pathlib import Path

from models.chat_model import ModelUnreachableError
from models.weights import default_adapter, export_checkpoint


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path, help="folder to write; must not exist yet")
    parser.add_argument("--adapter", default="default", help="default (if there is one), none, or a folder")
    arguments = parser.parse_args()
    if arguments.folder.exists():
        sys.exit(f"{arguments.folder} exists already")
    try:
        export_checkpoint(arguments.folder, _adapter(arguments.adapter))
    except ModelUnreachableError as error:
        sys.exit(str(error))
    print(f"written to {arguments.folder}")


def _adapter(choice: str) -> Path | None:
    if choice == "none":
        return None
    return default_adapter() if choice == "default" else Path(choice)


if __name__ == "__main__":
    main()
