"""What a request asks of a person: the game's instruction without what only a model needs."""

import re

_FORMAT = re.compile(
    r"(?:Reply with a JSON object|请用一个 JSON 对象回答)[^\n]*"
    r"|Reply with the (?:name|number|letter|letters) only\.|只回答(?:名字|数字|字母)。"
)
_SPACES = re.compile(r"[ \t]+$", re.MULTILINE)


def drop_format(instruction: str) -> str:
    """Return an instruction without the sentences about the form of a model's reply.

    A person is asked field by field, and chooses options by their numbers.
    """
    lines = _SPACES.sub("", _FORMAT.sub("", instruction)).split("\n")
    return "\n".join(line for line in lines if line.strip())
