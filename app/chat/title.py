"""What a conversation is called in the person's own list: the beginning of their first message."""

_MAX_CHARS = 60


def title_of(text: str) -> str:
    """The first words of ``text`` on one line, cut between words where there are any."""
    line = " ".join(text.split())
    if len(line) <= _MAX_CHARS:
        return line
    cut = line[:_MAX_CHARS]
    head, space, _ = cut.rpartition(" ")
    return f"{head if space and len(head) > _MAX_CHARS // 2 else cut}…"
