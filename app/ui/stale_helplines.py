"""What admins are told on their pages about helplines that nobody has checked for a year."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from app.ui.texts import Texts, pick_locale
from safety.helplines import HelplineDirectory


@dataclass(frozen=True, slots=True)
class Notice:
    """What admins are told: a line, and behind it what it is about."""

    text: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StaleHelplines:
    """The line on admins' pages.

    Attributes:
        helplines: What persons are shown.
        texts: By language.
        today: Tells the date.
    """

    helplines: HelplineDirectory
    texts: dict[str, Texts]
    today: Callable[[], date] = date.today

    def told(self, accept_language: str | None) -> Notice | None:
        """The line in the language of the browser with the names; ``None`` while all are checked."""
        locale = pick_locale(None, accept_language)
        stale = self.helplines.stale(self.today(), locale)
        if not stale:
            return None
        text = self.texts[locale]("helplines.stale", n=len(stale))
        return Notice(text, tuple(f"{line.name} ({line.id})" for line in stale))
