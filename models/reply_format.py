"""Visible tactic labels and lists: found and taken out of a reply."""

import re

from models.sentences import is_chinese

_NAMES = (
    r"information|assistance|advice|validation|validating|emotional[ _-]expression|paraphras(?:ing|e)|"
    r"self[ _-]disclosure|question(?:ing)?|reapprais(?:al|ing)|empower(?:ment|ing)|empathy|reflection|"
    r"提供信息|信息|协助|提供帮助|建议|认可|情感认可|确认|情绪表达|情感表达|复述|释义|自我暴露|自我表露|提问|重新评估|重构|赋能|共情"
)
_NAME_LIST = rf"(?:{_NAMES})(?:\s*(?:[,，、/&+]|and|和)\s*(?:{_NAMES}))*"
_HEAD = r"(?:(?<=\n)|(?<=[.!?…。！？]\s)|(?<=[。！？])|\A)"
_LABELS = (
    # A line that reports about the reply: "**Tactic used:** validation, empowerment".
    re.compile(
        r"(?im)^[ \t*_#>-]*(?:empathy )?(?:tactics?|strateg(?:y|ies)|probability|策略|技巧)"
        r"(?: used)?[*_ ]*[:：].*$\n?"
    ),
    # In brackets anywhere: "[Validation]", "(Questioning)", "【共情】", "<validation>".
    re.compile(rf"(?i)[*_]*[\[(【（<{{]\s*[*_]*{_NAME_LIST}[*_]*\s*[\])】）>}}][*_]*\s*[:：–—-]?\s*"),
    # In bold on its own or before the text: "**Questioning**", "**Validation:** ", "### Advice".
    re.compile(rf"(?i)\*\*\s*{_NAME_LIST}\s*[:：]?\s*\*\*\s*[:：–—-]?\s*"),
    re.compile(rf"(?im)^[ \t]*#+[ \t]*{_NAME_LIST}[ \t]*[:：]?[ \t]*$\n?"),
    # At the head of a sentence, with a colon: "Validation: ", "*Empowerment* - ".
    re.compile(rf"(?i){_HEAD}[ \t]*[-•*_\d.]*[ \t]*[*_]*{_NAME_LIST}[*_]*[ \t]*[:：][*_]*[ \t]*"),
    # All there is on a line.
    re.compile(rf"(?im)^[ \t]*[*_]*{_NAME_LIST}[*_]*[ \t]*$\n?"),
)
_ITEM = re.compile(r"^[ \t]*(?:[-•·*+‣–]|\(?\d{1,2}[.)、]|[①-⑨]|[一二三四五六七八九]、|[a-d]\))[ \t]*(?=\S)")
_HASH = re.compile(r"^[ \t]*#{1,6}[ \t]+")
_INLINE = re.compile(r"(?:(?<=\s)|(?<=[:：。；]))\(?([1-9])[.)、][ \t]*(?=[^\s\d])")
_ENDED = re.compile(r"[.!?…。！？:：,，;；][\"'”’»*_)\]）」]*\s*$")


def strip_labels(text: str) -> str:
    """Take out tactic names that stand as labels; words inside a sentence stay."""
    for pattern in _LABELS:
        text = pattern.sub("", text)
    return text


def flatten_lists(text: str) -> str:
    """Turn bullets, numbering and headings into running sentences; other text is unchanged."""
    lines = text.split("\n")
    marked = [_is_item(line) for line in lines]
    if any(marked):
        text = _join(lines, marked)
    numbers = [int(match[1]) for match in _INLINE.finditer(text)]
    if numbers[:2] == [1, 2]:
        text = _INLINE.sub("", text)
    return text


def _is_item(line: str) -> bool:
    match = _ITEM.match(line)
    # "*What feels right?*" is emphasis, "2.5 hours" a number: neither is a list item.
    emphasis = match is not None and "*" in match[0] and not match[0].endswith((" ", "\t"))
    number = match is not None and match[0].endswith(".") and line[match.end()].isdigit()
    return bool(_HASH.match(line)) or (match is not None and not emphasis and not number)


def _join(lines: list[str], marked: list[bool]) -> str:
    out = ""
    after_item = False
    for line, item in zip(lines, marked, strict=True):
        body = _ITEM.sub("", _HASH.sub("", line)).strip() if item else line.rstrip()
        if item and body:
            body = body if _ENDED.search(body) else body + ("。" if is_chinese(body) else ".")
            out = out.rstrip() + _gap(out, body) + body
            after_item = True
        elif after_item and body:
            out = out.rstrip() + _gap(out, body) + body.lstrip()
            after_item = False
        elif body or not after_item:
            out += ("\n" if out else "") + body
    return out


def _gap(before: str, after: str) -> str:
    return "" if not before or (is_chinese(before[-2:]) and is_chinese(after)) else " "
