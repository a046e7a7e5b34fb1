"""Finds dead links in the Markdown files of the project: ``python -m docs.check_links [FOLDER]``.

Relative links must lead to a file of the project and, with ``#``, to one of its headings. Addresses on
the web are only checked for their form: whether a foreign site answers must not decide whether a change
lands.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent.parent
SKIPPED = frozenset({"node_modules", "build", "dist", "var"})

_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1[`~]*\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_INLINE = re.compile(r"\]\(\s*<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+[\"'(][^)]*)?\s*\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s.*)?$", re.MULTILINE)
_HTML = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)\s*=\s*[\"']([^\"']+)[\"']", re.IGNORECASE)
_HTML_ANCHOR = re.compile(r"<[a-z]+\b[^>]*?\b(?:id|name)\s*=\s*[\"']([^\"']+)[\"']", re.IGNORECASE)
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
_LINK_TEXT = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def pages(root: Path) -> list[Path]:
    """Markdown files of the project; hidden and built folders are left out."""
    found = (path for path in root.rglob("*.md"))
    return sorted(path for path in found if not _is_hidden(path.relative_to(root)))


def targets(text: str) -> list[str]:
    """All link targets of a page, in order of kind; code and comments hold none."""
    prose = _COMMENT.sub("", _CODE.sub("", _FENCE.sub("", text)))
    return [match for pattern in (_INLINE, _REFERENCE, _HTML) for match in pattern.findall(prose)]


def anchors(text: str) -> set[str]:
    """Names that ``#`` can lead to: headings as code hosts spell them, and explicit ids."""
    names: set[str] = set(_HTML_ANCHOR.findall(text))
    seen: dict[str, int] = {}
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        plain = _LINK_TEXT.sub(r"\1", heading).replace("`", "").lower()
        slug = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = seen.get(slug, 0)
        seen[slug] = number + 1
        names.add(f"{slug}-{number}" if number else slug)
    return names


def problem(target: str, page: Path, root: Path) -> str | None:
    """What is wrong with one link, or ``None``."""
    try:
        parts = urlsplit(target)
    except ValueError:
        return "is no address"
    if parts.scheme:
        return _web_problem(parts.scheme, parts.netloc or parts.path)
    if parts.netloc:
        return "has no scheme"
    path = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
    if not path.is_relative_to(root.resolve()):
        return "leaves the project"
    if not path.exists():
        return "leads to no file"
    if parts.fragment and path.suffix == ".md" and parts.fragment not in anchors(path.read_text("utf-8")):
        return "leads to no heading"
    return None


def dead_links(root: Path) -> Iterator[str]:
    """One line for each dead link below ``root``."""
    for page in pages(root):
        for target in targets(page.read_text("utf-8")):
            if (fault := problem(target, page.resolve(), root)) is not None:
                yield f"{page.relative_to(root)}: {target or 'an empty link'} {fault}"


def _web_problem(scheme: str, rest: str) -> str | None:
    if scheme not in {"http", "https", "mailto", "tel", "sms"}:
        return "has an unknown scheme"
    if not rest or (scheme.startswith("http") and "." not in rest and not rest.startswith("localhost")):
        return "names no host"
    return None


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part in SKIPPED for part in path.parts)


def main() -> int:
    """Print dead links; exit 1 when there is one."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    lines = list(dead_links(root))
    for line in lines:
        print(line)
    print(f"{len(pages(root))} pages, {len(lines)} dead links")
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
