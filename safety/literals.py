"""Which pieces of text every match of a pattern must contain, so that most patterns need not be tried.

Understands the plain subset of regular expressions that rule files use. Where it is not sure it asks for
nothing, which costs time but never a match.
"""

from collections.abc import Iterable

Clause = frozenset[str]
"""A match contains at least one of these."""

MAX_ALTERNATIVES = 150
"""Larger choices tell too little to be worth looking for."""
_LOOKAROUNDS = ("(?=", "(?!", "(?<=", "(?<!")


def required_literals(pattern: str) -> tuple[Clause, ...]:
    r"""Return clauses that all hold for every match of ``pattern``; most telling first.

    Example:
        >>> required_literals(r"\bwant to (?:die|vanish)s?")
        (frozenset({'want to '}), frozenset({'die', 'vanish'}))
    """
    clauses = _Reader(pattern).read_choice()
    return tuple(sorted(set(clauses), key=_worth, reverse=True))


def _worth(clause: Clause) -> tuple[int, int]:
    return (min(len(literal) * (1 if literal.isascii() else 3) for literal in clause), -len(clause))


def _telling(literals: Iterable[str]) -> Clause | None:
    clause = frozenset(literals)
    if not clause or len(clause) > MAX_ALTERNATIVES:
        return None
    if any(len(item.strip()) < 2 and item.isascii() for item in clause):
        return None
    return clause


class _Reader:
    """Recursive descent over one pattern."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0

    def read_choice(self) -> list[Clause]:
        """Read alternatives up to a closing bracket or the end."""
        branches = [self._read_sequence()]
        while self._peek() == "|":
            self._at += 1
            branches.append(self._read_sequence())
        if len(branches) == 1:
            return branches[0]
        if not all(branches):
            return []
        merged = _telling(literal for branch in branches for literal in max(branch, key=_worth))
        return [merged] if merged else []

    def _peek(self) -> str:
        return self._text[self._at] if self._at < len(self._text) else ""

    def _read_sequence(self) -> list[Clause]:
        clauses: list[Clause] = []
        run = ""
        while self._peek() not in {"", "|", ")"}:
            literal, inner = self._read_item()
            optional = self._read_quantifier()
            if literal is not None and optional is None:
                run += literal
                continue
            if run:
                clauses += [c for c in [_telling([run])] if c]
                run = ""
            if optional is not True:
                clauses += inner
        if run:
            clauses += [c for c in [_telling([run])] if c]
        return clauses

    def _read_item(self) -> tuple[str | None, list[Clause]]:
        """Read one item: a literal character (and nothing else), or the clauses of anything else."""
        char = self._peek()
        if char == "\\":
            self._at += 2
            escaped = self._text[self._at - 1]
            return (None, []) if escaped.isalnum() else (escaped, [])
        if char == "[":
            self._skip_class()
            return (None, [])
        if char == "(":
            return (None, self._read_group())
        self._at += 1
        return (None, []) if char in "^$." else (char, [])

    def _skip_class(self) -> None:
        self._at += 1
        while self._peek() != "]":
            self._at += 2 if self._peek() == "\\" else 1
        self._at += 1

    def _read_group(self) -> list[Clause]:
        around = self._text.startswith(_LOOKAROUNDS, self._at)
        while self._peek() in {"(", "?", ":", "=", "!", "<"}:
            self._at += 1
            if self._text[self._at - 1] in ":=!":
                break
        clauses = self.read_choice()
        self._at += 1
        return [] if around else clauses

    def _read_quantifier(self) -> bool | None:
        """``None`` without a quantifier, ``True`` when zero times is allowed, else ``False``."""
        char = self._peek()
        if char not in {"?", "*", "+", "{"}:
            return None
        least = {"?": "0", "*": "0", "+": "1"}.get(char, "")
        end = self._at
        if char == "{":
            end = self._text.index("}", self._at)
            least = self._text[self._at + 1 : end].split(",")[0]
        self._at = end + 1
        if self._peek() in {"?", "+"}:  # lazy or possessive: how often is the same
            self._at += 1
        return least in {"", "0"}
