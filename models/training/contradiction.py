"""Whether a reply contradicts what the person said: a few plain rules for English, not understanding.

A reply contradicts when it

- flips a statement: the person says "I can't sleep", the reply "you can sleep"; the same verb or state, with
  the same next word if both have one, once denied and once not. Questions and clauses after "if", "when" and
  the like state nothing and are passed over;
- cheers at bad news: congratulations or gladness that something happened, after a message of distress with
  nothing glad in it;
- disputes what was told: "that's not true", "you're wrong", "that didn't happen", "you don't really feel".

The rules are narrow on purpose: as a penalty in training, a miss costs little and a false alarm teaches
the model to avoid harmless sentences. Other languages are never found to contradict.
"""

import re

from models.sentences import split_sentences

_NEGATIONS = frozenset((
    "not", "no", "never", "cannot", "can't", "cant", "don't", "dont", "doesn't", "didn't", "didnt",
    "won't", "wouldn't", "couldn't", "shouldn't", "isn't", "aren't", "ain't", "wasn't", "weren't",
    "haven't", "hasn't", "hadn't", "nothing", "nobody", "without", "hardly", "barely",
))  # fmt: skip
_SKIPPED = frozenset((
    "am", "are", "is", "was", "were", "be", "been", "being", "'m", "'re", "'ve", "'d", "'ll", "have",
    "has", "had", "do", "does", "did", "can", "could", "will", "would", "should", "may", "might", "must",
    "a", "an", "the", "my", "your", "this", "that", "it", "to", "of", "in", "on", "at", "with", "for",
    "so", "very", "really", "too", "just", "still", "even", "always", "often", "quite", "pretty", "any",
    "anymore", "much", "some", "all", "feel", "feeling", "felt", "i", "you", "and", "or",
))  # fmt: skip
_BEFORE = r"(?:^|[,;:.!–—-]\s*|\b(?:that|and|but|so|because|since|know|hear|see|think|say|said|glad)\s+)"
_PERSON = re.compile(_BEFORE + r"i\b('m|'ve|'d|'ll)?([^,;:.!?–—]*)")
_REPLY = re.compile(_BEFORE + r"you\b('re|'ve|'d|'ll)?([^,;:.!?–—]*)")
_OPEN = re.compile(r"\b(?:if|when|whether|until|unless|once|like|as though|as if|wish|hope|maybe|perhaps)\b")
_NEXT_CLAUSE = re.compile(r"\b(?:that|and|but|so|because|since|which|who|when|if|while)\b")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

_DISTRESS = re.compile(
    r"\b(?:died|dead|death|dying|funeral|grie\w+|lost|loss|miss(?:ing)?|lonely|alone|sad|depress\w*|anxi\w+"
    r"|scared|afraid|terrified|worried|hurt\w*|angry|furious|ashamed|guilty|hopeless|worthless|stress\w*"
    r"|exhausted|overwhelmed|struggl\w+|suffer\w*|cr(?:y|ying|ied)|hate|fail(?:ed|ing|ure)?|fired|laid off"
    r"|divorce\w*|broke up|break ?up|cheat(?:ed|ing)|diagnosed|cancer|sick|ill|abus\w+|panic\w*|miserable"
    r"|heartbroken|devastated|can(?:'|no)?t (?:sleep|eat|cope|go on))\b"
)
_GLAD = re.compile(
    r"\b(?:happy|glad|excited|proud|relieved|grateful|thankful|thank|thanks|wonderful|great|amazing|better"
    r"|accepted|passed|won|engaged|promoted|promotion|good news|recover\w*|improv\w+)\b"
)
_CHEER = re.compile(
    r"\bcongrat\w*|\b(?:so|really|very|truly)? ?(?:glad|happy|excited|thrilled|delighted) (?:that |to hear "
    r"(?:that )?)?(?:you(?:'re| are|'ve| have| were)|your|for you)\b(?! (?:here|reach\w*|shar\w*|told|tell\w*"
    r"|talk\w*|sa(?:y|id)|not alone|open\w*|able|trust\w*|safe|still here|brought|felt able))"
    r"|\bthat(?:'s| is) (?:great|wonderful|amazing|fantastic|awesome|exciting)(?: news)?(?:[.!]|$)"
    r"|\byou must be (?:so |very |really )?(?:happy|excited|proud|thrilled|delighted)\b"
)
_DISPUTE = re.compile(
    r"\b(?:that(?:'s| is) (?:not true|a lie|not what happened)|that (?:didn't|never|did not) happen(?:ed)?"
    r"|you(?:'re| are) (?:wrong|lying|mistaken|imagining (?:it|things)|overreacting|too sensitive)"
    r"|you (?:don't|do not) (?:really|actually) (?:feel|mean|want)|it(?:'s| is) all in your head)\b"
)

_REASSURANCE = re.compile(r"\byou(?:'re| are) not (?:alone|the only one|a burden)\b|\byou don't have to\b")
"""Said of what a person fears, to comfort: no denial of it."""

_Claim = tuple[str, str, bool]
"""Verb or state, the content word after it (or none), and whether it is denied."""


def contradicts(said: str, reply: str) -> bool:
    """Whether a reply contradicts the message it answers.

    Args:
        said: What the person said last.
        reply: The reply.

    Examples:
        >>> contradicts("I can't sleep.", "You can sleep now.")
        True
        >>> contradicts("I can't sleep.", "You can't sleep, and that wears you out.")
        False
    """
    told, answer = _plain(said), _plain(reply)
    if _DISPUTE.search(answer):
        return True
    if _DISTRESS.search(told) and not _GLAD.search(told) and _CHEER.search(answer):
        return True
    theirs = _claims(told, _PERSON)
    return any(
        _flips(claim, other) for claim in _claims(_REASSURANCE.sub("", answer), _REPLY) for other in theirs
    )


def _plain(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _claims(text: str, pattern: re.Pattern[str]) -> set[_Claim]:
    found: set[_Claim] = set()
    for sentence in split_sentences(text):
        if sentence.rstrip("\"') ").endswith("?"):
            continue
        for match in pattern.finditer(sentence):
            claim = None if _OPEN.search(sentence[: match.end(1) if match[1] else match.start(2)]) else (
                _claim(match[2])
            )  # fmt: skip
            if claim is not None:
                found.add(claim)
    return found


def _claim(rest: str) -> _Claim | None:
    clause = _NEXT_CLAUSE.split(rest, maxsplit=1)[0]
    if _OPEN.search(clause):
        return None
    words = _WORD.findall(clause)
    content = [word for word in words if word not in _SKIPPED and word not in _NEGATIONS]
    if not content:
        return None
    return content[0], content[1] if len(content) > 1 else "", any(word in _NEGATIONS for word in words)


def _flips(a: _Claim, b: _Claim) -> bool:
    same = a[0] == b[0] and (not a[1] or not b[1] or a[1] == b[1])
    return same and a[2] != b[2]
