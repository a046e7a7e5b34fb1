"""Sign-in and refusal pages for staff: plain HTML without scripts, because they set and need cookies only."""

from dataclasses import dataclass
from html import escape
from importlib import resources
from string import Template
from urllib.parse import quote

from app.auth.page_list import pages_of
from app.db.records import StaffRole
from app.ui.texts import Texts, pick_locale


@dataclass(frozen=True, slots=True)
class StaffPages:
    """Renders the pages in the language of the browser.

    Attributes:
        texts: By language.
        provider: Name of the sign-in provider, when there is one.
    """

    texts: dict[str, Texts]
    provider: str | None = None

    def login(
        self, accept_language: str | None, next_page: str, problem: str | None = None, minutes: int = 0
    ) -> str:
        """The sign-in form.

        Args:
            accept_language: Header of that name.
            next_page: Where to go afterwards; one of our own addresses.
            problem: Key of a text below ``login.``, for example ``failed``.
            minutes: For a text that names how long to wait.
        """
        texts = self._texts(accept_language)
        said = "" if problem is None else escape(texts(f"login.{problem}", minutes=minutes))
        alert = f'<p role="alert">{said}</p>' if said else ""
        form = (
            f"<p>{escape(texts('login.intro'))} <a href='/'>{escape(texts('login.home'))}</a></p>{alert}"
            '<form method="post" action="/login">'
            f'<input type="hidden" name="next" value="{escape(next_page)}">'
            f'<label for="username">{escape(texts("login.username"))}</label>'
            '<input id="username" name="username" autocomplete="username" autocapitalize="none" '
            'spellcheck="false" required autofocus maxlength="254">'
            f'<label for="password">{escape(texts("login.password"))}</label>'
            '<input id="password" name="password" type="password" autocomplete="current-password" '
            'required maxlength="256">'
            f"<button>{escape(texts('login.submit'))}</button></form>"
        )
        return document(texts, "login.title", form + self._by_provider(texts, next_page))

    def signed_in(self, accept_language: str | None, page: str) -> str:
        """What is shown for a moment after a provider has sent the browser back."""
        texts = self._texts(accept_language)
        link = f'<p><a href="{escape(page)}">{escape(texts("login.go_on"))}</a></p>'
        return document(texts, "login.done", link)

    def _by_provider(self, texts: Texts, next_page: str) -> str:
        if self.provider is None:
            return ""
        target = "/login/oidc/start" + (f"?next={quote(next_page, safe='')}" if next_page else "")
        words = escape(texts("login.by_provider", name=self.provider))
        return f'<p class="hk-provider"><a href="{escape(target)}">{words}</a></p>'

    def refused(self, accept_language: str | None, role: StaffRole) -> str:
        """What an account sees on a page it may not open, with the ones that it may.

        Args:
            accept_language: Header of that name.
            role: Of the account.
        """
        texts = self._texts(accept_language)
        links = "".join(
            f'<li><a href="{page.address}/">{escape(texts(page.name))}</a></li>' for page in pages_of(role)
        )
        text = (
            f"<p>{escape(texts('refused.text'))}</p><p>{escape(texts('refused.yours'))}</p><ul>{links}</ul>"
        )
        sign_out = (
            f'<form method="post" action="/logout"><button>{escape(texts("staff.sign_out"))}</button></form>'
        )
        return document(texts, "refused.title", text + sign_out)

    def problem(self, accept_language: str | None, problem: str, back: str) -> str:
        """What went wrong with a form or a download.

        Args:
            accept_language: Header of that name.
            problem: Key of a text below ``problem.``, for example ``invalid``.
            back: Address of the page with the form.
        """
        texts = self._texts(accept_language)
        link = f'<a href="{escape(back)}">{escape(texts("problem.back"))}</a>'
        return document(texts, "problem.title", f"<p>{escape(texts(f'problem.{problem}'))}</p><p>{link}</p>")

    def _texts(self, accept_language: str | None) -> Texts:
        return self.texts[pick_locale(None, accept_language)]


def document(texts: Texts, title: str, body: str) -> str:
    """A plain page of the staff side; ``body`` is HTML."""
    frame = Template(resources.files("app.ui").joinpath("login.html").read_text("utf-8"))
    return frame.substitute(locale=texts.locale, title=escape(texts(title)), body=body)
