"""For staff: what a model thought before each reply, and how its output kept its form."""

from collections.abc import Mapping, Sequence
from html import escape

from app.db.records import NewCandidate
from app.ui.staff_markup import message_link
from app.ui.texts import Texts
from models.ecot_form import stored_sections
from models.ecot_tags import SECTIONS


def thoughts_markup(chosen: Sequence[tuple[int, NewCandidate]], texts: Texts) -> str:
    """A list with the situation, the motivation and the strategy behind each reply; empty if nobody thought.

    Args:
        chosen: The candidates that were shown, oldest first, with the number of each reply in its
            conversation.
        texts: The staff texts.
    """
    if not any(one.reasoning or "format_reward" in one.explanation for _, one in chosen):
        return ""
    items = "".join(_item(seq, one, texts) for seq, one in chosen)
    title, intro = escape(texts("thoughts.heading")), escape(texts("thoughts.intro"))
    listed = f"<ul class='hk-notes'>{items}</ul>"
    return f"<section class='hk-thoughts'><h3>{title}</h3><p>{intro}</p>{listed}</section>"


def _item(seq: int, candidate: NewCandidate, texts: Texts) -> str:
    sections, rest = stored_sections(candidate.reasoning or "")
    parts = [_part(f"thoughts.{name}", sections[name], texts) for name in SECTIONS if name in sections]
    if rest:
        parts.append(_part("thoughts.other", rest, texts))
    head = escape(texts("thoughts.reply", number="{number}")).replace("{number}", message_link(seq))
    form = _form(candidate.explanation, texts)
    body = f"<dl>{''.join(parts)}</dl>" if parts else f"<p>{escape(texts('thoughts.none'))}</p>"
    return f"<li><div class='hk-facts'>{head}{form}</div>{body}</li>"


def _part(key: str, text: str, texts: Texts) -> str:
    return f"<dt>{escape(texts(key))}</dt><dd>{escape(text)}</dd>"


def _form(explanation: Mapping[str, float | str | None], texts: Texts) -> str:
    """The format reward, and what was done about a fault of form."""
    reward = explanation.get("format_reward")
    if not isinstance(reward, int | float):
        return ""
    told = [texts("thoughts.reward", reward=f"{reward:.2f}")]
    repairs = explanation.get("format_repairs")
    if isinstance(repairs, str):
        names = [_name(name, texts) for name in repairs.split(", ")]
        told.append(texts("thoughts.repaired", what=texts("thoughts.and").join(names)))
    if explanation.get("attempt") == 2:
        told.append(texts("thoughts.second"))
    return "".join(f" · {escape(one)}" for one in told)


def _name(repair: str, texts: Texts) -> str:
    key = f"repair.{repair}"
    return texts(key) if texts.has(key) else repair
