"""HTML of the form by which a reply is rated; plain controls, so that every browser and reader knows them."""

from collections.abc import Iterator

from app.db.measures import EMPATHY, REVERSED, SUPPORT, TACTIC
from app.ui.annotation_desk import MAX_COMMENT, REASONS, Given, Task
from app.ui.danger_form import danger_markup
from app.ui.form_parts import fieldset, form_input
from app.ui.markup import Markup, join, tag, text
from app.ui.staff_markup import context_markup, reply_markup
from app.ui.texts import Texts
from models.styles import Style

POINTS = (1, 2, 3, 4, 5)


def task_markup(task: Task, texts: Texts) -> Markup:
    """Context, reply and form, filled with what this annotator has stored for it."""
    return join(
        [
            tag("h2", texts("annotating.context"), attributes={"class": "hk-part"}),
            tag("div", Markup(context_markup(task.context, texts)), attributes={"id": "hk-context"}),
            tag("h2", texts("annotating.reply"), attributes={"class": "hk-part", "id": "hk-reply-title"}),
            tag(
                "div",
                Markup(reply_markup(task.reply)),
                _asked_style(task.reply.style, texts),
                attributes={"id": "hk-reply", "tabindex": "-1", "aria-labelledby": "hk-reply-title"},
            ),
            _thumbs(task, texts),
            _reasons(task, texts),
            _scales(task, texts),
            _tags(task, texts),
            _comment(task, texts),
            danger_markup(task.context, texts),
        ]
    )


def controls_of(given: Given) -> dict[str, bool | str]:
    """What the form's controls were, by the names under which the script keeps drafts."""
    found: dict[str, bool | str] = {}
    if given.rating is not None:
        found[f"value={given.rating.value}"] = True
        found |= {f"reason={reason}": True for reason in given.rating.reasons}
        found["hk-comment-text"] = given.rating.comment or ""
    for measure, value in given.scores.items():
        found |= {f"{measure}=1": value == 1} if measure in TACTIC else {f"{measure}={value}": True}
    if any(measure in TACTIC for measure in given.scores):
        found["tags_right=1"] = True
    return found


def _thumbs(task: Task, texts: Texts) -> Markup:
    value = task.rating.value if task.rating else None
    choices = [
        _choice("radio", "value", str(number), texts(f"annotate.{name}"), key, value == number)
        for name, number, key in (("up", 1, "U"), ("down", -1, "D"))
    ]
    return fieldset("hk-rating", texts("annotate.rating"), *choices, one_of=True)


def _reasons(task: Task, texts: Texts) -> Markup:
    chosen = task.rating.reasons if task.rating else ()
    choices = [
        _choice("checkbox", "reason", name, texts(f"reason.{name}"), str(number), name in chosen)
        for number, name in enumerate(REASONS, start=1)
    ]
    hidden = task.rating is None or task.rating.value != -1
    return fieldset("hk-reasons", texts("annotate.reasons"), *choices, hidden=hidden)


def _scales(task: Task, texts: Texts) -> Markup:
    parts = [
        tag("p", texts("annotating.scales_how"), attributes={"class": "hk-how"}),
        tag("h3", texts("annotating.empathy")),
        *(_scale(measure, task, texts) for measure in EMPATHY),
        tag("h3", texts("annotating.support")),
        *(_scale(measure, task, texts) for measure in SUPPORT),
    ]
    given = sum(measure in task.scores for measure in (*EMPATHY, *SUPPORT))
    heading = tag("span", texts("annotating.scales"))
    count = tag("span", f"{given}/{len(EMPATHY) + len(SUPPORT)}", attributes={"class": "hk-count"})
    return _fold("hk-scales", "E", join([heading, count]), parts)


def _scale(measure: str, task: Task, texts: Texts) -> Markup:
    reversed_note = (
        tag("span", texts("annotating.reversed"), attributes={"class": "hk-reversed"})
        if measure in REVERSED
        else None
    )
    points = [
        tag(
            "label",
            form_input("radio", measure, str(point), task.scores.get(measure) == point),
            tag("span", str(point)),
            attributes={"class": "hk-point"},
        )
        for point in POINTS
    ]
    low, high = texts(f"low.{measure}"), texts(f"high.{measure}")
    return tag(
        "fieldset",
        tag("legend", texts(f"item.{measure}"), reversed_note),
        tag(
            "div",
            tag("span", low, attributes={"class": "hk-anchor"}),
            tag("div", *points, attributes={"class": "hk-points"}),
            tag("span", high, attributes={"class": "hk-anchor hk-high"}),
            attributes={"class": "hk-line"},
        ),
        attributes={"class": "hk-scale", "data-measure": measure},
    )


def _tags(task: Task, texts: Texts) -> Markup:
    stored = any(measure in task.scores for measure in TACTIC)
    choices = list(_tag_choices(task, texts))
    confirm = tag(
        "label",
        form_input("checkbox", "tags_right", "1", stored),
        tag("span", texts("annotating.tags_right")),
        tag("kbd", "Y", attributes={"aria-hidden": "true"}),
        attributes={"class": "hk-choice hk-confirm"},
    )
    heading = join(
        [
            tag("span", texts("annotating.tags")),
            tag("span", "✓" if stored else "", attributes={"class": "hk-count"}),
        ]
    )
    how = tag("p", texts("annotating.tags_how"), attributes={"class": "hk-how"})
    inside = tag("div", *choices, attributes={"class": "hk-choices", "role": "group"})
    return _fold("hk-tags", "T", heading, [how, inside, confirm])


def _tag_choices(task: Task, texts: Texts) -> Iterator[Markup]:
    for number, measure in enumerate(TACTIC, start=1):
        on = bool(task.scores.get(measure, task.tags.get(measure, 0)))
        yield _choice("checkbox", measure, "1", texts(measure), str(number % 10), on)


def _comment(task: Task, texts: Texts) -> Markup:
    written = (task.rating.comment if task.rating else None) or ""
    label = tag(
        "label",
        texts("annotate.comment"),
        tag("kbd", "C", attributes={"aria-hidden": "true"}),
        attributes={"for": "hk-comment-text"},
    )
    box = tag(
        "textarea",
        text(written),
        attributes={"id": "hk-comment-text", "rows": 2, "maxlength": MAX_COMMENT},
    )
    return tag("div", label, box, attributes={"id": "hk-comment"})


def _fold(element_id: str, key: str, heading: Markup, parts: list[Markup]) -> Markup:
    summary = tag("summary", heading, tag("kbd", key, attributes={"aria-hidden": "true"}))
    return tag("details", summary, *parts, attributes={"id": element_id, "class": "hk-fold"})


def _choice(kind: str, name: str, value: str, label: str, key: str, on: bool) -> Markup:
    return tag(
        "label",
        form_input(kind, name, value, on),
        tag("span", label),
        tag("kbd", key, attributes={"aria-hidden": "true"}),
        attributes={"class": "hk-choice"},
    )


def _asked_style(style: Style | None, texts: Texts) -> Markup | None:
    """What the person wanted: a brief reply is no worse for being brief."""
    if style in (None, Style.BALANCED):
        return None
    words = texts("annotating.style", style=texts(f"style.{style}"))
    return tag("p", words, attributes={"class": "hk-how"})
