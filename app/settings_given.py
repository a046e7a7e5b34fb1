"""What the environment and the ``.env`` file give, and what of it would be ignored without a word.

A name that no setting has, a line that assigns nothing and a setting that has no effect without another
one are mistakes of whoever wrote them; each is one line that says which.
"""

import difflib
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dotenv.parser import Binding, parse_stream

ENV_FILE = ".env"
ENV_ENCODING = "utf-8-sig"
"""As some editors write it: a mark before the first name would else be part of that name."""
PREFIX = "HEARKEN_"
TEST_VARIABLES = frozenset({"HEARKEN_SKIP_VLLM", "HEARKEN_TEST_CPU_SLOWDOWN", "HEARKEN_TEST_LATENCY_MS"})
"""Names that only the tests read."""

_CLOSE = 0.78
"""Share of letters in common from which a name is told as what was meant."""
_OFF = frozenset({"0", "false", "f", "no", "n", "off"})
NEEDS: Mapping[str, tuple[str, ...]] = {
    "MODEL__API_KEY": ("MODEL__URL",),
    "MODEL__NAME": ("MODEL__URL", "MODEL__FOLDER"),
    "SECOND_MODEL__LANGUAGE": ("SECOND_MODEL__URL",),
    "SECOND_MODEL__API_KEY": ("SECOND_MODEL__URL",),
    "SECOND_MODEL__NAME": ("SECOND_MODEL__URL",),
    "SECOND_MODEL__PROFILE": ("SECOND_MODEL__URL",),
    "MEMORY__MODEL": ("MODEL__URL",),
    "SAFETY__JUDGE_API_KEY": ("SAFETY__JUDGE_URL",),
    "SAFETY__JUDGE_MODEL": ("SAFETY__JUDGE_URL",),
    "SAFETY__DETOXIFY_CONFIG": ("SAFETY__DETOXIFY_CHECKPOINT", "SAFETY__DETOXIFY_DOWNLOAD"),
    "ALERTS__MAIL_TO": ("ALERTS__SMTP_HOST",),
    "ALERTS__SMTP_HOST": ("ALERTS__MAIL_TO",),
    "ALERTS__SMTP_USER": ("ALERTS__SMTP_HOST",),
    "ALERTS__SMTP_PASSWORD": ("ALERTS__SMTP_HOST",),
    "ALERTS__WEBHOOK_SECRET": ("ALERTS__WEBHOOK_URL",),
    "OIDC__CLIENT_ID": ("OIDC__DISCOVERY_URL",),
    "OIDC__CLIENT_SECRET": ("OIDC__DISCOVERY_URL",),
}
"""Settings that do nothing unless one of others is set as well."""


@dataclass(frozen=True, slots=True)
class Given:
    """Values by name in capital letters, as settings are read whatever the case, and lines that give none."""

    values: Mapping[str, str]
    unread: list[str] = field(default_factory=list[str])

    @property
    def names(self) -> list[str]:
        """Names that are meant for Hearken."""
        return sorted(name for name in self.values if name.startswith(PREFIX))


def read_given(file: Path | None = None) -> Given:
    """The environment over the file, as the settings read them."""
    values: dict[str, str] = {}
    unread: list[str] = []
    for line in _bindings(file or Path(ENV_FILE)):
        if isinstance(line, str):
            unread.append(line)
        elif line.error or (line.key is not None and line.value is None):
            unread.append(f"{ENV_FILE}, line {_number(line)}: is no assignment of the form NAME=value")
        elif line.key is not None and line.value:
            values[line.key.upper()] = line.value
    values |= {name.upper(): value for name, value in os.environ.items() if value}
    return Given(values, unread)


def faults(given: Given, known: Collection[str]) -> list[str]:
    """One line for each part that would be ignored.

    Args:
        given: What was read.
        known: Names of all settings.
    """
    unknown = [name for name in given.names if name not in known and name not in TEST_VARIABLES]
    return [*given.unread, *(_unknown(name, known) for name in unknown), *_idle(given.values)]


def nearest(name: str, known: Collection[str]) -> list[str]:
    """The settings that a wrong name may have meant: the same last part first, then almost the same name."""
    short = {one.removeprefix(PREFIX): one for one in known}
    wrong = name.removeprefix(PREFIX)
    last = wrong.rpartition("__")[2]
    same = [one for one in short if one.rpartition("__")[2] == last]
    found = difflib.get_close_matches(wrong, same, n=1, cutoff=_CLOSE) or (same if len(same) <= 3 else [])
    return [short[one] for one in found or difflib.get_close_matches(wrong, short, n=1, cutoff=_CLOSE)]


def _unknown(name: str, known: Collection[str]) -> str:
    near = " or ".join(nearest(name, known))
    return f"{name}: no such setting" + (f"; did you mean {near}?" if near else "")


def _idle(values: Mapping[str, str]) -> Iterator[str]:
    for name, needed in NEEDS.items():
        value = values.get(PREFIX + name, "")
        if value and value.lower() not in _OFF and not any(PREFIX + one in values for one in needed):
            yield f"{PREFIX}{name}: does nothing unless {' or '.join(PREFIX + one for one in needed)} is set"


def _bindings(file: Path) -> Iterator[Binding | str]:
    if not file.is_file():
        return
    try:
        with file.open(encoding=ENV_ENCODING) as stream:
            yield from parse_stream(stream)
    except UnicodeDecodeError:
        yield f"{ENV_FILE}: is no text in UTF-8"
    except OSError as error:
        yield f"{ENV_FILE}: can't be read ({error.strerror})"


def _number(line: Binding) -> int:
    """A binding begins with the blank lines before it."""
    text = line.original.string
    return line.original.line + text[: len(text) - len(text.lstrip())].count("\n")
