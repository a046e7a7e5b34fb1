"""The helpline card as HTML: who can be called or texted now, and how."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from app.ui.markup import Markup, icon, join, tag
from app.ui.texts import Texts
from safety.helplines import Helpline, HelplineCard, call_href
from safety.levels import RiskCategory, RiskLevel

Country = tuple[str, str]
_WATCHED = frozenset({RiskCategory.ABUSE, RiskCategory.CHILD_SAFETY})
"""Where somebody may come into the room: the quick exit stands in the card, before the list of lines."""
_UNKNOWN = "ZZ"
"""The country of a card whose country nobody knows (see ``HelplineCard.country``)."""
_BY_PHONE = ("tel:", "sms:")
"""What a telephone does without the internet."""


class Helplines(Protocol):
    """What the pages need of ``safety.helplines.HelplineDirectory``."""

    def countries(self, locale: str = "en") -> list[Country]:
        """Code and name of each country with lines."""
        ...

    def card(
        self, country: str | None, level: RiskLevel, category: RiskCategory, locale: str
    ) -> HelplineCard:
        """The lines to show."""
        ...


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as the browser gets it.

    Attributes:
        id: Changes when other lines or a higher level are shown, so that the page opens it anew.
        title: Its heading.
        html: The card's inside.
        brief: The most important numbers, which stay in reach when the card is folded to one line.
        level: Name of the risk level.
        spoken: What a screen reader announces once.
    """

    id: str
    title: str
    html: Markup
    brief: Markup
    level: str
    spoken: str

    def data(self) -> dict[str, str]:
        """As the browser gets it."""
        return {
            "id": self.id,
            "title": self.title,
            "html": str(self.html),
            "brief": str(self.brief),
            "level": self.level,
            "spoken": self.spoken,
        }


def card_view(card: HelplineCard, countries: Sequence[Country], texts: Texts) -> CardView:
    """The card that a conversation shows next to the message box."""
    names = ", ".join(_spoken_line(line) for line in card.lines)
    return CardView(
        id=f"{card.country}/{int(card.level)}/{card.category}/{texts.locale}/{_first(card)}",
        title=card.title,
        html=card_inside(card, countries, texts, picker_id="hk-card-country", ahead=first_steps(card, texts)),
        brief=_brief(card, texts),
        level=RiskLevel(card.level).label,
        spoken=texts("card.appeared", title=card.title, lines=names),
    )


def _first(card: HelplineCard) -> str:
    """The line in front, which is another one for young people."""
    return card.lines[0].id if card.lines else ""


def card_inside(
    card: HelplineCard,
    countries: Sequence[Country],
    texts: Texts,
    *,
    picker_id: str,
    ahead: Markup | None = None,
) -> Markup:
    """Emergency numbers, message, lines and the choice of a country.

    Args:
        card: What to show.
        countries: Those to choose from.
        texts: Of the page's language.
        picker_id: Id of the choice.
        ahead: What stands first in place of the emergency numbers alone.
    """
    lines = tag(
        "ul", *(_line(line, texts) for line in card.lines), attributes={"class": "hk-lines", "role": "list"}
    )
    return tag(
        "div",
        _emergency(card, texts) if ahead is None else ahead,
        tag("p", card.message, attributes={"class": "hk-card-message"}),
        _leave(texts) if card.category in _WATCHED else None,
        lines,
        country_picker(card.country, countries, texts, picker_id),
        attributes={"class": "hk-card-inside"},
    )


def first_steps(card: HelplineCard, texts: Texts) -> Markup:
    """What is in reach before anything is read: the emergency numbers and the first line with a number.

    The one that this danger needs more stands in front.
    """
    named = (
        (line, way) for line in card.lines for href, way in _ways(line, texts) if href.startswith(_BY_PHONE)
    )
    first = next((_row(line.name, (way,)) for line, way in named), None)
    urgent = _emergency(card, texts)
    order = (urgent, first) if card.level >= RiskLevel.IMMINENT else (first, urgent)
    return tag("div", *order, attributes={"class": "hk-first-steps"})


def _brief(card: HelplineCard, texts: Texts) -> Markup:
    """One tap each: the first line's first way, and the number of the service that this danger needs."""
    first = next((ways[0][1] for line in card.lines if (ways := _ways(line, texts))), None)
    urgent = next(iter(_emergency_calls(card, texts)), None)
    order = (urgent, first) if card.level >= RiskLevel.IMMINENT else (first, urgent)
    return tag("span", *order, attributes={"class": "hk-line-ways"})


def country_picker(current: str | None, countries: Sequence[Country], texts: Texts, picker_id: str) -> Markup:
    """A choice of the country whose lines are shown."""
    known = {code for code, _ in countries}
    options = [
        tag("option", name, attributes={"value": code, "selected": code == current})
        for code, name in countries
    ]
    unknown = tag(
        "option", texts("card.country_unknown"), attributes={"value": "", "selected": current not in known}
    )
    return tag(
        "p",
        tag("label", texts("card.country"), attributes={"for": picker_id}),
        tag("select", unknown, *options, attributes={"id": picker_id, "data-country": True}),
        attributes={"class": "hk-country"},
    )


def _leave(texts: Texts) -> Markup:
    """The quick exit; ``static/js/leave.js`` takes the click, whatever the address."""
    return tag(
        "p",
        tag(
            "a",
            icon("leave"),
            tag("span", texts("page.leave")),
            attributes={
                "class": "hk-call hk-leave-now",
                "href": texts("page.leave_to"),
                "rel": "noreferrer",
                "data-leave": True,
                "aria-label": texts("page.leave_label"),
            },
        ),
        tag("span", texts("page.leave_hint"), attributes={"class": "hk-line-details"}),
        attributes={"class": "hk-card-leave"},
    )


def _emergency(card: HelplineCard, texts: Texts) -> Markup | None:
    if card.country == _UNKNOWN:
        return _row(texts("card.emergency"), (tag("span", texts("card.emergency_unknown")),))
    if not card.emergency:
        return None
    return _row(texts("card.emergency"), _emergency_calls(card, texts), kind="hk-emergency hk-row-of-ways")


def _row(name: str, ways: Sequence[Markup], kind: str = "hk-row-of-ways") -> Markup:
    """A name and its buttons in one row, as far as there is room."""
    return tag(
        "div",
        tag("span", name, attributes={"class": "hk-line-name"}),
        " ",
        tag("span", *(piece for way in ways for piece in (way, " ")), attributes={"class": "hk-line-ways"}),
        attributes={"class": kind},
    )


def _emergency_calls(card: HelplineCard, texts: Texts) -> list[Markup]:
    return [
        _way(
            "phone",
            texts("card.emergency_call", number=number),
            call_href(number),
            texts("card.emergency_label", number=number),
        )
        for number in card.emergency
    ]


def _line(line: Helpline, texts: Texts) -> Markup:
    return tag(
        "li",
        tag("span", line.name, attributes={"class": "hk-line-name"}),
        tag("span", *(way for _, way in _ways(line, texts)), attributes={"class": "hk-line-ways"}),
        tag("span", *_details(line, texts), attributes={"class": "hk-line-details"}),
    )


def _ways(line: Helpline, texts: Texts) -> list[tuple[str, Markup]]:
    """Addresses and buttons: call, text, WhatsApp; the website only when there is no other way."""
    ways: list[tuple[str, Markup]] = []
    if line.call and line.call_href:
        label = texts("card.call_label", name=line.name, number=line.call)
        shown = texts("card.call", number=line.call)
        ways.append((line.call_href, _way("phone", shown, line.call_href, label)))
    if line.text and line.text_href:
        key = "card.text_keyword" if line.keyword else "card.text"
        shown = texts(key, number=line.text, keyword=line.keyword or "")
        label = f"{shown}, {line.name}"
        ways.append((line.text_href, _way("message", shown, line.text_href, label, second=bool(ways))))
    if line.whatsapp:
        shown = texts("card.whatsapp", number=line.whatsapp)
        digits = "".join(character for character in line.whatsapp if character.isdigit())
        label = f"{shown}, {line.name}"
        href = f"https://wa.me/{digits}"
        ways.append((href, _way("message", shown, href, label, second=bool(ways))))
    if not ways and _has_site(line):
        shown = texts("card.website_of", name=line.name)  # folded, the button stands alone
        label = texts("card.website_label", name=line.name)
        ways.append((line.url or "", _way("leave", shown, line.url or "", label, second=True)))
    return ways


def _way(picture: str, shown: str, href: str, label: str, *, second: bool = False) -> Markup:
    leaves_page = href.startswith("http")
    return tag(
        "a",
        icon(picture),
        tag("span", shown),
        attributes={
            "class": "hk-call hk-second" if second else "hk-call",
            "href": href,
            "aria-label": label,
            "target": "_blank" if leaves_page else None,
            "rel": "noopener noreferrer" if leaves_page else None,
        },
    )


def _details(line: Helpline, texts: Texts) -> list[str]:
    parts: list[str] = [line.hours] if line.hours else []
    if line.languages:
        parts.append(", ".join(_language(code, texts) for code in line.languages))
    if line.note:
        parts.append(line.note)
    if line.alternatives:
        links = [tag("a", number, attributes={"href": call_href(number)}) for number in line.alternatives]
        separated = [piece for link in links for piece in (", ", link)][1:]
        parts.append(join((texts("card.also"), " ", *separated)))
    if _has_site(line) and (line.call or line.text or line.whatsapp):
        label = texts("card.website_label", name=line.name)
        attributes = {"href": line.url, "target": "_blank", "rel": "noopener noreferrer", "aria-label": label}
        parts.append(tag("a", texts("card.website"), attributes=attributes))
    return [piece for part in parts for piece in (" · ", part)][1:]


def _has_site(line: Helpline) -> bool:
    return line.url is not None and line.url.startswith(("https://", "http://"))


def _language(code: str, texts: Texts) -> str:
    key = f"languages.{code}"
    return texts(key) if texts.has(key) else code


def _spoken_line(line: Helpline) -> str:
    number = line.call or line.text
    return f"{line.name} {number}" if number else line.name
