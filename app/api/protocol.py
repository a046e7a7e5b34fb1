"""The published crisis protocol at ``/safety``: what happens in a crisis, and all helplines."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from safety.helplines import Helpline, HelplineDirectory
from safety.levels import RiskCategory, RiskLevel

Locale = Literal["en", "zh"]
_STATIC = Path(__file__).resolve().parents[2] / "static"
_WORDS: dict[Locale, dict[str, str]] = {
    "en": {"title": "How Hearken handles a crisis", "emergency": "Emergency", "text": "Text", "call": "Call"},
    "zh": {"title": "Hearken 如何应对危机", "emergency": "紧急电话", "text": "短信", "call": "拨打"},
}


def protocol_router(helplines: HelplineDirectory) -> APIRouter:
    """The route ``/safety``, in the language of ``?lang=``, else of the browser."""
    router = APIRouter()

    @router.head("/safety", response_class=HTMLResponse)
    @router.get("/safety", response_class=HTMLResponse)
    async def protocol(request: Request, lang: str | None = None) -> str:  # pyright: ignore[reportUnusedFunction]
        """What happens in a crisis, in plain words."""
        wanted = lang or request.cookies.get("hearken_locale") or request.headers.get("accept-language", "")
        return _page(helplines, "zh" if wanted.lower().startswith("zh") else "en")

    return router


def _page(helplines: HelplineDirectory, locale: Locale) -> str:
    text = (_STATIC / "protocol" / f"{locale}.html").read_text("utf-8")
    other = "zh" if locale == "en" else "en"
    name = "中文" if other == "zh" else "English"
    countries = "".join(_country(helplines, code, name, locale) for code, name in helplines.countries(locale))
    return (
        f'<!doctype html><html lang="{locale}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{_WORDS[locale]["title"]}</title><link rel="stylesheet" href="/static/protocol.css">'
        '<link rel="icon" href="/static/icon.svg"></head>'
        f'<body><nav><a href="/">Hearken</a> <a href="/safety?lang={other}" lang="{other}">{name}</a></nav>'
        f"<main>{text}{countries}</main></body></html>"
    )


def _country(helplines: HelplineDirectory, code: str, name: str, locale: Locale) -> str:
    card = helplines.card(code, RiskLevel.IMMINENT, RiskCategory.SUICIDE, locale)
    words = _WORDS[locale]
    emergency = " · ".join(
        f'<a href="tel:{escape(number)}">{escape(number)}</a>' for number in card.emergency
    )
    every = helplines.lines(code, locale)
    lines = "".join(f"<li>{_line(line, words)}</li>" for line in every)
    urgent = f"<p>{words['emergency']}: {emergency}</p>" if emergency else ""
    return f"<details><summary>{escape(name)}</summary>{urgent}<ul>{lines}</ul></details>"


def _line(line: Helpline, words: dict[str, str]) -> str:
    return " · ".join(_line_parts(line, words))


def _line_parts(line: Helpline, words: dict[str, str]) -> Iterable[str]:
    yield f"<strong>{escape(line.name)}</strong>"
    if line.call and line.call_href:
        yield f'<a href="{escape(line.call_href)}">{words["call"]} {escape(line.call)}</a>'
    if line.text and line.text_href:
        keyword = f" ({escape(line.keyword)})" if line.keyword else ""
        yield f'<a href="{escape(line.text_href)}">{words["text"]} {escape(line.text)}{keyword}</a>'
    if line.hours:
        yield escape(line.hours)
    if line.note:
        yield escape(line.note)
    if line.url:
        yield f'<a href="{escape(line.url)}" rel="noopener noreferrer">{escape(line.url)}</a>'
