"""HTML of two reports on the export page: referrals of a year, and what the crisis layers got wrong."""

from html import escape

from app.api.export_query import MAX_REASON
from app.api.referral_report import ADDRESS as REFERRALS
from app.api.referral_report import FIRST_YEAR, LAST_YEAR
from app.api.verdict_export import ADDRESS as VERDICTS
from app.api.verdict_export import KINDS, MIN_REASON
from app.ui.texts import Texts


def report_forms(texts: Texts) -> str:
    """A form for each; they need no script, and the filters of the other exports don't apply to them.

    Args:
        texts: Of the reader's language.
    """
    return _referrals(texts) + _verdicts(texts)


def _referrals(texts: Texts) -> str:
    return (
        f'<form class="hk-report" id="hk-referrals" method="get" action="{REFERRALS}">'
        f"<fieldset>{_heading('referrals', texts)}"
        f"<label>{_said('report.year', texts)}"
        f'<input type="number" name="year" min="{FIRST_YEAR}" max="{LAST_YEAR}" step="1"></label>'
        f'</fieldset><ul class="hk-files">{_file("referrals.csv", "", texts)}</ul></form>'
    )


def _verdicts(texts: Texts) -> str:
    files = "".join(_file(f"verdicts.{kind}", f' formaction="{VERDICTS}.{kind}"', texts) for kind in KINDS)
    return (
        f'<form class="hk-report" id="hk-verdicts" method="post" action="{VERDICTS}.{KINDS[0]}">'
        f"<fieldset>{_heading('verdicts', texts)}"
        f'<label class="hk-tick"><input type="checkbox" name="unconsented" value="true">'
        f"{_said('report.unconsented', texts)}</label>"
        f"<label>{_said('report.reason', texts)}"
        f'<input name="reason" required minlength="{MIN_REASON}" maxlength="{MAX_REASON}"></label>'
        f'</fieldset><ul class="hk-files">{files}</ul></form>'
    )


def _heading(name: str, texts: Texts) -> str:
    legend, why = _said(f"report.{name}", texts), _said(f"report.{name}_how", texts)
    return f"<legend>{legend}</legend><p>{why}</p>"


def _file(name: str, action: str, texts: Texts) -> str:
    what = _said(f"file.{name.replace('.', '_')}", texts)
    label = escape(texts("export.download", name=name))
    return (
        f"<li><div><strong>{name}</strong><span>{what}</span></div>"
        f'<button{action} aria-label="{label}">{_said("get", texts)}</button></li>'
    )


def _said(key: str, texts: Texts) -> str:
    return escape(texts(f"export.{key}"))
