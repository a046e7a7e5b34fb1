"""HTML around the task of the annotation page: progress, notices, buttons and the list of keys."""

from app.ui.markup import Markup, join, tag
from app.ui.texts import Texts

_KEYS = ("u", "d", "n", "c", "e", "t", "y", "enter", "s", "z", "r", "f", "arrows", "help")
_NAMES = {"n": "1–9", "enter": "Enter", "help": "?", "arrows": "↑ ↓"}


def frame_markup(texts: Texts) -> Markup:
    """Everything that stays while replies come and go."""
    return join(
        [
            tag("h1", texts("annotating.title"), attributes={"id": "hk-title"}),
            tag("p", texts("annotate.intro"), attributes={"class": "hk-how"}),
            tag(
                "div",
                _mode("rate", texts, pressed=True),
                _mode("rank", texts, pressed=False),
                attributes={"id": "hk-modes", "role": "group", "aria-label": texts("annotating.modes")},
            ),
            tag("p", attributes={"id": "hk-progress"}),
            tag("form", attributes={"id": "hk-task", "tabindex": "-1"}),
            tag(
                "div",
                _notice(texts),
                _button("save", texts("annotate.save"), "Enter", main=True),
                _button("skip", texts("annotate.skip"), "S"),
                _button("undo", texts("annotating.undo"), "Z"),
                _button("keys", texts("annotating.keys"), "?"),
                tag("span", texts("annotating.working"), attributes={"id": "hk-working", "hidden": True}),
                attributes={"id": "hk-actions"},
            ),
            _key_list(texts),
            tag("section", attributes={"id": "hk-results", "hidden": True}),
        ]
    )


def _notice(texts: Texts) -> Markup:
    """What the page says, in the bar that never leaves the screen; focused when nothing is left."""
    said = {"data-failed": texts("annotating.failed"), "data-draft": texts("annotating.draft")}
    return tag("p", attributes={"id": "hk-notice", "role": "status", "tabindex": -1, **said})


def _mode(name: str, texts: Texts, *, pressed: bool) -> Markup:
    state = "true" if pressed else "false"
    return tag(
        "button",
        texts(f"annotating.mode_{name}"),
        attributes={"type": "button", "data-mode": name, "aria-pressed": state},
    )


def _button(name: str, label: str, key: str, *, main: bool = False) -> Markup:
    return tag(
        "button",
        tag("span", label),
        tag("kbd", key, attributes={"aria-hidden": "true"}),
        attributes={"type": "button", "id": f"hk-{name}", "class": "hk-main" if main else None},
    )


def _key_list(texts: Texts) -> Markup:
    rows = [
        tag("div", tag("dt", tag("kbd", _NAMES.get(key, key.upper()))), tag("dd", texts(f"key.{key}")))
        for key in _KEYS
    ]
    heading = tag("h2", texts("annotating.keys"))
    how = tag("p", texts("annotating.keys_how"), attributes={"class": "hk-how"})
    return tag("section", heading, how, tag("dl", *rows), attributes={"id": "hk-key-list", "hidden": True})
