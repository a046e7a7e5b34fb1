"""The format of ``helplines.json`` and of an operator's own file; checked whenever one is loaded."""

from datetime import date
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from safety.levels import RiskCategory

CountryCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}$")]
Dial = Annotated[str, StringConstraints(pattern=r"^\+?[0-9][0-9 -]{1,18}$")]
"""A number as dialled inside the country; a short code written as E.164 would not work."""
International = Annotated[str, StringConstraints(pattern=r"^\+[1-9][0-9 -]{6,18}$")]
"""A number with its country code: WhatsApp links work with nothing else."""
WebAddress = Annotated[str, StringConstraints(pattern=r"^https://[^\s]+$")]
ShortText = Annotated[str, StringConstraints(min_length=1, max_length=120)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Texts(_Strict):
    """One text in the languages of the page."""

    en: ShortText
    zh: ShortText

    def get(self, locale: str) -> str:
        """The text for ``locale``; English for any other."""
        return self.zh if locale.startswith("zh") else self.en


class LineEntry(_Strict):
    """One crisis line.

    Attributes:
        name: What it is called; two names where those who call know it by another one in Chinese.
        young: It is for children and young people, and the first such line is named to whoever says that
            they are under 18. Lines that take reports of grown-ups about a child are none.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}-[a-z0-9-]+$")]
    name: ShortText | Texts
    call: Dial | None = None
    alternatives: tuple[Dial, ...] = ()
    text: Dial | None = None
    keyword: Annotated[str, StringConstraints(max_length=20)] | None = None
    whatsapp: International | None = None
    url: WebAddress | None = None
    hours: Texts
    languages: tuple[Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}$")], ...] = ()
    categories: Annotated[tuple[RiskCategory, ...], Field(min_length=1)]
    young: bool = False
    note: Texts | None = None
    status: Literal["official", "registry", "press", "list", "operator"]
    source: Annotated[str, StringConstraints(min_length=3)]
    checked_on: date | None

    @model_validator(mode="after")
    def _is_reachable(self) -> "LineEntry":
        if not (self.call or self.text or self.url or self.whatsapp):
            raise ValueError(f"{self.id}: no way to reach it")
        if self.keyword and not self.text:
            raise ValueError(f"{self.id}: a first word needs a number to text")
        return self


class CountryEntry(_Strict):
    """Emergency numbers and lines of one country.

    Attributes:
        name: Of the country.
        emergency: Numbers to call when a life is in danger, the one that guidance names first in front.
        ambulance: The same for the hurt and poisoned, where that differs; empty: as ``emergency``.
        police: The same for violence, where that differs; empty: as ``emergency``.
        lines: Helplines.
    """

    name: Texts
    emergency: tuple[Dial, ...] = ()
    ambulance: tuple[Dial, ...] = ()
    police: tuple[Dial, ...] = ()
    lines: tuple[LineEntry, ...] = ()


class RegionEntry(_Strict):
    """Countries without lines of their own here that share emergency numbers."""

    members: tuple[CountryCode, ...]
    emergency: tuple[Dial, ...]


class HelplineFile(_Strict):
    """The whole file."""

    schema_version: Literal[1]
    about: str = ""
    regions: dict[str, RegionEntry] = {}
    countries: dict[CountryCode, CountryEntry]
    fallback: CountryEntry


class OverrideFile(_Strict):
    """What an operator adds or replaces.

    Attributes:
        countries: A country given here replaces ours as a whole.
        remove: Ids of lines that are no longer shown.
    """

    schema_version: Literal[1]
    countries: dict[CountryCode, CountryEntry] = {}
    remove: tuple[str, ...] = ()


def read_helplines(path: Path) -> HelplineFile:
    """Read and check the main file; raises ``pydantic.ValidationError`` that names the faulty entry."""
    return HelplineFile.model_validate_json(path.read_bytes())


def with_override(base: HelplineFile, path: Path) -> HelplineFile:
    """Apply an operator's file to ``base``; raises ``pydantic.ValidationError`` when it is malformed."""
    override = OverrideFile.model_validate_json(path.read_bytes())
    countries = {**base.countries, **override.countries}
    removed = set(override.remove)
    kept = {
        code: country.model_copy(update={"lines": tuple(x for x in country.lines if x.id not in removed)})
        for code, country in countries.items()
    }
    return base.model_copy(update={"countries": kept})
