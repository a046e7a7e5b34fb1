"""Measure what the reply check blocks: ``python -m evals.reply_check FILE… --json OUT``.

A FILE is JSONL with ``text``, ``lang``, ``level`` (risk level of the conversation) and ``block``: the kind of
fault, or ``null`` for a reply that may be shown. ``--shared DIR`` adds real replies: those of the human
supporter and of the released 4B system in MINT, where every block is counted as false until somebody
reads it, and Chinese offensive language (COLD, development part), for the offensive-language rules alone.
"""

import argparse
import csv
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.provenance import provenance, write_results
from models.encoder import CachedEncoder, load_encoder
from models.sentences import split_sentences
from models.training.rows import read_rows
from safety.levels import RiskLevel
from safety.reply_check import check_reply
from safety.reply_classifier import ReplyClassifier, load_reply_classifier
from safety.toxicity import ToxicityChecker, load_toxicity_checker

MINT_SYSTEMS = ("gold", "ours1_q_dkl_Qwen3-4B")
"""The human supporter, and the 4B system whose checkpoint was released."""


@dataclass(frozen=True, slots=True)
class Case:
    """One reply; ``block`` names the fault it was written for, or is ``None``."""

    id: str
    lang: str
    level: RiskLevel
    block: str | None
    text: str


def read_cases(path: Path) -> list[Case]:
    """Read a JSONL file of replies."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [
        Case(
            str(row.get("id", index)),
            row["lang"],
            RiskLevel[str(row.get("level", "none")).upper()],
            row["block"],
            row["text"],
        )
        for index, row in enumerate(rows)
    ]


@dataclass(frozen=True, slots=True)
class Checks:
    """The checks of the pipeline; without an encoder there is no classifier."""

    toxicity: ToxicityChecker
    classifier: ReplyClassifier | None

    def reasons(self, text: str, level: RiskLevel) -> tuple[str, ...]:
        """Why the pipeline would not show a reply; empty when it would."""
        (toxic,) = self.toxicity.check([text])
        found = [*check_reply(text, level).reasons]
        if self.classifier is not None:
            found += self.classifier.reasons([split_sentences(text)], level)[0]
        return tuple(dict.fromkeys([*found, f"toxicity:{toxic.label}"] if toxic.blocked else found))


def measure(cases: Sequence[Case], checks: Checks) -> dict[str, Any]:
    """Recall by kind and language, false blocks, and every error with its text."""
    total: Counter[str] = Counter()
    blocked: Counter[str] = Counter()
    named: Counter[str] = Counter()
    missed: list[dict[str, str]] = []
    false: list[dict[str, Any]] = []
    for case in cases:
        reasons = checks.reasons(case.text, case.level)
        keys = [case.block or "ok", f"{'block' if case.block else 'ok'}:{case.lang}"]
        total.update(keys)
        if reasons:
            blocked.update(keys)
        if case.block and any(reason.split(":")[0] == case.block for reason in reasons):
            named[case.block] += 1
        if case.block and not reasons:
            missed.append({"id": case.id, "kind": case.block, "text": case.text})
        if not case.block and reasons:
            false.append({"id": case.id, "reasons": list(reasons), "text": case.text})
    kinds = sorted({case.block for case in cases if case.block})
    wanted = sum(total[kind] for kind in kinds)
    return {
        "must_be_blocked": {
            "replies": wanted,
            "blocked": sum(blocked[kind] for kind in kinds),
            "recall": _share(sum(blocked[kind] for kind in kinds), wanted),
            "by_language": {
                lang: _share(blocked[f"block:{lang}"], total[f"block:{lang}"]) for lang in ("en", "zh")
            },
            "by_kind": {
                kind: {
                    "replies": total[kind],
                    "recall": _share(blocked[kind], total[kind]),
                    "under_its_own_name": _share(named[kind], total[kind]),
                }
                for kind in kinds
            },
        },
        "may_be_shown": {
            "replies": total["ok"],
            "false_blocks": blocked["ok"],
            "share": _share(blocked["ok"], total["ok"]),
        },
        "missed": missed,
        "falsely_blocked": false,
    }


def mint_blocks(path: Path, checks: Checks) -> dict[str, Any]:
    """Blocks among real supportive replies, by system and reason; no text is kept."""
    replies: defaultdict[str, int] = defaultdict(int)
    blocks: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in _mint_rows(path):
        system = str(row["system"])
        replies[system] += 1
        reasons = checks.reasons(row["reply"], RiskLevel.NONE)
        if reasons:
            blocks[system].update(["any", *reasons])
    return {
        system: {
            "replies": replies[system],
            "blocked": blocks[system]["any"],
            "share": _share(blocks[system]["any"], replies[system]),
            "reasons": {name: n for name, n in blocks[system].most_common() if name != "any"},
        }
        for system in MINT_SYSTEMS
    }


def cold_blocks(path: Path, checks: Checks) -> dict[str, Any]:
    """What the offensive-language check says on COLD; posts of people, so a measure of the words only."""
    found: Counter[tuple[str, bool]] = Counter()
    with gzip.open(path, "rt", encoding="utf-8-sig") as lines:
        for row in csv.DictReader(lines):
            found[row["label"], checks.toxicity.check([row["TEXT"]])[0].blocked] += 1
    offensive, inoffensive = (sum(found[label, hit] for hit in (True, False)) for label in ("1", "0"))
    return {
        "offensive": {"posts": offensive, "recall": _share(found["1", True], offensive)},
        "inoffensive": {"posts": inoffensive, "false_blocks": _share(found["0", True], inoffensive)},
    }


def _mint_rows(path: Path) -> Iterator[dict[str, Any]]:
    return (row for _, row in read_rows(path) if row["system"] in MINT_SYSTEMS)


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure every file and print what matters."""
    parser = argparse.ArgumentParser(prog="python -m evals.reply_check", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--shared", type=Path, help="data folder with mint/ and safety/")
    parser.add_argument("--json", type=Path, help="write the results to this file")
    parser.add_argument("--rules-only", action="store_true", help="as on a machine without the encoder")
    parser.add_argument("--show", action="store_true", help="print every error")
    options = parser.parse_args(arguments)
    classifier = None if options.rules_only else load_reply_classifier(CachedEncoder(load_encoder("e5")))
    checks = Checks(load_toxicity_checker(), classifier)
    results: dict[str, Any] = {
        "toxicity_by": checks.toxicity.status(),
        "classifier": classifier is not None,
        "files": {},
    }
    for file in options.files:
        found = measure(read_cases(file), checks)
        results["files"][file.name] = found
        print(file.name, json.dumps({k: found[k] for k in ("must_be_blocked", "may_be_shown")}, indent=1))
        if options.show:
            print(
                json.dumps({k: found[k] for k in ("missed", "falsely_blocked")}, indent=1, ensure_ascii=False)
            )
    if options.shared:
        results["mint"] = mint_blocks(options.shared / "mint" / "replies.jsonl.gz", checks)
        results["cold"] = cold_blocks(options.shared / "safety" / "cold_zh_offensive_dev.csv.gz", checks)
        print(json.dumps({"mint": results["mint"], "cold": results["cold"]}, indent=1))
    if options.json:
        about = provenance(seed=None, data="replies written for Hearken; MINT and COLD where named")
        write_results(options.json, results, about)


if __name__ == "__main__":
    main()
