"""HTML of the form by which candidates are ranked, and of the results that admins see."""

from collections.abc import Sequence
from string import ascii_uppercase

from app.ranking_table import Interval, SettingRow
from app.ui.danger_form import danger_markup
from app.ui.form_parts import form_input
from app.ui.markup import Markup, join, reply_paragraphs, tag
from app.ui.ranking_desk import RankingTask
from app.ui.staff_markup import context_markup
from app.ui.texts import Texts

_COLUMNS = ("setting", "rankings", "candidates", "win", "by_chance", "top_two", "mean_rank")


def ranking_markup(task: RankingTask, texts: Texts) -> Markup:
    """Context and candidates; nothing in it tells which was shown or what it came from."""
    cards = [
        _card(name, one.id, one.candidate.text, task, texts)
        for name, one in zip(ascii_uppercase, task.candidates, strict=False)
    ]
    return join(
        [
            tag("h2", texts("annotating.context"), attributes={"class": "hk-part"}),
            tag("div", Markup(context_markup(task.context, texts)), attributes={"id": "hk-context"}),
            tag("h2", texts("ranking.heading"), attributes={"class": "hk-part"}),
            tag("p", texts("ranking.how"), attributes={"class": "hk-how"}),
            tag("ol", *cards, attributes={"class": "hk-candidates"}),
            danger_markup(task.context, texts),
        ]
    )


def _card(name: str, candidate_id: str, text: str, task: RankingTask, texts: Texts) -> Markup:
    title = texts("ranking.candidate", name=name)
    points = [
        tag(
            "label",
            form_input("radio", f"place-{candidate_id}", str(place), task.places.get(candidate_id) == place),
            tag("span", str(place)),
            attributes={"class": "hk-point"},
        )
        for place in range(1, len(task.candidates) + 1)
    ]
    places = tag(
        "fieldset",
        tag("legend", texts("ranking.place", name=name)),
        tag("div", *points, attributes={"class": "hk-choices"}),
    )
    return tag(
        "li",
        tag("strong", title),
        tag("div", reply_paragraphs(text), attributes={"class": "hk-text"}),
        places,
        attributes={"data-candidate": candidate_id, "tabindex": "-1", "aria-label": title},
    )


def results_markup(tables: Sequence[Sequence[SettingRow]], texts: Texts, csv_address: str) -> Markup:
    """The table of results for admins."""
    heading = tag("h2", texts("ranking.results"))
    if not any(tables):
        return join([heading, tag("p", texts("ranking.no_results"))])
    head = tag("tr", *(tag("th", texts(f"ranking.{name}"), attributes={"scope": "col"}) for name in _COLUMNS))
    bodies = [tag("tbody", *(_line(row) for row in table)) for table in tables]
    table = tag("table", tag("thead", head), *bodies)
    link = tag("a", texts("ranking.csv"), attributes={"href": csv_address, "download": True})
    return join(
        [
            heading,
            tag("p", texts("ranking.results_how"), attributes={"class": "hk-how"}),
            tag("div", table, attributes={"class": "hk-scroll"}),
            tag("p", link),
        ]
    )


def _line(row: SettingRow) -> Markup:
    cells = (
        str(row.rankings),
        str(row.candidates),
        _percent(row.win),
        f"{row.by_chance:.0%}",
        _percent(row.top_two),
        f"{row.mean_rank.mean:.2f} ({row.mean_rank.low:.2f}–{row.mean_rank.high:.2f})",
    )
    name = tag("th", row.setting, attributes={"scope": "row"})
    return tag("tr", name, *(tag("td", cell) for cell in cells))


def _percent(value: Interval) -> str:
    return f"{value.mean:.0%} ({value.low:.0%}–{value.high:.0%})"
