"""How long the crisis layers take: ``python -m evals.crisis_speed --json evals/results/crisis_speed.json``.

Median and 95th percentile of one assessment, by length of the message, with the classifier loaded, with its
first member alone, and without it. Messages are cut from everyday sentences with a crisis sentence at the
end, so every layer has work to do.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from evals.provenance import provenance, write_results
from models.encoder import CRISIS, CRISIS_MEMBERS, load_encoder
from safety.levels import SessionRisk
from safety.risk import RiskAssessor, load_assessor

_LENGTHS = (100, 1000, 4000)
_SENTENCES = {
    "en": (
        "We argued about the dishes again and I went to bed early. ",
        "My sister wants to sell the house and I keep thinking of the garden. ",
        "At work nobody said a word, so I left at five and bought bread. ",
        "I can't tell whether I'm sad or only tired, it changes every hour. ",
    ),
    "zh": (
        "昨天又为了洗碗吵架，我早早就睡了。",
        "姐姐想把老房子卖掉，我总想起那个院子。",
        "上班一整天没人跟我说话，五点我就走了，顺路买了面包。",
        "我也说不清是难过还是累，一会儿一个样。",
    ),
}
_LAST = {"en": "I don't want to be here anymore.", "zh": "我不想活了。"}


def message(lang: str, length: int, number: int) -> str:
    """A message of about ``length`` characters; another one for each number."""
    sentences = _SENTENCES[lang]
    text = ""
    while len(text) < length:
        text += sentences[(number + len(text)) % len(sentences)]
    return text[: length - len(_LAST[lang])] + _LAST[lang]


def measure(assessor: RiskAssessor, lang: str, length: int, times: int) -> dict[str, float]:
    """Milliseconds of ``times`` assessments of different messages."""
    spent: list[float] = []
    for number in range(times + 2):
        text = message(lang, length, number)
        start = time.perf_counter()
        assessor.assess(text, SessionRisk())
        spent.append((time.perf_counter() - start) * 1000)
    spent = sorted(spent[2:])
    return {"median": round(median(spent), 1), "p95": round(spent[int(len(spent) * 0.95)], 1)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m evals.crisis_speed", description=__doc__)
    parser.add_argument("--times", type=int, default=40)
    parser.add_argument("--json", type=Path, dest="out")
    options = parser.parse_args(arguments)
    layers = {
        "all layers": load_assessor(lambda: [load_encoder(name) for name in CRISIS_MEMBERS], wait=True),
        "first member alone": load_assessor(lambda: [load_encoder(CRISIS)], wait=True),
        "without classifier": load_assessor(),
    }
    results: dict[str, Any] = {
        name: {
            f"{lang} {length} characters": measure(assessor, lang, length, options.times)
            for lang in _SENTENCES
            for length in _LENGTHS
        }
        for name, assessor in layers.items()
    }
    for name, rows in results.items():
        for row, value in rows.items():
            print(f"{name:20} {row:22} {value}")
    if options.out:
        data = "messages written in evals/crisis_speed.py"
        write_results(options.out, {"milliseconds": results}, provenance(seed=None, data=data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
