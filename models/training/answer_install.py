"""Puts an encoder and head that tell fitting replies in their place, with the temperature that was chosen.

    python -m models.training.answer_install var/answers/tuned --data var/answers/tuning.npz

The temperature is chosen on the messages that the trial had not seen. CPU: seconds.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from models.answers import FOLDER, VERDICTS
from models.encoder import ANSWERS
from models.training.answer_choice import choice_figures
from models.training.temperature import best_temperature
from models.training.tuned_pair import read_tuned
from models.training.tuning_data import load


def main(arguments: Sequence[str] | None = None) -> None:
    """Choose the temperature, measure and write."""
    options = _options(arguments)
    arrays = load(options.data).arrays
    tuned = read_tuned(options.tuned)
    rows, outputs = tuned.rows, tuned.outputs
    labels = arrays["label"][rows]
    facts: dict[str, Any] = {
        "encoder": ANSWERS,
        "names": list(VERDICTS),
        "temperature": round(best_temperature(outputs, labels), 4),
        "data": str(arrays["data"]),
        "licence": str(arrays["licence"]),
        "kept_apart": choice_figures(outputs, labels, arrays["conversation"][rows]),
        "rows": tuned.metrics["rows"],
        "plan": tuned.metrics["plan"],
        "trials": tuned.metrics["trials"],
    }
    tuned.install(options.output, tuned.tensors, facts)
    print(json.dumps(facts["kept_apart"], indent=1))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tuned", type=Path, help="folder that pair_tune wrote")
    parser.add_argument("--data", type=Path, required=True, help="what answer_pack wrote")
    parser.add_argument("--output", type=Path, default=FOLDER)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
