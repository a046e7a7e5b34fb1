"""Turns replies of other systems into short, plain ones that the embedded model may learn."""

import re
from collections.abc import Sequence

from models.sentences import split_sentences

REPLY_WORDS = 62
"""Words a reply is cut to, at a sentence's end; about 85 tokens, well within the 128 it may have."""

QUESTION_WORDS = 22
"""Longest closing question that is kept when a reply is cut."""

_PLAIN = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " ", "*": None, "_": None, "`": None}
)
_DASH = re.compile(r"\s*[—–]\s*")
_NOT_TEXT = re.compile(r"[^\w\s.,;:!?'\"()%&/$€£+\-…]")
_GLUED = re.compile(r"([a-z][.!?])(?=[A-Z])")
_LIST = re.compile(r"(?:^|\n)\s*(?:\d+[.)]|[-*•#])\s*\S")

UNFIT = re.compile(
    r"\bas an ai\b|language model|\bi apologi[sz]e\b|sorry, but|\bi can(?:no|')t\b.*\b(?:provide|help)"
    r"|probability|response text|unable to|feel free"
    r"|\bmaster\b|grandchild|grandson|grandma\b|my dear\b|my child\b|daddy"
    r"|https?:|www\.|\b(?:call|text|dial) \(?\d|\d{3}[- .]\d{3}|copyright"
    r"|\bi agree with\b|\bmy (?:clients?|practice|patients?|website|office|book|blog)\b|\bwith clients\b"
    r"|\bas a (?:therapist|counsel)|\bgod\b|jesus|prayer|\bsex|\bporn|\bsuicid|\bkill",
    re.IGNORECASE,
)
"""Replies that refuse, play a role, advertise, preach, give numbers, or belong to the written crisis part."""

OWN_LIFE = re.compile(
    r"\bi(?:'ve| have) (?:been|felt|had|experienced|struggled|faced|gone)\b"
    r"|\bi(?: also)? (?:know|remember|understand) (?:exactly |firsthand )?(?:how|what|when|the feeling)\b"
    r"|\bwhen i was\b|\bme too\b|\bmy own\b|\bi(?:'m| am) human\b|\bsometimes i\b|\bhelps me\b"
    r"|\bmy (?:husband|wife|mother|father|friend|family|partner|life|job|boss)\b"
    r"|\bi(?: completely| totally| truly)? (?:get|relate)\b|\bfor me\b|\bhug\b|\byour shoes\b",
    re.IGNORECASE,
)
"""Sentences in which a machine would claim a life it has not lived."""

HOLLOW = re.compile(
    r"^your (?:\w+, )?(?:feelings|courage|honesty|vulnerability|strength|words|openness|resilience|worth)\b"
    r"|deeply|profound|incredibl|journey|resonate|not alone|stronger than|here to (?:listen|help|support)"
    r"|self-compassion|healing|let's take a moment|completely (?:normal|valid|okay)"
    r"|small,? (?:\w+ )?step|tiny step|navigat|brainstorm|grounded|grounding",
    re.IGNORECASE,
)
"""Sentences that could be said to anyone, in the raised tone of the systems they come from."""

WORN = re.compile(
    r"^(?:it sounds like|i'm (?:so |really |truly )?sorry (?:to hear|you|that)|i completely understand"
    r"|i can (?:see|hear)|i see (?:how|the)|you're not alone|i hear (?:you|how)|it's (?:so|okay)"
    r"|i'm here (?:for you|to (?:listen|help|support)))",
    re.IGNORECASE,
)
"""Openings that so many replies share that a small model would learn little else."""

_LEANS_BACK = re.compile(
    r"^(?:that|this|it|those|these|and|but|so|or|they|he|she|however|also|still|then)\b", re.I
)


def plain_text(text: str) -> str:
    """One line of plain characters: straight quotes, no markup, no emoji, no dashes between clauses."""
    text = _GLUED.sub(r"\1 ", _DASH.sub(", ", text.translate(_PLAIN)))
    return " ".join(_NOT_TEXT.sub(" ", text).split()).replace(" ,", ",").replace(" .", ".")


def has_list(text: str) -> bool:
    """Whether a reply is laid out in points or headings."""
    return _LIST.search(text) is not None


def drop_worn_opening(sentences: Sequence[str]) -> list[str]:
    """The sentences without a worn first one, if what follows stands on its own."""
    if len(sentences) > 2 and WORN.match(sentences[0]) and not _LEANS_BACK.match(sentences[1]):
        return list(sentences[1:])
    return list(sentences)


def shorten(sentences: Sequence[str], words: int = REPLY_WORDS) -> list[str]:
    """The longest run of first sentences within ``words``, and a closing question if one was cut off."""
    kept: list[str] = []
    for sentence in sentences:
        if sum(len(part.split()) for part in [*kept, sentence]) > words:
            break
        kept.append(sentence)
    rest = sentences[len(kept) :]
    questions = [part for part in rest if part.endswith("?") and len(part.split()) <= QUESTION_WORDS]
    if kept and questions and not any(part.endswith("?") for part in kept):
        kept = [*kept[: max(2, len(kept) - 1)], questions[-1]]
    return kept


def learnable_reply(text: str, drop: Sequence[bool] | None = None) -> str | None:
    """A short plain reply made from a longer one, or ``None`` when nothing good is left.

    Args:
        text: The whole reply.
        drop: For each of its sentences, whether it is to be left out; ignored when the number
            of sentences differs.
    """
    if has_list(text) or UNFIT.search(text):
        return None
    sentences = split_sentences(" ".join(text.split()))
    flags = drop if drop is not None and len(drop) == len(sentences) else [False] * len(sentences)
    plain = [plain_text(part) for part, out in zip(sentences, flags, strict=True) if not out]
    plain = [part for part in plain if part and not OWN_LIFE.search(part) and not HOLLOW.search(part)]
    kept = shorten(drop_worn_opening(plain))
    if not kept or (_LEANS_BACK.match(kept[0]) and kept[0] != plain_text(sentences[0])):
        return None
    enough = len(kept) >= 2 and sum(len(part.split()) for part in kept) >= 12
    ends_well = all(part[-1] in ".!?" for part in kept) and sum(part.endswith("?") for part in kept) <= 2
    return " ".join(kept) if enough and ends_well and not WORN.match(kept[0]) else None
