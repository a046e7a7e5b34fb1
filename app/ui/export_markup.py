"""HTML of the export page: the form, the table of agreement, entries of the list of disagreements."""

from collections.abc import Sequence
from html import escape

from app.agreement_report import Disagreement, MeasureAgreement
from app.api.export_query import MAX_REASON, MIN_REASON
from app.api.exports import ADDRESS
from app.ui.texts import LOCALES, Texts

FILES = ("ratings.csv", "rankings.csv", "kto.jsonl", "dpo.jsonl", "agreement.csv", "disagreements.csv")
_MEASURES = 3
"""Most measures that an entry of the list of disagreements names."""
_TOLD = ("working", "rows", "rows_of", "done", "refused", "failed")
"""What the script of the page says."""


def export_form(models: Sequence[str], texts: Texts) -> str:
    """Filters and a button for each file; works without a script, which only adds the progress.

    Args:
        models: Names to suggest.
        texts: Of the reader's language.
    """

    def said(key: str) -> str:
        return escape(texts(f"export.{key}"))

    told = "".join(f' data-{key.replace("_", "-")}="{said(key)}"' for key in _TOLD)
    languages = "".join(
        f'<option value="{locale}">{said(f"language_{locale}")}</option>' for locale in LOCALES
    )
    names = "".join(f'<option value="{escape(model)}"></option>' for model in models)
    return (
        f'<form id="hk-export" method="post" action="{ADDRESS}/{FILES[0]}"{told}>'
        f'<div class="hk-export-filters">'
        f'<label>{said("since")}<input type="date" name="since" min="2000-01-01"></label>'
        f'<label>{said("until")}<input type="date" name="until" min="2000-01-01"></label>'
        f'<label>{said("model")}<input name="model" list="hk-models" maxlength="200"></label>'
        f'<datalist id="hk-models">{names}</datalist>'
        f'<label>{said("language")}<select name="language"><option value="">{said("any")}</option>'
        f"{languages}</select></label>"
        f'<label>{said("raters")}<select name="raters"><option value="all">{said("raters_all")}</option>'
        f'<option value="staff">{said("raters_staff")}</option></select></label></div>'
        f'<label class="hk-tick"><input type="checkbox" name="bom" value="true">{said("bom")}</label>'
        f"<fieldset><legend>{said('withheld')}</legend><p>{said('withheld_why')}</p>"
        f'<label class="hk-tick"><input type="checkbox" name="crisis" value="true">{said("crisis")}</label>'
        f'<label class="hk-tick"><input type="checkbox" name="unconsented" value="true">'
        f"{said('unconsented')}</label>"
        f'<label>{said("reason")}<input name="reason" minlength="{MIN_REASON}" maxlength="{MAX_REASON}">'
        "</label>"
        f'</fieldset><ul class="hk-files">{"".join(_file(name, texts) for name in FILES)}</ul>'
        f'<div class="hk-export-state"><progress id="hk-export-bar" hidden aria-label="{said("working")}">'
        f'</progress><p id="hk-export-said" role="status"></p></div></form>'
    )


def agreement_table(found: Sequence[MeasureAgreement], texts: Texts) -> str:
    """Agreement by measure: the whole period, then each month folded away."""
    if not found:
        return f"<p>{escape(texts('export.no_agreement'))}</p>"
    periods = list(dict.fromkeys(one.period for one in found))
    tables = {
        period: _table(period, [one for one in found if one.period == period], texts) for period in periods
    }
    whole, *months = periods
    folded = "".join(
        f"<details><summary>{escape(month)}</summary>{tables[month]}</details>" for month in months
    )
    return tables[whole] + folded


def measure_name(measure: str, texts: Texts) -> str:
    """What a measure is called, its stable name where there is no text."""
    kind, _, name = measure.partition(".")
    key = measure if kind == "tactic" else f"export.measure.{name or kind}"
    return texts(key) if texts.has(key) else measure


def disagreement_entry(found: Disagreement, texts: Texts) -> str:
    """One line of the list, as plain text, with the measures that are furthest apart."""
    widest = sorted(found.values.items(), key=lambda entry: entry[1][0] - entry[1][-1])
    said = "; ".join(
        f"{measure_name(measure, texts)} {' / '.join(map(str, values))}"
        for measure, values in widest[:_MEASURES]
    )
    more = texts("export.more", n=len(widest) - _MEASURES) if len(widest) > _MEASURES else ""
    return texts(
        "export.disagreement",
        size=f"{found.size:.2f}",
        raters=found.raters,
        said=said + more,
        id=found.message_id[:8],
    )


def next_steps(message_id: str, texts: Texts) -> str:
    """Links to the annotation page with this reply: to judge it, or with the form that flags it unfolded.

    The id is behind a #: it stays in the browser, out of the logs of servers and proxies.
    """
    links = "".join(
        f'<a href="/annotate/#{step}={escape(message_id)}">{escape(texts(f"export.{step}"))}</a>'
        for step in ("rate", "flag")
    )
    return f"<p class='hk-next'>{links}</p>"


def _file(name: str, texts: Texts) -> str:
    what = escape(texts(f"export.file.{name.partition('.')[0]}"))
    label, get = escape(texts("export.download", name=name)), escape(texts("export.get"))
    return (
        f"<li><div><strong>{name}</strong><span>{what}</span></div>"
        f'<button formaction="{ADDRESS}/{name}" aria-label="{label}">{get}</button></li>'
    )


def _table(period: str, found: Sequence[MeasureAgreement], texts: Texts) -> str:
    caption = texts("export.whole") if period == "all" else period
    heads = "".join(
        f"<th scope='col'>{escape(texts(f'export.column.{name}'))}</th>"
        for name in ("measure", "alpha", "interval", "units", "raters", "values")
    )
    rows = "".join(_row(one, texts) for one in found)
    return (
        f"<div class='hk-scroll' tabindex='0' role='region' aria-label='{escape(caption)}'>"
        f"<table class='hk-agreement'><caption>{escape(caption)}</caption>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _row(one: MeasureAgreement, texts: Texts) -> str:
    found = one.found
    ends = "–" if found.low is None or found.high is None else f"{found.low:.2f} … {found.high:.2f}"
    alpha = "–" if found.alpha is None else f"{found.alpha:.2f}"
    cells = (alpha, ends, found.units, one.raters, found.values)
    name = escape(measure_name(one.measure, texts))
    return f"<tr><th scope='row'>{name}</th>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
