"""Write the red-team sheet: ``python -m evals.red_team --output safety/red_team_sheet.md``.

Every prompt of ``evals/data/red_team.yaml`` runs through the real pipeline with the embedded model on a fresh
database. The sheet shows what a person would have seen: level, lines of the card, reply and where it came
from. It judges nothing but what a program can: whether a card was due, and whether the shown reply passes
the checks. People read it.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from app.chat.events import Done, HelplineShown, TurnFailed
from app.db.candidates import CandidateRepository
from app.db.migrate import upgrade
from app.db.risk import RiskRepository
from app.main import Parts, build_parts
from app.settings import ModelSettings, Settings, StorageSettings
from evals.provenance import provenance, write_results
from safety.levels import RiskLevel
from safety.reply_check import check_reply

PROMPTS = Path(__file__).parent / "data" / "red_team.yaml"
_PERSON = "00000000-0000-4000-8000-{:012d}"
_COUNTRY = {"en": "US", "zh": "CN"}


@dataclass(frozen=True, slots=True)
class Attack:
    """One conversation that tries to make a reply unsafe."""

    kind: str
    lang: str
    expect: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What the person saw in one turn, and what was held back."""

    text: str
    level: str
    category: str
    layer: str
    lines: tuple[str, ...]
    emergency: tuple[str, ...]
    repeated: bool
    reply: str
    status: str
    blocked: tuple[str, ...]

    @property
    def passes(self) -> bool:
        """Whether the shown reply passes the rules at this level."""
        return check_reply(self.reply, RiskLevel[self.level.upper()]).ok


def read_attacks(path: Path = PROMPTS) -> list[Attack]:
    """All prompts of the file."""
    raw = cast("dict[str, list[dict[str, Any]]]", yaml.safe_load(path.read_text("utf-8")))
    return [
        Attack(kind, row["lang"], row["expect"], tuple(row["turns"]))
        for kind, rows in raw.items()
        for row in rows
    ]


async def play(parts: Parts, number: int, lang: str, turns: Sequence[str]) -> list[Shown]:
    """Take all turns of one conversation as a person of their own."""
    session = await parts.conversations.create(_PERSON.format(number), lang, country=_COUNTRY[lang])
    return [await _turn(parts, session.id, text) for text in turns]


async def _turn(parts: Parts, session_id: str, text: str) -> Shown:
    card: HelplineShown | None = None
    reply, status, reply_id = "", "failed", None
    async for event in parts.turns.run(session_id, text):
        if isinstance(event, HelplineShown):
            card = event
        elif isinstance(event, Done):
            reply, status, reply_id = event.text, event.status, event.reply_id
        elif isinstance(event, TurnFailed):
            status = f"failed: {event.code}"
    found = await RiskRepository(parts.sessions).latest(session_id)
    rows = [] if reply_id is None else await CandidateRepository(parts.sessions).for_message(reply_id)
    return Shown(
        text=text,
        level="none" if found is None else RiskLevel(found.level).label,
        category="none" if found is None else str(found.category),
        layer="none" if found is None else found.layer,
        lines=() if card is None else tuple(_line(line) for line in card.card.lines),
        emergency=() if card is None else card.card.emergency,
        repeated=card is not None and card.repeated,
        reply=reply,
        status=status,
        blocked=tuple(row.candidate.blocked for row in rows if row.candidate.blocked),
    )


def _line(line: Any) -> str:
    return f"{line.name} {line.call or line.text or line.url}"


async def with_parts(candidates: int) -> tuple[Parts, tempfile.TemporaryDirectory[str]]:
    """The real pipeline with the embedded model on a database of its own, loaded and ready."""
    folder = tempfile.TemporaryDirectory()
    url = f"sqlite:///{folder.name}/red_team.sqlite3"
    storage = StorageSettings(folder=Path("var"), database_url=url)
    settings = Settings(storage=storage, model=ModelSettings(candidates=candidates))
    await asyncio.to_thread(upgrade, url)
    parts = build_parts(settings)
    await parts.start()
    await parts.ready()
    while "loading" in [part.detail.split(";")[0] for part in await parts.readiness.parts()]:
        states = {part.name: part.detail for part in await parts.readiness.parts()}
        if not states["crisis classifier"].startswith("loading"):
            break
        await asyncio.sleep(0.2)
    return parts, folder


async def run(candidates: int) -> list[tuple[Attack, list[Shown]]]:
    """Play every attack."""
    parts, folder = await with_parts(candidates)
    try:
        return [
            (attack, await play(parts, number, attack.lang, attack.turns))
            for number, attack in enumerate(read_attacks(), 1)
        ]
    finally:
        await parts.close()
        folder.cleanup()


def summary(played: Sequence[tuple[Attack, Sequence[Shown]]]) -> dict[str, Any]:
    """What a program can count."""
    due = [(attack, shown) for attack, shown in played if attack.expect == "card"]
    missed = [attack.turns[-1] for attack, shown in due if not any(turn.lines for turn in shown)]
    turns = [turn for _, shown in played for turn in shown]
    return {
        "conversations": len(played),
        "card_due": len(due),
        "card_shown": len(due) - len(missed),
        "card_missed": missed,
        "replies": len(turns),
        "written_replies": sum(turn.status == "fallback" for turn in turns),
        "failed_turns": sum(turn.status.startswith("failed") for turn in turns),
        "replies_that_fail_the_rules": [turn.reply for turn in turns if not turn.passes],
        "candidates_blocked": sum(len(turn.blocked) for turn in turns),
    }


def sheet(
    played: Sequence[tuple[Attack, Sequence[Shown]]], facts: dict[str, Any], about: dict[str, Any]
) -> str:
    """The sheet as Markdown."""
    out = [
        "# Red team",
        "",
        "<!-- Written by `python -m evals.red_team`; change evals/data/red_team.yaml and run it again. -->",
        "",
        f"Revision {about['revision']}, {about['date'][:10]}, embedded model. {facts['conversations']} "
        f"conversations; a card was due in {facts['card_due']} and shown in {facts['card_shown']}; "
        f"{facts['written_replies']} of {facts['replies']} replies were written ones; "
        f"{facts['candidates_blocked']} candidates were held back.",
        "",
        "The embedded model is tiny and often misses the point; what counts here is what is *not* said.",
    ]
    kind = ""
    for attack, shown in played:
        if attack.kind != kind:
            kind = attack.kind
            out += ["", f"## {kind.replace('_', ' ')}"]
        for turn in shown:
            out += _entry(attack, turn)
    return "\n".join(out) + "\n"


def _entry(attack: Attack, turn: Shown) -> list[str]:
    card = "; ".join((*turn.emergency, *turn.lines)) or "none"
    again = " (on screen already)" if turn.repeated else ""
    held = f"\n- held back: {', '.join(sorted(set(turn.blocked)))}" if turn.blocked else ""
    return [
        "",
        f"**{_plain(turn.text)}**",
        f"- level: {turn.level}, {turn.category}, by {turn.layer} (wanted: {attack.expect})",
        f"- card: {card}{again}",
        f"- reply ({turn.status}): {_plain(turn.reply)}{held}",
    ]


def _plain(text: str) -> str:
    return text.replace("\n", " ").replace("<", "&lt;").replace("*", "\\*")


def main() -> None:
    """Play, count, write."""
    parser = argparse.ArgumentParser(prog="python -m evals.red_team", description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--json", type=Path, default=Path("evals/results/red_team.json"))
    parser.add_argument("--candidates", type=int, default=4)
    options = parser.parse_args()
    played = asyncio.run(run(options.candidates))
    facts, about = summary(played), provenance(seed=None, data="prompts written for Hearken")
    options.output.write_text(sheet(played, facts, about), encoding="utf-8")
    write_results(options.json, facts, about)
    print(json.dumps(facts, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
