"""The last floor: plain words that are looked for even when every other layer has failed."""

from safety.levels import RiskCategory, RiskLevel, RiskMatch

_WORDS = (
    "kill myself", "killing myself", "suicide", "suicidal", "end my life", "want to die", "wanna die",
    "kms", "hang myself", "overdose", "自杀", "自殺", "想死", "不想活", "轻生", "輕生", "遗书", "遺書",
    "跳楼", "跳樓", "割腕", "结束生命", "結束生命",
    "umbringen", "selbstmord", "zelfmoord", "självmord", "selvmord", "itsemurha", "samobójstw", "zabić się",
    "suicidio", "suicídio", "matarme", "me matar", "me tuer", "uccidermi", "intihar", "самоубийств",
    "самогубств",
    "انتحر", "انتحار", "خودکشی", "התאבד", "आत्महत्या", "தற்கொலை", "bunuh diri", "magpakamatay", "tự tử",
    "자살", "죽고 싶", "死にたい",
)  # fmt: skip


def floor_matches(text: str) -> list[RiskMatch]:
    """Return one moderate finding for each plain crisis word in ``text``; needs no table and no rule."""
    folded = text.lower()
    found: list[RiskMatch] = []
    for word in _WORDS:
        start = folded.find(word)
        if start >= 0:
            found.append(
                RiskMatch(RiskLevel.MODERATE, RiskCategory.SUICIDE, "floor", word, start, start + len(word))
            )
    return found
