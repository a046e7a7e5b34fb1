"""HTML of the form by which whoever rates flags a conversation for review."""

from app.db.records import Message
from app.ui.danger_desk import MAX_REASON, messages_of_person
from app.ui.form_parts import fieldset, form_input
from app.ui.markup import Markup, tag
from app.ui.texts import Texts
from safety.levels import RiskCategory, RiskLevel

LEVELS = (RiskLevel.MODERATE, RiskLevel.IMMINENT)
CATEGORIES = tuple(one for one in RiskCategory if one != RiskCategory.NONE)
_SHOWN = 90
"""Characters of a message by which it is told from the others; all of it stands above the form."""


def danger_markup(context: tuple[Message, ...], texts: Texts) -> Markup:
    """A folded form; nothing when the person wrote nothing that is shown."""
    messages = messages_of_person(context)
    if not messages:
        return Markup("")
    last = messages[-1].id
    heading = tag("span", texts("danger.heading"))
    return tag(
        "details",
        tag("summary", heading, tag("kbd", "F", attributes={"aria-hidden": "true"})),
        tag("p", texts("danger.how"), attributes={"class": "hk-how"}),
        fieldset(
            "hk-danger-message",
            texts("danger.message"),
            *(_choice("message", one.id, _short(one.text), one.id == last) for one in messages),
            one_of=True,
        ),
        fieldset(
            "hk-danger-level",
            texts("danger.level"),
            *(_choice("level", one.label, texts(f"level.{one.label}"), False) for one in LEVELS),
            one_of=True,
        ),
        fieldset(
            "hk-danger-category",
            texts("danger.category"),
            *(_choice("category", one.value, texts(f"category.{one.value}"), False) for one in CATEGORIES),
            one_of=True,
        ),
        tag("label", texts("danger.reason"), attributes={"for": "hk-danger-reason"}),
        tag(
            "textarea",
            "",
            attributes={"id": "hk-danger-reason", "rows": 2, "maxlength": MAX_REASON, "required": True},
        ),
        tag("button", texts("danger.save"), attributes={"type": "button", "id": "hk-danger-save"}),
        tag("p", attributes={"id": "hk-danger-said", "role": "alert"}),
        attributes={"id": "hk-danger", "class": "hk-fold"},
    )


def _choice(name: str, value: str, label: str, on: bool) -> Markup:
    return tag(
        "label",
        form_input("radio", f"danger-{name}", value, on),
        tag("span", label),
        attributes={"class": "hk-choice"},
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN].rstrip()} …"
