"""Text from outside as one line that a terminal or a log can show without harm."""


def printable(text: str) -> str:
    """Return a text with everything that moves a cursor or hides a word written as its code."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)
