"""The patterns of both languages by which a statement is known for a fact."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from models.facts import FactKind, fact_words, one_of_words

_NUMBER_WORD = (
    r"(?:\d+(?:[.,]\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty)"
)
_HAN_NUMBER = r"(?:\d+|[一二两三四五六七八九十百半几]+)"
_MAX_NAME = 24


@dataclass(frozen=True, slots=True)
class Grammar:
    """The patterns of one language.

    Attributes:
        names: Ways to say one's name; the group ``name`` holds it.
        no_name: What stands in a name's place without being one.
        supposed: Beginnings of what is only imagined.
        wishes: What a person asks of the conversation.
        kinds: A pattern for each other kind, tried in this order.
    """

    names: Sequence[re.Pattern[str]]
    no_name: re.Pattern[str]
    supposed: re.Pattern[str]
    wishes: Sequence[re.Pattern[str]]
    kinds: Sequence[tuple[FactKind, re.Pattern[str]]]

    def name(self, sentence: str) -> str | None:
        """The words with which the person tells their name, if they do."""
        for pattern in self.names:
            for match in pattern.finditer(sentence):
                if not self.no_name.match(match["name"]) and len(match["name"]) <= _MAX_NAME:
                    return match["said"].strip()
        return None

    def supposes(self, piece: str) -> bool:
        """Whether a statement is only imagined."""
        return self.supposed.search(piece) is not None

    def requests(self, piece: str) -> bool:
        """Whether it says how the person wants to be talked with."""
        return any(pattern.search(piece) for pattern in self.wishes)

    def kind(self, piece: str) -> FactKind | None:
        """The kind of a statement about the person's life, or ``None``."""
        return next((kind for kind, pattern in self.kinds if pattern.search(piece)), None)


def _english(words: Mapping[str, Any]) -> Grammar:
    def any_of(name: str) -> str:
        return one_of_words(words[name], chinese=False)

    relation, pet, event = any_of("relations"), any_of("pets"), any_of("events")
    unit, month, day = any_of("units"), any_of("months"), any_of("days")
    mine = r"\b(?:my|our)\s+(?:[\w'’-]+\s+){0,2}?"
    i = r"\b(?:i|i['’](?:m|ve|ll|d)|we|we['’](?:re|ve)|my|our|me|us|im|ive)\b"
    number = rf"\b{_NUMBER_WORD}[\s-]+(?:more\s+|small\s+|young\s+|little\s+|older\s+|younger\s+)?{unit}"
    date = (
        rf"(?:{month}\s+\d|\d(?:st|nd|rd|th)?\s+(?:of\s+)?{month}|\b(?:in|"
        rf"since|last|next|this|until)\s+{month}|\b(?:on|last|next|this|"
        rf"every)\s+{day}|\b(?:19|20)\d\d\b)"
    )
    # A capital within a sentence is a name; days and months are none.
    named = rf"(?-i:(?<=[a-z,’'])\s+(?!{month}|{day})[A-Z][a-z]{{2,}})"
    telling = (
        rf"(?:{named}|\d|{event}|\b(?:is|are|was|were|has|have|had|lives?|"
        rf"works?|studies|moved|left)\b)"
    )
    return Grammar(
        names=(
            re.compile(
                r"(?P<said>\b(?:my name(?:['’]s| is)|people call me|everyone calls me|"
                r"i(?:['’]m| am) called)\s+(?P<name>[^\W\d_][\w'’-]+))",
                re.IGNORECASE,
            ),
            re.compile(
                r"(?P<said>\b(?i:(?:you can |please |just )?call me)\s+(?P<name>[A-Z][\w'’-]+))"
                r"(?=\s*(?:[.,!;]|"
                r"$|(?:and|but)\b))"
            ),
            re.compile(
                r"^(?i:hi|hello|hey)\b[^.!?]{0,20}?[,!. ]+(?P<said>(?i:i['’]m|"
                r"i am|this is|it['’]s)\s+(?P<name>[A-Z][a-z'’-]+))(?=\s*(?:[.,!;]|"
                r"$|(?:and|but)\b))"
            ),
        ),
        no_name=re.compile(rf"(?:{'|'.join(words['no_name'])})\Z", re.IGNORECASE),
        supposed=re.compile(
            r"^\W*(?:(?:and|but|so|even)\s+)?(?:if|what if|imagine|suppose|"
            r"let['’]?s say|say i|i wish|unless|whenever|in the (?:movie|book|"
            r"story|game))\b",
            re.IGNORECASE,
        ),
        wishes=(
            re.compile(
                r"\b(?:don['’]?t|do not|stop|no more)\s+(?:give|giving|tell|telling|"
                r"ask|asking|suggest|suggesting|say|saying|send|sending|call|calling)\b[^.!?]*\b(?:me|"
                r"advice|questions?|suggestions?|tips|that)\b(?<!told me)",
                re.IGNORECASE,
            ),
            re.compile(
                r"\bi(?:['’]d| would)?\s+(?:just |only |really |actually )?(?:want|"
                r"need|like|prefer|rather)\s+(?:you\b|someone to|somebody to|to (?:vent|"
                r"be heard|be listened)|help (?:with|to|me)|advice|ideas\b|tips\b|"
                r"short|no advice)",
                re.IGNORECASE,
            ),
            re.compile(
                r"\b(?:can|could|would|will)\s+you\s+(?:please\s+|just\s+|only\s+|"
                r"also\s+)*(?:listen|help me|remind me|ask me|call me|be (?:honest|"
                r"direct|brief|gentle|blunt)|keep|give me|check)\b",
                re.IGNORECASE,
            ),
            re.compile(
                r"\bplease\s+(?:just\s+|only\s+|always\s+)*(?:listen|be (?:honest|"
                r"direct|brief|gentle|blunt|patient)|keep|remind|ask me|help me|"
                r"answer|write|use)\b",
                re.IGNORECASE,
            ),
        ),
        kinds=(
            (
                FactKind.PET,
                re.compile(
                    rf"{mine}{pet}|{i}[^.!?]*\b(?:have|had|got|adopted|own|lost|keep|"
                    rf"feed)\s+(?:an?|{_NUMBER_WORD}|some)\s+(?:[\w'’-]+\s+){{0,3}}?{pet}(?!\s+(?:person|"
                    rf"people|day|food))",
                    re.IGNORECASE,
                ),
            ),
            (
                FactKind.PERSON,
                re.compile(
                    rf"{mine}{relation}(?=.*{telling})|{mine}{relation}['’]s\s+name|"
                    rf"{i}[^.!?]*\b(?:have|had)\s+(?:an?|{_NUMBER_WORD}|no)\s+(?:[\w'’-]+\s+){{0,2}}?{relation}",
                    re.IGNORECASE,
                ),
            ),
            (
                FactKind.LIFE,
                re.compile(
                    rf"\bi\s+(?:live|work|study|teach|grew up|was born|come)\s+(?:in|"
                    rf"at|as|near|with|for|from|alone|on)\b|"
                    rf"\bi(?:['’]m| am| was| work as)\s+(?:an?\s+)(?:[\w-]+\s+)"
                    rf"{{0,2}}?{any_of('work')}|\bi(?:['’]m| am)\s+(?:\d\d\b(?!\s*(?:minutes|"
                    rf"hours|%))|from\s+(?-i:[A-Z])|married|divorced|widowed|retired|"
                    rf"unemployed|pregnant|single)|\bi\s+(?:work|study)\s+(?-i:[a-z]+ing|"
                    rf"nights|shifts|law|medicine|nursing|biology|physics|history|art|"
                    rf"computer)",
                    re.IGNORECASE,
                ),
            ),
            (FactKind.EVENT, re.compile(rf"{i}.*{event}|{event}.*{i}", re.IGNORECASE)),
            (
                FactKind.DETAIL,
                re.compile(rf"{i}.*(?:{number}|{date})|(?:{number}|{date}).*{i}", re.IGNORECASE),
            ),
        ),
    )


def _chinese(words: Mapping[str, Any]) -> Grammar:
    def any_of(name: str) -> str:
        return one_of_words(words[name], chinese=True)

    relation, pet, event, unit = any_of("relations"), any_of("pets"), any_of("events"), any_of("units")
    number = rf"{_HAN_NUMBER}\s*{unit}"
    date = (
        rf"(?:{_HAN_NUMBER}月{_HAN_NUMBER}[日号]|{_HAN_NUMBER}月[初底份中]|(?:19|"
        rf"20)\d\d年|(?:下|上|这|每)?(?:个)?(?:周|星期|礼拜)[一二三四五六日天末])"
    )
    told = rf"(?:叫(?!我)|是|在|有|住|今年|\d|{event}|{number}|{date}|[A-Z][a-z]+)"
    name = r"(?P<name>[\u4e00-\u9fff·]{1,4}?|[A-Za-z]{2,20})"
    end = r"(?:吧|就好|就行|好了|就可以)?(?=\s*(?:[，。！、；,.!;]|$))"
    return Grammar(
        names=(
            re.compile(rf"(?P<said>(?:我叫|我的名字(?:叫|是)|我名叫){name}){end}"),
            re.compile(rf"(?:^|[，。！；,.\s]|可以|请|就|都)(?P<said>叫我{name}){end}"),
        ),
        no_name=re.compile(rf"(?:{'|'.join(words['no_name'])})"),
        supposed=re.compile(
            r"^\s*(?:但|可|而且)?(?:如果|要是|假如|假设|万一|倘若|比如|除非|电影里|小说里|书里|我希望我|真希望)"
        ),
        wishes=(
            re.compile(
                r"(?:不要|别)(?:再|总|老|一直|急着)*(?:给我?|跟我|对我)?.{0,6}(?:建议|劝我|问我|讲道理|讲大道理|说教|安慰我|鸡汤)"
            ),
            re.compile(
                r"(?:请你?|希望你|想让你|需要你|你能不能|你可不可以|你可以|能不能|麻烦你).{0,8}(?:听我|听着|听我说|"
                r"陪我|陪陪我|聊聊|问我|帮我|提醒我|叫我|直接(?:一点|点|说)|简短|说慢|少说|回答)"
            ),
            re.compile(
                r"我(?:只|就)?(?:是)?想(?:找个?人|有个?人)?.{0,4}(?:倾诉|听我说|说说话|吐槽)|我(?:只)?(?:想要|"
                r"需要)(?:一些|一点|具体的)?(?:建议|办法)"
            ),
        ),
        kinds=(
            (FactKind.PET, re.compile(rf"(?:我|家里|养|领养|捡)(?:的|家|了|过|着)?[^。！？]{{0,10}}?{pet}")),
            (
                FactKind.PERSON,
                re.compile(
                    rf"{relation}[^。！？]*?{told}|我(?:只)?有{_HAN_NUMBER}个(?:姐姐|哥哥|弟弟|妹妹|孩子|女儿|儿子)"
                ),
            ),
            (
                FactKind.LIFE,
                re.compile(
                    rf"我?(?:现在|目前|今年|已经)?(?:是|当|做)(?:一?[名个位])?[^，。！？]{{0,6}}{any_of('work')}(?!说|"
                    rf"问|让)|(?:我|现在|目前)(?:一个人|独自)?(?:住在|来自|老家在|毕业于|从事)|(?:我|现在|目前|^)在[^，。！？]{{1,12}}?(?:工作|"
                    rf"上班|上学|读书|读研|读大学|读博|打工|当|做)|(?:我|(?<![他她它们])今年|我今年|我已经){_HAN_NUMBER}岁|"
                    rf"我(?:已经)?(?:结婚|离婚|退休|失业|单身)(?:了|$)"
                ),
            ),
            (
                FactKind.EVENT,
                re.compile(
                    rf"(?:我|我们|家里|自己|昨天|上周|上个月|去年|今年|前年|刚刚?|下周|下个月|快要|马上|最近)[^。！？]*{event}|"
                    rf"^{event}|{event}[^。！？]*我"
                ),
            ),
            (
                FactKind.DETAIL,
                re.compile(
                    rf"(?:我|我们)[^。！？]*(?:{number}|{date})|^(?:今年|已经|一共|每天|每月|一个月).{{0,8}}{number}"
                ),
            ),
        ),
    )


ENGLISH = _english(fact_words()["en"])
CHINESE = _chinese(fact_words()["zh"])
