"""Name the few patterns of hundreds that can possibly match a sentence, from short pieces of it."""

from collections import defaultdict
from collections.abc import Iterable

from safety.rule_book import Rule, RulePattern

MAX_PIECE = 6
"""Longer required pieces are cut to this many characters; that finds more candidates, never fewer."""

Entry = tuple[Rule, RulePattern]
_Indexed = tuple[Entry, tuple[frozenset[str], ...]]


class PatternIndex:
    """Maps pieces of text to the patterns that need one of them; immutable once built."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._always: list[Entry] = []
        self._by_piece: dict[str, list[_Indexed]] = {}
        for entry in entries:
            clauses = tuple(_cut(clause) for clause in entry[1].clauses)
            if not clauses:
                self._always.append(entry)
            else:
                for piece in clauses[0]:
                    self._by_piece.setdefault(piece, []).append((entry, clauses[1:]))
        later = {piece for known in self._by_piece.values() for _, more in known for c in more for piece in c}
        self._known = frozenset(later | self._by_piece.keys())
        self._single = frozenset(piece for piece in self._known if len(piece) == 1)
        lengths: defaultdict[str, set[int]] = defaultdict(set)
        for piece in self._known - self._single:
            lengths[piece[:2]].add(len(piece))
        self._lengths_after = {start: tuple(sorted(found)) for start, found in lengths.items()}

    def candidates(self, sentence: str) -> list[Entry]:
        """Patterns of which all required pieces occur in ``sentence``, each once."""
        pieces = {
            piece
            for start in range(len(sentence) - 1)
            for length in self._lengths_after.get(sentence[start : start + 2], ())
            if (piece := sentence[start : start + length]) in self._known
        } | self._single.intersection(sentence)
        found: dict[int, Entry] = {}
        for piece in pieces:
            for entry, more in self._by_piece.get(piece, ()):
                for clause in more:
                    if pieces.isdisjoint(clause):
                        break
                else:
                    found[id(entry[1])] = entry
        return [*self._always, *found.values()]


def _cut(clause: frozenset[str]) -> frozenset[str]:
    return frozenset(_core(literal) for literal in clause)


def _core(literal: str) -> str:
    """The first few characters, without blanks around them unless little else is left."""
    bare = literal.strip()
    return (bare if len(bare) > 2 or not bare.isascii() else literal)[:MAX_PIECE]
