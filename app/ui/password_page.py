"""The page on which staff change their password: plain HTML without scripts, like the sign-in form."""

from dataclasses import dataclass
from html import escape

from app.auth.passwords import MAX_LENGTH, MIN_LENGTH
from app.ui.login_page import document
from app.ui.texts import Texts, pick_locale


@dataclass(frozen=True, slots=True)
class PasswordPages:
    """Renders the page in the language of the browser.

    Attributes:
        texts: By language.
    """

    texts: dict[str, Texts]

    def password(self, accept_language: str | None, home: str, problem: str | None = None) -> str:
        """The form.

        Args:
            accept_language: Header of that name.
            home: Where the way back leads.
            problem: Key of a text below ``password.``, for example ``wrong``.
        """
        texts = self.texts[pick_locale(None, accept_language)]
        alert = "" if problem is None else f'<p role="alert">{escape(texts(f"password.{problem}"))}</p>'
        rule = texts("password.rule", n=MIN_LENGTH)
        form = (
            f"<p>{escape(texts('password.intro'))} "
            f"<a href='{escape(home)}'>{escape(texts('password.back'))}</a>"
            f'</p>{alert}<form method="post" action="/password">'
            f"{_field(texts, 'present', 'current-password', ' autofocus')}"
            f'{_field(texts, "new", "new-password", " aria-describedby=rule")}<p id="rule">{escape(rule)}</p>'
            f"{_field(texts, 'again', 'new-password')}"
            f"<button>{escape(texts('password.submit'))}</button></form>"
        )
        return document(texts, "password.title", form)


def _field(texts: Texts, name: str, kind: str, more: str = "") -> str:
    return (
        f'<label for="{name}">{escape(texts(f"password.{name}"))}</label>'
        f'<input id="{name}" name="{name}" type="password" autocomplete="{kind}" required'
        f' maxlength="{MAX_LENGTH}"{more}>'
    )
