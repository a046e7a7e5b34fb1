"""Cleans files of help-seeking posts and tells what went out, and why.

    python -m models.training.clean_posts posts.jsonl more.csv --output clean.jsonl --report report.json

Taken out of posts: addresses of pages, emojis, marks of platforms (``post_cleaning.yaml``). Masked: names
after "my name is" or 我叫, phone numbers, e-mail addresses, identity numbers, accounts, street addresses.
Left out whole: advertisements, posts under 20 characters, other languages than English and Chinese, exact
and near duplicates. Files are read row by row, so their size does not matter. The report holds counts and no
text.
"""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from models.language import evidence
from models.training.near_duplicates import SeenPosts
from models.training.post_files import Post, read_posts
from models.training.post_text import clean_text, is_advertisement
from models.training.post_topics import topic, topics

SHORTEST = 20
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MASK = re.compile(r"\[[a-z]+\]")
_COMMON = frozenset(
    re.findall(
        r"\S+",
        "the a an and or but if of to in on at for with from by about as is am are was were be been have "
        "has had do does did not no so i i'm i've me my we our you your he his him she her it it's they "
        "them their this that these what when who how can can't could would will just don't didn't "
        "because all out up there ",
    )
)
_COMMON_SHARE = 0.2
"""Least share of words that must be common English ones; Spanish or German have less than half of it."""


@dataclass(slots=True)
class Tally:
    """What happened so far.

    Attributes:
        read: Posts by file.
        left_out: Posts by reason.
        changed: Posts that lost or got something, by kind.
        times: How often, by kind.
        topics: Kept posts by language and topic.
    """

    read: Counter[str] = field(default_factory=Counter[str])
    left_out: Counter[str] = field(default_factory=Counter[str])
    changed: Counter[str] = field(default_factory=Counter[str])
    times: Counter[str] = field(default_factory=Counter[str])
    topics: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    def report(self) -> dict[str, Any]:
        """Everything as numbers; shares are of the kept posts."""
        kept = sum(count for found in self.topics.values() for count in found.values())
        whole = sum((found for found in self.topics.values()), Counter[str]())
        return {
            "read": sum(self.read.values()),
            "files": dict(self.read),
            "kept": kept,
            "left_out": dict(self.left_out.most_common()),
            "changed_posts": dict(self.changed.most_common()),
            "changes": dict(self.times.most_common()),
            "topics": {
                name: {
                    "posts": whole[name],
                    "share": round(whole[name] / kept, 4) if kept else None,
                    **{language: found[name] for language, found in sorted(self.topics.items())},
                }
                for name in topics()
            },
        }


def language(text: str) -> str | None:
    """``en`` or ``zh``, or ``None`` for any other language and for what says nothing."""
    text = _MASK.sub(" ", text)
    found = evidence(text).language
    if found != "en":
        return found
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    return "en" if sum(word in _COMMON for word in words) >= _COMMON_SHARE * len(words) else None


def clean(posts: Iterable[Post], tally: Tally, shortest: int = SHORTEST) -> Iterator[dict[str, str]]:
    """Cleaned posts with language and topic, as they come; ``tally`` grows meanwhile."""
    seen = SeenPosts()
    for post in posts:
        tally.read[post.file] += 1
        cleaned = clean_text(post.text)
        tally.changed.update(cleaned.found.keys())
        tally.times.update(cleaned.found)
        spoken = language(cleaned.text)
        reason = _reason(post.text, cleaned.text, spoken, shortest) or _seen(seen, cleaned.text)
        if reason is not None or spoken is None:
            tally.left_out[reason or "other language"] += 1
            continue
        about = topic(cleaned.text)
        tally.topics.setdefault(spoken, Counter())[about] += 1
        yield {"text": cleaned.text, "language": spoken, "topic": about}


def _reason(raw: str, text: str, spoken: str | None, shortest: int) -> str | None:
    if is_advertisement(raw):
        return "advertisement"
    if len(text) < shortest:
        return f"under {shortest} characters"
    return "other language" if spoken is None else None


def _seen(seen: SeenPosts, text: str) -> str | None:
    found = seen.add(text)
    return None if found is None else f"{found} duplicate"


def table(report: Mapping[str, Any]) -> str:
    """The report to read."""
    lines = [f"{report['read']} posts read, {report['kept']} kept"]
    for title, key in (("Left out", "left_out"), ("Changed posts", "changed_posts")):
        lines += ["", title, *(f"  {count:8}  {name}" for name, count in report[key].items())]
    lines += ["", "Topics of what was kept"]
    for name, row in report["topics"].items():
        share = "–" if row["share"] is None else f"{row['share']:.1%}"
        lines.append(f"  {row['posts']:8}  {share:>6}  {name}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Clean, write, print the table."""
    parser = argparse.ArgumentParser(
        prog="python -m models.training.clean_posts", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=".jsonl, .csv or .txt")
    parser.add_argument("--field", help="field or column of the text (default: text, content, post, body)")
    parser.add_argument("--shortest", type=int, default=SHORTEST, help="characters of a post at least")
    parser.add_argument("--output", type=Path, required=True, help="file of the cleaned posts (JSON lines)")
    parser.add_argument("--report", type=Path, help="file of the counts (JSON)")
    given = parser.parse_args(arguments)
    tally = Tally()
    unfinished = given.output.with_name(given.output.name + ".part")
    given.output.parent.mkdir(parents=True, exist_ok=True)
    posts = (post for file in given.files for post in read_posts(file, given.field))
    try:
        with unfinished.open("w", encoding="utf-8") as out:
            for row in clean(tqdm(posts, unit="post", disable=None), tally, given.shortest):
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    except ValueError as error:
        unfinished.unlink()
        sys.exit(f"clean_posts: {error}; nothing was written")
    unfinished.replace(given.output)
    report = tally.report()
    if given.report is not None:
        given.report.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(table(report))


if __name__ == "__main__":
    main()
