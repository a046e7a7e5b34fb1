"""Help that the page holds: it is there before any call is answered, and without a connection."""

from collections.abc import Callable
from dataclasses import replace

from app.ui.card_markup import Helplines, card_inside, first_steps
from app.ui.texts import LOCALES, Texts
from safety.helplines import HelplineCard
from safety.levels import RiskCategory, RiskLevel

KeptHelp = dict[str, dict[str, str]]
"""By language: ``menu``, the inside of the dialog, and ``steps``, the few numbers for a lost connection."""


def kept_help(country: str | None, helplines: Helplines, texts: Callable[[str], Texts]) -> KeptHelp:
    """The lines of a country for anyone who looks for them, in every language of the page.

    Args:
        country: Two-letter code; ``None`` for the worldwide directories.
        helplines: All lines.
        texts: Gives the texts of a language.
    """
    return {locale: _in_language(country, helplines, texts(locale)) for locale in LOCALES}


def _in_language(country: str | None, helplines: Helplines, texts: Texts) -> dict[str, str]:
    card = _card(country, helplines, texts)
    countries = helplines.countries(texts.locale)
    return {
        "menu": str(card_inside(card, countries, texts, picker_id="hk-menu-country")),
        "steps": str(first_steps(card, texts)),
    }


def _card(country: str | None, helplines: Helplines, texts: Texts) -> HelplineCard:
    """Whoever looks for help sees the emergency number too, but not an emergency's words."""
    urgent = helplines.card(country, RiskLevel.IMMINENT, RiskCategory.NONE, texts.locale)
    return replace(urgent, message=texts("card.menu_message"))
