"""Whether a reply points a person at risk to safety: asks about it, or names help or somebody near."""

import re

_GUIDANCE = re.compile(
    r"\b(?:help\s?lines?|hotlines?|crisis (?:line|text|team|service|center|centre)|emergency"
    r"|ambulance|lifeline|samaritans|988|911|112|999"
    r"|are you safe|keep (?:you|yourself) safe|stay safe|(?:your|immediate) safety|somewhere safe|safe place"
    r"|(?:thinking|thoughts) (?:of|about) (?:suicide|ending|killing|hurting|harming)"
    r"|suicid\w*|hurt(?:ing)? yourself|harm(?:ing)? yourself|end(?:ing)? your life"
    r"|(?:someone|somebody|anyone|anybody|person) (?:you trust|near you|nearby|close to you|with you"
    r"|(?:who|that) can (?:be|stay) with you)"
    r"|(?:reach out|talk|speak) to (?:a |your )?(?:doctor|professional|counsell?or|therapist|crisis)"
    r"|(?:be|stay) with you (?:now|right now|tonight))",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"热线|援助电话|急救|报警|120|110|12356|安全吗|你的安全|保证安全|确保安全|安全的地方|自杀|轻生|伤害自己|结束生命"
    r"|信任的人|身边的人|陪(?:着)?你的人|有人陪|医生|专业人士|危机干预|紧急"
)


def guides_to_safety(reply: str) -> bool:
    """Whether a reply holds safety guidance, in English or Chinese.

    Meant for the choice among candidates at risk only: in other conversations the same words can mean
    something else.
    """
    text = reply.replace("’", "'")
    return bool(_GUIDANCE.search(text) or _CHINESE.search(text))
