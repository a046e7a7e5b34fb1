"""Builds the whole prompt of a turn for any checkpoint profile."""

from collections.abc import Sequence
from pathlib import Path

from models.chat_model import ChatMessage
from models.facts import ToldFact
from models.profiles import Profile
from models.prompts.markers import neutralise_markers
from models.prompts.memory import memory_section, written_in
from models.prompts.mint import fill_mint
from models.prompts.templates import load_template, system_message
from models.styles import Style
from models.tactics import TacticCounts

RISK_BLOCKS = (None, "low", "moderate", "imminent")
"""Block of the crisis guidance for each risk level, by number."""

AT_RISK = RISK_BLOCKS.index("moderate")


def build_prompt(
    profile: Profile,
    turns: Sequence[ChatMessage],
    used_tactics: Sequence[TacticCounts],
    risk_level: int,
    locale: str,
    template_dir: Path | None = None,
    emotion: str | None = None,
    style: Style = Style.BALANCED,
    facts: Sequence[ToldFact] = (),
) -> list[ChatMessage]:
    """System message and turns as the checkpoint was trained to see them.

    Args:
        profile: The checkpoint that answers; it decides the prompt style and the language.
        turns: The conversation, oldest first, only users' and assistants' messages, the
            newest message last.
        used_tactics: Tactic counts of the supporter's earlier replies, oldest first.
        risk_level: 0 none, 1 low, 2 moderate, 3 imminent.
        locale: Language of the page, such as ``en`` or ``zh``.
        template_dir: Folder (or one file) whose prompt files replace the built-in ones.
        emotion: What the newest message clearly voices, by its name in GoEmotions, or ``None``.
        style: How the person wants to be answered; at risk only safety says that.
        facts: What the person said in turns that are left out here, for the system message; see
            :mod:`models.prompts.memory` for models that are told in another way.

    Returns:
        One system message, then turns in strictly alternating roles. Marks of chat templates in
        them are neutral (:mod:`models.prompts.markers`).

    Raises:
        ValueError: A template is malformed, the level unknown, or a turn has the system role.
    """
    language = _language(profile, locale)
    system = system_message(
        _role_section(profile, used_tactics, template_dir),
        _style_section(profile, risk_level, style, template_dir),
        memory_section(profile, facts, template_dir),
        _emotion_section(profile, risk_level, emotion, template_dir),
        _crisis_section(profile, risk_level, language, template_dir),
        _language_section(profile, language, template_dir),
    )
    return [system, *_alternating(turns)]


def _role_section(profile: Profile, used_tactics: Sequence[TacticCounts], source: Path | None) -> str:
    template = load_template(profile.prompt, source)
    return fill_mint(template, used_tactics) if profile.prompt == "mint" else template.fill("system")


def _crisis_section(profile: Profile, risk_level: int, language: str, source: Path | None) -> str:
    if not 0 <= risk_level < len(RISK_BLOCKS):
        msg = f"risk level {risk_level} is not one of 0 to {len(RISK_BLOCKS) - 1}"
        raise ValueError(msg)
    block = RISK_BLOCKS[risk_level]
    if block is None:
        return ""
    short = profile.prompt == "plain" and language == "en"
    return load_template("crisis_plain" if short else f"crisis_{language}", source).fill(block)


def _emotion_section(profile: Profile, risk_level: int, emotion: str | None, source: Path | None) -> str:
    """Nothing at risk, where safety is all that counts, nor for a model tuned to its exact prompt."""
    if emotion is None or risk_level >= AT_RISK or profile.prompt == "plain":
        return ""
    return load_template("emotion", source).fill("line", {"emotion": emotion})


def _style_section(profile: Profile, risk_level: int, style: Style, source: Path | None) -> str:
    """Nothing at risk, nor for a model tuned to its exact prompt, whose style its replies are chosen by."""
    if style is Style.BALANCED or risk_level >= AT_RISK or profile.prompt == "plain":
        return ""
    return load_template(f"style_{written_in(profile)}", source).fill(style.value)


def _language_section(profile: Profile, language: str, source: Path | None) -> str:
    template = load_template("language", source)
    # MindChat's own system prompt is Chinese; the other styles are written in English.
    return template.fill(language) if language in template.blocks and profile.prompt != "mindchat" else ""


def _language(profile: Profile, locale: str) -> str:
    """Language to answer in: the page's if the checkpoint speaks it, else the checkpoint's best."""
    wanted = locale.replace("_", "-").split("-", maxsplit=1)[0].casefold()
    chosen = wanted if wanted in profile.languages else profile.languages[0]
    return chosen if chosen in {"en", "zh"} else "en"


def _alternating(turns: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Neutral turns; empty ones left out, neighbours of one role joined (a reply may have failed)."""
    result: list[ChatMessage] = []
    for turn in turns:
        if turn.role == "system":
            msg = "turns hold no system messages: the system prompt is built here"
            raise ValueError(msg)
        text = neutralise_markers(turn.content).strip()
        if not text:
            continue
        if result and result[-1].role == turn.role:
            text = f"{result.pop().content}\n\n{text}"
        result.append(ChatMessage(turn.role, text))
    return result
