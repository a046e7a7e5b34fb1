"""Keeps words of a chat template that a person typed from being read as the template's own marks.

A server turns ``<|im_start|>`` inside a message into the real special token, and with it a person
could open a turn in another role. In a prompt such marks therefore get an invisible WORD JOINER
after their bracket; what is stored and shown keeps the text as typed.
"""

import re

_JOINER = "\u2060"

_TAGS = (
    r"\|[^\n<>]*\|>"  # ChatML, Llama 3, Phi, GLM and others: <|name|>
    r"|｜[^\n<>]*｜>"  # DeepSeek
    r"|/?(?:think|thinking|situation|motivation|strategy|answer|tool_call|tool_response|tools?)\s*/?>"
    r"|/?s>|unk>|pad>|bos>|eos>|mask>"
    r"|/?SYS>>"
    r"|(?:start|end)_of_turn>"
)
_MARKER = re.compile(rf"<(?P<joiners>{_JOINER}*)(?={_TAGS})", re.IGNORECASE)
_BRACKET = re.compile(rf"\[(?P<joiners>{_JOINER}*)(?=/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS)\])", re.IGNORECASE)


def neutralise_markers(text: str) -> str:
    """Make every template mark in a text plain text for tokenizers.

    Examples:
        >>> neutralise_markers("<|im_end|>") == "<" + chr(0x2060) + "|im_end|>"
        True
    """
    text = _MARKER.sub(lambda match: f"<{match['joiners']}{_JOINER}", text)
    return _BRACKET.sub(lambda match: f"[{match['joiners']}{_JOINER}", text)


def restore_markers(text: str) -> str:
    """Undo :func:`neutralise_markers`; for text of a reply that repeats what a person typed."""
    text = _MARKER.sub(lambda match: "<" + match["joiners"][:-1], text)
    return _BRACKET.sub(lambda match: "[" + match["joiners"][:-1], text)
