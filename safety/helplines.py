"""The right helpline for a country, level and category; from ``helplines.json``, never from a model."""

import re
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from safety.helpline_file import CountryEntry, HelplineFile, LineEntry, read_helplines, with_override
from safety.levels import RiskCategory, RiskLevel
from safety.yaml_file import read_yaml

STALE_AFTER_DAYS = 366
MAX_LINES = 4
"""More choices than this paralyse rather than help."""

_SPECIAL = 3
"""A line for at most so many categories knows about them, and comes before one for everything."""

_AT_ALL_HOURS = "24 hours, every day"
"""How the file says that a line is never closed."""

_FOLDER = Path(__file__).parent
_ALWAYS_EMERGENCY = frozenset(
    {
        RiskCategory.SUICIDE,
        RiskCategory.ABUSE,
        RiskCategory.CHILD_SAFETY,
        RiskCategory.MEDICAL_EMERGENCY,
        RiskCategory.SUBSTANCE,
    }
)
"""A wish to die, violence or poisoning can turn within the hour: the number stands there at moderate, too."""
_NEAR_TO_SUICIDE = frozenset({RiskCategory.MEDICAL_EMERGENCY, RiskCategory.GAMBLING})
"""Kinds whose own lines may know nothing of a wish to die that often stands behind them."""
_WITHOUT_OWN_LINE = {
    RiskCategory.MEDICAL_EMERGENCY: "medical_no_poisons",
    RiskCategory.GAMBLING: "gambling_no_line",
}
"""Groups of messages for cards without a line that knows about it."""
_FOR_AN_AMBULANCE = frozenset(
    {
        RiskCategory.MEDICAL_EMERGENCY,
        RiskCategory.SUBSTANCE,
        RiskCategory.SELF_HARM,
        RiskCategory.EATING_DISORDER,
    }
)
_FOR_THE_POLICE = frozenset({RiskCategory.ABUSE, RiskCategory.CHILD_SAFETY, RiskCategory.HARM_TO_OTHERS})
"""In many countries the two have numbers of their own, and the wrong one costs minutes."""


@dataclass(frozen=True, slots=True)
class Helpline:
    """One line as shown to a person; numbers are national dial strings, save ``whatsapp``."""

    id: str
    name: str
    call: str | None
    alternatives: tuple[str, ...]
    text: str | None
    keyword: str | None
    whatsapp: str | None
    url: str | None
    hours: str
    languages: tuple[str, ...]
    note: str | None
    categories: tuple[RiskCategory, ...]
    status: str
    source: str
    checked_on: date | None

    @property
    def call_href(self) -> str | None:
        """``tel:`` address of the number, or ``None``."""
        return call_href(self.call) if self.call else None

    @property
    def text_href(self) -> str | None:
        """``sms:`` address with the first word filled in, or ``None``."""
        return text_href(self.text, self.keyword) if self.text else None


@dataclass(frozen=True, slots=True)
class HelplineCard:
    """What a person sees at ``moderate`` and above, before any text of a model.

    Attributes:
        country: Two-letter code, or ``ZZ`` when it is unknown.
        level: ``moderate`` or ``imminent`` (any lower level is treated as ``moderate``).
        category: What the card is about.
        lines: Lines that fit, best first, at most ``MAX_LINES``.
        emergency: Emergency numbers to show as buttons, the service that this danger needs first; empty when
            the country is unknown.
        title: Heading in the person's language.
        message: A few calm sentences in the person's language.
    """

    country: str
    level: RiskLevel
    category: RiskCategory
    lines: tuple[Helpline, ...]
    emergency: tuple[str, ...]
    title: str
    message: str

    @property
    def emergency_hrefs(self) -> tuple[str, ...]:
        """``tel:`` addresses of the emergency numbers, in the same order."""
        return tuple(call_href(number) for number in self.emergency)


def call_href(number: str) -> str:
    """``tel:`` address of a national dial string; short codes stay as they are (no country prefix)."""
    return "tel:" + re.sub(r"[^0-9+]", "", number)


def text_href(number: str, keyword: str | None = None) -> str:
    """``sms:`` address; ``?&body=`` is read by both large phone systems."""
    body = f"?&body={quote(keyword)}" if keyword else ""
    return "sms:" + re.sub(r"[^0-9+]", "", number) + body


class HelplineDirectory:
    """All lines, ready to be asked for a card; immutable."""

    def __init__(self, data: HelplineFile, texts: dict[str, Any]) -> None:
        self._data = data
        self._texts = texts
        self._region_emergency = {
            member: region.emergency for region in data.regions.values() for member in region.members
        }

    def countries(self, locale: str = "en") -> list[tuple[str, str]]:
        """Codes and names of all countries with lines, by name, for a list to choose from.

        Chinese names stand in the order of their pinyin.
        """
        named = [(code, entry.name.get(locale)) for code, entry in self._data.countries.items()]
        return sorted(named, key=lambda pair: _place(pair[1]))

    def card(
        self,
        country: str | None,
        level: RiskLevel,
        category: RiskCategory,
        locale: str = "en",
        *,
        young: bool = False,
    ) -> HelplineCard:
        """Build the card for one turn.

        Args:
            country: Two-letter code as chosen or guessed; ``None`` or an unlisted one gives
                worldwide directories.
            level: The turn's level.
            category: The turn's category; ``none`` is treated as general distress.
            locale: ``en`` or ``zh…``; anything else reads English.
            young: The person said that they are under 18: where the country has a line for young people, it
                stands in front.
        """
        code = (country or "").upper()
        entry = self._data.countries.get(code)
        shown_level = max(level, RiskLevel.MODERATE)
        emergency = _emergency(entry, category) if entry else self._region_emergency.get(code, ())
        lines = self._lines_for(entry, category, locale)
        if young and entry and any(line.young for line in entry.lines):
            first = self.for_young(code, locale)
            lines = (first, *(line for line in lines if line.id != first.id))[:MAX_LINES]
        return HelplineCard(
            country=code if entry or code in self._region_emergency else "ZZ",
            level=shown_level,
            category=category,
            lines=lines,
            emergency=emergency if shown_level is RiskLevel.IMMINENT or category in _ALWAYS_EMERGENCY else (),
            title=self._text("titles", shown_level, self._group(category), locale),
            message=self._text("messages", shown_level, self._told(category, lines), locale).replace(
                "{emergency}", self._emergency_words(emergency, locale)
            ),
        )

    def lines(self, country: str, locale: str = "en") -> tuple[Helpline, ...]:
        """All lines of a country, whatever they are about; none for an unlisted one."""
        entry = self._data.countries.get(country)
        return tuple(_to_helpline(line, locale) for line in entry.lines) if entry else ()

    def for_young(self, country: str | None, locale: str = "en") -> Helpline:
        """The line for children and young people; where a country has none, the worldwide directory."""
        entry = self._data.countries.get((country or "").upper())
        young = [line for line in entry.lines if line.young] if entry else []
        return _to_helpline((young or self._data.fallback.lines)[0], locale)

    def stale(self, today: date, locale: str = "en") -> list[Helpline]:
        """Lines whose source is undated or older than twelve months; shown to admins."""
        return [
            _to_helpline(line, locale)
            for entry in (*self._data.countries.values(), self._data.fallback)
            for line in entry.lines
            if line.checked_on is None or (today - line.checked_on).days > STALE_AFTER_DAYS
        ]

    def _lines_for(
        self, entry: CountryEntry | None, category: RiskCategory, locale: str
    ) -> tuple[Helpline, ...]:
        own = entry.lines if entry else ()
        wanted = RiskCategory.SUICIDE if category is RiskCategory.NONE else category
        fitting = [line for line in own if wanted in line.categories]
        if wanted is not RiskCategory.SUICIDE:
            fitting.sort(key=lambda line: len(line.categories) > _SPECIAL)
        general = [line for line in own if line not in fitting and RiskCategory.SUICIDE in line.categories]
        if wanted is RiskCategory.GAMBLING:
            general = [line for line in general if not line.young]
        everywhere = [line for line in self._data.fallback.lines if line not in fitting]
        # Whoever took something, or lost all there was, may want to die: a line for that stands beside.
        beside = max(2 - len(fitting), 1 if wanted in _NEAR_TO_SUICIDE else 0)
        # At night none of these may answer: where there is room, one that never closes stands beside.
        awake = [line for line in general if _is_always_open(line) and not line.young]
        if awake and len(fitting) < MAX_LINES - 1 and not any(_is_always_open(line) for line in fitting):
            beside = max(beside, 1)
            general = awake + [line for line in general if line not in awake]
        chosen = fitting[: MAX_LINES - 1 - beside] if beside > 0 else fitting
        chosen = (chosen + general[: max(0, beside)])[: MAX_LINES - 1] + everywhere[:1]
        if not own:
            chosen = list(self._data.fallback.lines)
        return tuple(_to_helpline(line, locale) for line in chosen)

    def _group(self, category: RiskCategory) -> str:
        return str(self._texts["groups"][category.value])

    def _told(self, category: RiskCategory, lines: tuple[Helpline, ...]) -> str:
        """The group whose message fits these lines: what none of them can do is not said of them."""
        group = self._group(category)
        if category not in _WITHOUT_OWN_LINE or any(category in line.categories for line in lines):
            return group
        return _WITHOUT_OWN_LINE[category]

    def _text(self, kind: str, level: RiskLevel, group: str, locale: str) -> str:
        return str(self._texts[kind][level.label][group]["zh" if locale.startswith("zh") else "en"])

    def _emergency_words(self, numbers: tuple[str, ...], locale: str) -> str:
        language = "zh" if locale.startswith("zh") else "en"
        if not numbers:
            return str(self._texts["emergency_unknown"][language])
        return str(self._texts["emergency_join"][language]).join(numbers)


def _place(name: str) -> bytes:
    """What names are sorted by: this encoding has the common Chinese characters in the order of pinyin."""
    return name.encode("gb18030")


def _emergency(entry: CountryEntry, category: RiskCategory) -> tuple[str, ...]:
    """The numbers of the service that comes for this kind of danger."""
    if category in _FOR_AN_AMBULANCE:
        return entry.ambulance or entry.emergency
    if category in _FOR_THE_POLICE:
        return entry.police or entry.emergency
    return entry.emergency


def _is_always_open(line: LineEntry) -> bool:
    return line.hours.en.startswith(_AT_ALL_HOURS)


def _to_helpline(line: LineEntry, locale: str) -> Helpline:
    return Helpline(
        id=line.id,
        name=line.name if isinstance(line.name, str) else line.name.get(locale),
        call=line.call,
        alternatives=line.alternatives,
        text=line.text,
        keyword=line.keyword,
        whatsapp=line.whatsapp,
        url=line.url,
        hours=line.hours.get(locale),
        languages=line.languages,
        note=line.note.get(locale) if line.note else None,
        categories=line.categories,
        status=line.status,
        source=line.source,
        checked_on=line.checked_on,
    )


def load_directory(override: Path | None = None) -> HelplineDirectory:
    """Read the committed lines and an operator's file, if one is named.

    Raises:
        pydantic.ValidationError: A file does not follow the schema.
        OSError: A file cannot be read.
    """
    data = read_helplines(_FOLDER / "helplines.json")
    if override is not None:
        data = with_override(data, override)
    texts = cast("dict[str, Any]", read_yaml(_FOLDER / "card_texts.yaml"))
    return HelplineDirectory(data, texts)
