"""What is taken out of a help-seeking post before it can be training data, and what is masked in it.

Masks are words in square brackets, such as ``[phone]``. Nothing here promises anonymity: a life told in
detail names its person without any name. Patterns find what has a form, and no more.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import yaml

FILE = Path(__file__).with_name("post_cleaning.yaml")

_URL = re.compile(
    r"(?:https?://|www\.)[^\s\u3000-\u303f\u4e00-\u9fff，。！？、）]+|\bt\.cn/\w+", re.IGNORECASE
)
_EMOJI = re.compile(
    "[\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\U000e0020-\U000e007f"
    "\ufe0e\ufe0f\u200d\u20e3]"
)
_INVISIBLE = re.compile("[\u200b\u200c\u2060\ufeff\u00ad]")
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")
_NAME = r"(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟"
    "熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严武戴莫孔向汤"
)
_MASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("email", re.compile(r"[A-Za-z0-9._%+\-]+\s?[@＠]\s?[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}")),
    (
        "id",
        re.compile(
            r"(?<!\d)\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dXx])"
        ),
    ),
    ("id", re.compile(r"(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)")),
    (
        "account",
        re.compile(
            r"(?:微信号?|wechat(?: id)?|weixin|威信|薇信|vx|wx|v信|qq号?|扣扣|企鹅号)(?:号|\s|[:：是为]|is)*"
            r"(?<![A-Za-z])[A-Za-z0-9][\w\-]{4,19}",
            re.IGNORECASE | re.ASCII,
        ),
    ),
    ("phone", re.compile(r"(?<![\w])(?:\+|00)\d(?:[\s\-().]{0,2}\d){7,13}(?!\d)")),
    ("phone", re.compile(r"(?<!\d)1[3-9]\d(?:[\s\-]?\d){8}(?!\d)")),
    ("phone", re.compile(r"(?<!\d)\(?0?\d{3}\)?[\s\-.]{1,2}\d{3,4}[\s\-.]\d{4}(?!\d)")),
    ("phone", re.compile(r"(?<!\d)0\d{2,3}-?\d{7,8}(?!\d)")),
    ("number", re.compile(r"(?<!\d)\d{8,}(?!\d)")),
    (
        "address",
        re.compile(
            r"(?:[\u4e00-\u9fff]{2,8}(?:省|市|区|县|镇))?[\u4e00-\u9fff]{1,8}(?:路|街|大道|巷|弄)\d{1,5}号"
            r"(?:[\u4e00-\u9fff\d]{0,10}(?:室|单元|栋|楼|幢))?|"
            r"[\u4e00-\u9fff]{2,10}(?:小区|花园|公寓|家园)\d{1,3}(?:号楼|栋|幢|单元)"
            r"(?:\d{1,2}单元)?(?:\d{1,4}室?)?"
        ),
    ),
    (
        "address",
        re.compile(
            r"\b\d{1,5} (?:[NSEW]\.? )?(?-i:[A-Z][a-z]+)(?: (?-i:[A-Z][a-z]+))? "
            r"(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|court|ct)\b\.?"
            r"(?:,? (?:apt|unit|#)\.? ?\w{1,5})?",
            re.IGNORECASE,
        ),
    ),
)
_NAMES: tuple[re.Pattern[str], ...] = (
    re.compile(
        r"(?P<lead>(?:我的名字(?:是|叫)|本人姓名[:：]?|我姓名[:：]?|我大名叫?))(?P<name>[\u4e00-\u9fff]{2,4})"
    ),
    re.compile(
        rf"(?P<lead>(?:我叫|本人叫|他叫|她叫|名叫))(?P<name>[{_SURNAMES}小阿][\u4e00-\u9fff]{{1,2}}?)"
        r"(?=[，,。.！!、；;\s今\d]|$)"
    ),
    re.compile(
        r"(?P<lead>\b(?:my name is|my name's|my name’s|i am called|i'm called|call me))(?P<gap>\s+)"
        rf"(?P<name>{_NAME})",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True, slots=True)
class CleanPost:
    """A post after cleaning.

    Attributes:
        text: What is left.
        found: What was taken out or masked, by kind and how often.
    """

    text: str
    found: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns and topics of ``post_cleaning.yaml``."""

    artefacts: tuple[re.Pattern[str], ...]
    advertisements: tuple[re.Pattern[str], ...]
    topics: Mapping[str, Mapping[str, Sequence[str]]]


@lru_cache(maxsize=1)
def patterns() -> Patterns:
    """The file, read once."""
    raw = cast("dict[str, Any]", yaml.safe_load(FILE.read_text("utf-8")))

    def compiled(name: str) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(one, re.IGNORECASE | re.MULTILINE) for one in raw[name])

    return Patterns(compiled("artefacts"), compiled("advertisements"), raw["topics"])


def clean_text(text: str) -> CleanPost:
    """Take out and mask until nothing more is found, so that cleaning twice changes nothing."""
    found: Counter[str] = Counter()
    text = unicodedata.normalize("NFC", text)
    for _ in range(20):
        before = text
        text = _once(text, found)
        if text == before:
            break
    return CleanPost(text, dict(found))


def is_advertisement(text: str) -> bool:
    """Whether a post sells something."""
    return any(pattern.search(text) for pattern in patterns().advertisements)


def _once(text: str, found: Counter[str]) -> str:
    text = _INVISIBLE.sub("", text)
    text = _taken(_URL, text, "url", found)
    # Before names with @, which would take an address apart.
    for kind, pattern in _MASKS:
        text, count = pattern.subn(f"[{kind}]", text)
        found[f"masked {kind}"] += count
    for pattern in _NAMES:
        text, count = pattern.subn(_without_name, text)
        found["masked name"] += count
    for pattern in patterns().artefacts:
        text = _taken(pattern, text, "artefact", found)
    text = _taken(_EMOJI, text, "emoji", found)
    found += Counter()
    return _LINES.sub("\n", _SPACES.sub(" ", text)).strip()


def _taken(pattern: re.Pattern[str], text: str, kind: str, found: Counter[str]) -> str:
    text, count = pattern.subn(" ", text)
    found[kind] += count
    return text


def _without_name(match: re.Match[str]) -> str:
    return f"{match['lead']}{match.groupdict().get('gap') or ''}[name]"
