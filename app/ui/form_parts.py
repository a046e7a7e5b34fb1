"""Parts of the annotation page's forms: plain controls, so that every browser and reader knows them."""

from app.ui.markup import Markup, tag


def fieldset(
    element_id: str, legend: str, *choices: Markup, hidden: bool = False, one_of: bool = False
) -> Markup:
    """A group of choices with its name; of those with ``one_of`` one must be chosen."""
    inside = tag("div", *choices, attributes={"class": "hk-choices"})
    attributes = {"id": element_id, "hidden": hidden, "role": "radiogroup" if one_of else None}
    return tag("fieldset", tag("legend", legend), inside, attributes=attributes)


def form_input(kind: str, name: str, value: str, on: bool) -> Markup:
    """A radio button or a box to tick."""
    written = tag("input", attributes={"type": kind, "name": name, "value": value, "checked": on})
    return Markup(written.removesuffix("</input>"))
