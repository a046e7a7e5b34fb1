"""Guess a person's country from what the browser says by itself; never from an IP address.

The time zone speaks of where somebody is, the language of what they read, so the zone goes first. A wrong
guess shows the wrong number, so anything doubtful gives ``None`` and the page then asks.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

_TAG = re.compile(r"^[a-z]{2,3}(?:-[A-Za-z]{4})?-([A-Z]{2})$")
_ONE_COUNTRY_LANGUAGES: Mapping[str, str] = {"ja": "JP", "ko": "KR"}
"""Languages that are at home in one country only; English, Chinese or Spanish tell nothing alone."""


def guess_country(accept_language: str | None, timezone: str | None) -> str | None:
    """Return a two-letter country code or ``None``.

    Args:
        accept_language: The browser's ``Accept-Language`` header or ``navigator.language``.
        timezone: The IANA name from ``Intl.DateTimeFormat``, such as ``Asia/Calcutta``.

    Example:
        >>> guess_country("en-US,en;q=0.9", "Australia/Sydney")
        'AU'
    """
    return _from_timezone(timezone) or _from_language(accept_language)


def _from_timezone(timezone: str | None) -> str | None:
    return _zone_countries().get(timezone.strip()) if timezone else None


def _from_language(accept_language: str | None) -> str | None:
    for part in (accept_language or "")[:500].split(","):
        tag = part.split(";")[0].strip()
        found = _TAG.match(tag)
        if found:
            return found[1]
        if tag in _ONE_COUNTRY_LANGUAGES:
            return _ONE_COUNTRY_LANGUAGES[tag]
    return None


@lru_cache(maxsize=1)
def _zone_countries() -> Mapping[str, str]:
    """Zone names and their old names, from the public-domain tables that ship with ``tzdata``."""
    folder = files("tzdata").joinpath("zoneinfo")
    rows = [line.split("\t") for line in folder.joinpath("zone.tab").read_text("utf-8").splitlines()]
    countries = {row[2]: row[0] for row in rows if len(row) >= 3 and not row[0].startswith("#")}
    for line in folder.joinpath("tzdata.zi").read_text("utf-8").splitlines():
        if line.startswith("L "):
            _, target, alias = line.split()
            if target in countries:
                countries.setdefault(alias, countries[target])
    return countries
