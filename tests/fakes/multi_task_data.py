"""A miniature of the public data, in its files' forms; every sentence was made up for these tests."""

import csv
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

EMOTIONS = (
    "admiration amusement anger annoyance approval caring confusion curiosity desire disappointment"
    " disapproval disgust embarrassment excitement fear gratitude grief joy love nervousness optimism pride"
    " realization relief remorse sadness surprise neutral"
)
FEELINGS = {"sad": 25, "glad": 17, "angry": 2, "thankful": 15}
TROUBLES = (
    "my job",
    "my sister",
    "the exam",
    "our garden",
    "this winter",
    "the move",
    "my knee",
    "the choir",
)
CONVERSATIONS = 24


def write_raw_data(folder: Path) -> Path:
    """Write all files that ``multi_task_prepare`` reads."""
    write_mint(folder / "mint")
    write_emotions(folder / "goemotions")
    write_safety(folder / "safety")
    answers = [
        {
            "title": f"How do I cope with {trouble}?",
            "question": f"I can't stop worrying about {trouble} and it keeps me awake.",
            "topic": "anxiety",
            "answer": f"Worry {number} about {trouble} can take a night. What helps you rest from {trouble}?",
            "upvotes": 1,
        }
        for number, trouble in enumerate(TROUBLES)
    ]
    write_lines(folder / "counselchat" / "answers.jsonl.gz", answers)
    for split in ("train", "valid"):
        write_lines(folder / "esconv" / f"{split}.jsonl.gz", [{"dialog": dialogue(t)} for t in TROUBLES[:3]])
    return folder


def write_mint(folder: Path) -> None:
    """Contexts, replies with tags and ratings, and untagged conversations."""
    contexts: list[dict[str, Any]] = []
    replies: list[dict[str, Any]] = []
    talks: list[dict[str, Any]] = []
    for number in range(CONVERSATIONS):
        trouble = TROUBLES[number % len(TROUBLES)]
        key = {"conversation_id": f"c{number}", "turn_index": 1}
        said = f"I feel sad about {trouble} on day {number}."
        contexts.append({**key, "history": [{"role": "user", "content": said}]})
        reply = (
            f"Day {number} with {trouble} was a hard one for you. What weighs on you most about {trouble}?"
        )
        tags = [["paraphrasing", "validation"], ["questioning"]]
        replies.append({**key, "system": "s", "reply": reply, "sentence_tactics": tags, "ratings": ratings()})
        answer = f"Week {number} with {trouble} sounds heavy for you. Who can you lean on with {trouble}?"
        turns = [{"role": "seeker", "content": said}, {"role": "supporter", "content": answer}]
        talks.append({"conversation_id": f"T{number}", "conversation": turns})
    write_lines(folder / "contexts.jsonl.gz", contexts)
    write_lines(folder / "replies.jsonl.gz", replies)
    (folder / "conversations_322.json.gz").write_bytes(gzip.compress(json.dumps(talks).encode()))


def write_emotions(folder: Path) -> None:
    """Texts whose feeling is named in them."""
    folder.mkdir(parents=True)
    (folder / "labels.txt").write_text("\n".join(EMOTIONS.split()), "utf-8")
    for name, count in (("train", 400), ("dev", 8)):
        texts = [
            f"I am {feeling} about {name} {number}\t{label}\tid{number}"
            for number in range(count // 4)
            for feeling, label in FEELINGS.items()
        ]
        (folder / f"{name}.tsv.gz").write_bytes(gzip.compress("\n".join(texts).encode()))


def write_safety(folder: Path) -> None:
    """Messages at risk and harmless ones."""
    folder.mkdir(parents=True)
    prompts = [f"Is it safe to mix {trouble} with tea?" for trouble in TROUBLES]
    for name, text, kind in (
        ("simple_safety_tests.csv", "prompts_final", "harm_area"),
        ("xstest_prompts.csv", "prompt", "label"),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as stream:
            rows = csv.DictWriter(stream, [text, kind])
            rows.writeheader()
            rows.writerows({text: prompt, kind: "Suicide, Self-Harm"} for prompt in prompts)
    write_lines(folder / "openai_moderation.jsonl.gz", [{"prompt": "I hurt myself again.", "SH": 1}])
    case = {"text": "I could murder a burger.", "lang": "en", "label": "none"}
    (folder / "crisis_cases.jsonl").write_text(json.dumps(case) + "\n", "utf-8")


def dialogue(trouble: str) -> list[dict[str, str]]:
    """A short ESConv dialogue."""
    return [
        {"speaker": "sys", "text": "Hello.", "strategy": "Others"},
        {"speaker": "usr", "text": f"I am sad about {trouble}."},
        {"speaker": "usr", "text": "It has been a month."},
        {
            "speaker": "sys",
            "text": f"A month of {trouble} is long, what has it been like?",
            "strategy": "Question",
        },
    ]


def ratings() -> dict[str, float]:
    """A well-rated reply's."""
    return {"aggregated_empathy": 4.5, "dismissing_emotions": 1.0}


def write_lines(file: Path, rows: Sequence[Any]) -> None:
    """Gzipped JSON lines."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))
