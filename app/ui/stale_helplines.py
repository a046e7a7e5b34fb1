"""What admins are told on their pages about helplines that nobody has checked for a year."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from app.ui.texts import Texts, pick_locale
from safety.helplines import HelplineDirectory


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

    def told(self, accept_language: str | None) -> str | None:
        """The line in the language of the browser, naming the entries; ``None`` while all are checked."""
        stale = self.helplines.stale(self.today())
        if not stale:
            return None
        texts = self.texts[pick_locale(None, accept_language)]
        return texts("helplines.stale", n=len(stale), ids=", ".join(line.id for line in stale))
