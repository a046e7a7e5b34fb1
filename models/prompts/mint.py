"""The tactic-aware system prompt MINT checkpoints were trained with, in Hearken's own wording.

Sections and their order follow the published training prompt (role, tactics with definitions,
usage so far, format, length); the sentences are ours. A lab that holds the original wording can
put it in a file with the same placeholders, see :mod:`models.prompts.templates`.
"""

from collections.abc import Mapping, Sequence

from models.prompts.templates import PromptTemplate, load_template, parse_template
from models.tactics import Tactic, TacticCounts, load_definitions

NAME = "mint"


def build_mint_prompt(history: Sequence[TacticCounts], template: str | None = None) -> str:
    """The system prompt for the next reply.

    Args:
        history: Tactic counts of the supporter's earlier replies, oldest first.
        template: Text of a prompt file that replaces the built-in one, or ``None``.

    Raises:
        ValueError: The template lacks a block or placeholder, or has an unknown one.
    """
    parsed = load_template(NAME) if template is None else parse_template(NAME, template)
    return fill_mint(parsed, history)


def fill_mint(template: PromptTemplate, history: Sequence[TacticCounts]) -> str:
    """As :func:`build_mint_prompt`, for a template that was read before."""
    return template.fill(
        "system", {"tactic_list": _tactic_list(template), "usage": _usage(template, history)}
    )


def _tactic_list(template: PromptTemplate) -> str:
    definitions = _definitions(template)
    lines = [
        template.fill("tactic_line", {"number": number, "tactic": tactic, "definition": definitions[tactic]})
        for number, tactic in enumerate(Tactic, start=1)
    ]
    return "\n".join(lines)


def _definitions(template: PromptTemplate) -> Mapping[Tactic, str]:
    """Meanings from the optional block ``[[definitions]]`` (``tactic: text`` a line), else our own."""
    if "definitions" not in template.blocks:
        return {
            tactic: f'{definition.text["en"]} (for example: "{definition.cue["en"]}")'
            for tactic, definition in load_definitions().items()
        }
    found: dict[str, str] = {}
    for line in filter(str.strip, template.fill("definitions").splitlines()):
        name, _, meaning = line.partition(":")
        found[name.strip().casefold()] = meaning.strip()
    wrong = sorted(set(found) ^ {tactic.value for tactic in Tactic})
    if wrong or not all(found.values()):
        msg = (
            f"prompt mint, block definitions: one line 'tactic: meaning' for each of the ten, wrong: {wrong}"
        )
        raise ValueError(msg)
    return {tactic: found[tactic.value] for tactic in Tactic}


def _usage(template: PromptTemplate, history: Sequence[TacticCounts]) -> str:
    last = {tactic: count for tactic, count in history[-1].items() if count > 0} if history else {}
    if not last:
        # Also for a last reply in which no tactic was found: training knew no third case.
        return template.fill("first_turn")
    ordered = sorted(last, key=lambda tactic: (-last[tactic], list(Tactic).index(Tactic(tactic))))
    items = [
        template.fill("last_turn_item", {"tactic": Tactic(name).value, "count": last[name]})
        for name in ordered
    ]
    used = {Tactic(tactic) for counts in history for tactic, count in counts.items() if count > 0}
    unused = [tactic.value for tactic in Tactic if tactic not in used]
    remaining = (
        template.fill("some_unused", {"unused": ", ".join(unused)}) if unused else template.fill("all_used")
    )
    return template.fill("later_turn", {"last_turn": ", ".join(items), "remaining": remaining})
