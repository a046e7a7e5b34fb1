"""The frame of the chat page, put around Gradio's own document before it is sent.

Gradio draws nothing until its scripts have loaded. The frame is plain HTML: the name, the notice,
the quick exit and the message box are on screen at once and work while Gradio still loads.
"""

import json
import re
from collections.abc import Callable, Mapping
from html import escape
from importlib import resources

from app.ui.kept_help import KeptHelp
from app.ui.texts import Texts

_PLACES = {"label": "aria-label", "placeholder": "placeholder", "title": "title", "href": "href"}
_ATTRIBUTE = re.compile(r'data-(label|placeholder|title|href)="([a-z_.]+)"')
_CONTENT = re.compile(r'data-text="([a-z_.]+)"([^>]*)></')
_SHEETS = (
    "hearken",
    "hearken-frame",
    "hearken-conversation",
    "hearken-card",
    "hearken-foot",
    "hearken-memory",
)
_STYLES = "".join(f'<link rel="stylesheet" href="/static/{name}.css">' for name in _SHEETS)
# The parts of main.js: named here, they are fetched at the same time as main.js itself.
_MODULES = (
    "announce",
    "card",
    "channel",
    "composer",
    "connection",
    "consent",
    "feedback",
    "help",
    "memory",
    "names",
    "outbox",
    "panels",
    "tabs",
    "texts",
    "transcript",
)
_PRELOADS = "".join(f'<link rel="modulepreload" href="/static/js/{name}.js">' for name in _MODULES)
_GRADIO_PLACE = "<!--gradio-->"
_GRADIO_APP = re.compile(r"<gradio-app.*?</gradio-app>", re.DOTALL)
# Gradio's document advertises itself to link previews and loads a script for pages in frames.
_UNWANTED = re.compile(
    r'<meta\s+(?:property="og:|name="twitter:)[^>]*>\s*|<link rel="manifest"[^>]*>\s*'
    r"|<script>\s*\(\(\) => \{\s*const root = .*?</script>\s*",
    re.DOTALL,
)


class ShellMarkerError(Exception):
    """Gradio's document does not look as expected; its version has changed."""


class Shell:
    """Fills the frame's texts and puts it around Gradio's document."""

    def __init__(
        self,
        texts: Mapping[str, Texts],
        *,
        max_message_chars: int,
        exit_url: str | None,
        help_for: Callable[[str | None], KeptHelp],
        memory: bool = True,
    ) -> None:
        frame = resources.files("app.ui").joinpath("shell.html").read_text("utf-8")
        self._texts = texts
        self._exit_url = exit_url
        self._help_for = help_for
        self._frames = {locale: self._fill(frame, locale) for locale in texts}
        limits = {"maxChars": max_message_chars, "exitUrl": exit_url, "memory": memory}
        self._script_texts = _as_script("hk-texts", {code: dict(one.entries) for code, one in texts.items()})
        self._script_limits = _as_script("hk-limits", limits)

    def around(self, document: str, locale: str, accept_language: str | None = None) -> str:
        """Gradio's document with the frame in it.

        Args:
            document: HTML as Gradio sends it.
            locale: Language of the frame.
            accept_language: The languages that the browser asks for; they tell whose help lines come along.

        Raises:
            ShellMarkerError: When the places for the frame can't be found.
        """
        found = _GRADIO_APP.search(document)
        if found is None or "</head>" not in document or "<html" not in document:
            raise ShellMarkerError
        before, after = self._frames[locale].split(_GRADIO_PLACE)
        kept = _as_script("hk-kept-help", self._help_for(accept_language))
        body = f"{before}{found.group()}{after}{self._script_texts}{self._script_limits}{kept}"
        whole = document[: found.start()] + body + document[found.end() :]
        whole = _UNWANTED.sub("", whole)
        whole = re.sub(
            r'<html\s+lang="[^"]*"',
            f'<html lang="{_language_tag(locale)}" data-locale="{locale}" class="hk"',
            whole,
            count=1,
        )
        return whole.replace("</head>", f"{self._head(locale)}</head>", 1)

    def _fill(self, frame: str, locale: str) -> str:
        texts = self._texts[locale]

        def attribute(match: re.Match[str]) -> str:
            value = self._value(match[2], texts)
            return f'{match[0]} {_PLACES[match[1]]}="{escape(value, quote=True)}"'

        def content(match: re.Match[str]) -> str:
            return f'data-text="{match[1]}"{match[2]}>{escape(texts(match[1]))}</'

        return _CONTENT.sub(content, _ATTRIBUTE.sub(attribute, frame))

    def _value(self, key: str, texts: Texts) -> str:
        return self._exit_url if key == "page.leave_to" and self._exit_url else texts(key)

    def _head(self, locale: str) -> str:
        title = escape(self._texts[locale]("page.title"))
        return (
            f"<title>{title}</title>"
            '<meta name="color-scheme" content="light dark">'
            '<meta name="theme-color" content="#f5f2ec" media="(prefers-color-scheme: light)">'
            '<meta name="theme-color" content="#151c1c" media="(prefers-color-scheme: dark)">'
            '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">'
            f"{_STYLES}"
            '<script src="/static/js/leave.js"></script>'
            '<script type="module" src="/static/js/main.js"></script>'
            f"{_PRELOADS}"
        )


def _language_tag(locale: str) -> str:
    return {"zh": "zh-Hans"}.get(locale, locale)


def _as_script(element_id: str, value: object) -> str:
    """Data for the page's script; no text in it can end the element."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" id="{element_id}">{data}</script>'
