"""Scenarios of one person each, and configurations that answer them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from models.judge_rubrics import LANGUAGES

EMBEDDED = "embedded"
"""Address that stands for the embedded model in this process."""
SCENARIOS = Path(__file__).parent / "data" / "scenarios.yaml"


@dataclass(frozen=True, slots=True)
class Scenario:
    """What one person says, in order, whatever is answered."""

    id: str
    language: str
    theme: str
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way of answering.

    Attributes:
        name: How it is called in results.
        url: Address of the model server, ending in ``/v1``, or :data:`EMBEDDED`.
        model: Served model, or ``None`` for the first.
        n: Candidates a turn.
        rerank: Whether the best is chosen; otherwise the first that may be shown.
        key_env: Environment variable with the server's key, or ``None``.
    """

    name: str
    url: str
    model: str | None = None
    n: int = 1
    rerank: bool = False
    key_env: str | None = None

    def facts(self) -> dict[str, Any]:
        """Everything about it, for results and for finding stored conversations."""
        return asdict(self)


def read_scenarios(file: Path = SCENARIOS) -> list[Scenario]:
    """Read scenarios.

    Raises:
        ValueError: The file is missing or broken, or two scenarios have one id.
    """
    try:
        raw = cast("list[dict[str, Any]]", yaml.safe_load(file.read_text("utf-8")))
        found = [
            Scenario(row["id"], row["language"], row["theme"], tuple(str(turn) for turn in row["turns"]))
            for row in raw
        ]
    except (OSError, KeyError, TypeError, yaml.YAMLError) as error:
        raise ValueError(f"{file.name}: {type(error).__name__}: {error}") from None
    if len({one.id for one in found}) < len(found):
        raise ValueError(f"{file.name}: an id is there twice")
    wrong = [one.id for one in found if one.language not in LANGUAGES or not one.turns]
    if wrong:
        raise ValueError(f"{file.name}: {', '.join(wrong)}: no turns, or a language nobody judges")
    return found


def read_configuration(text: str) -> Configuration:
    """Read ``name=NAME,url=URL[,model=M][,n=8][,rerank=on][,key_env=VARIABLE]``.

    Raises:
        ValueError: A part is unknown, missing or out of range.
    """
    split = (part.partition("=") for part in text.split(","))
    parts = {key.strip(): value.strip() for key, _, value in split}
    unknown = parts.keys() - {"name", "url", "model", "n", "rerank", "key_env"}
    if unknown or not parts.get("name") or not parts.get("url"):
        raise ValueError(
            f"{text!r}: a configuration needs name= and url=, and may have model, n, rerank, key_env"
        )
    count, rerank = parts.get("n", "1"), parts.get("rerank", "off")
    if not count.isdecimal() or not 1 <= int(count) <= 32 or rerank not in ("on", "off"):
        raise ValueError(f"{text!r}: n goes from 1 to 32, and rerank is on or off")
    return Configuration(
        parts["name"],
        parts["url"],
        parts.get("model") or None,
        int(count),
        rerank == "on",
        parts.get("key_env") or None,
    )


def check_names(configurations: Sequence[Configuration]) -> Mapping[str, Configuration]:
    """Configurations by name.

    Raises:
        ValueError: Two have the same name.
    """
    named = {one.name: one for one in configurations}
    if len(named) < len(configurations):
        raise ValueError("two configurations have the same name")
    return named
