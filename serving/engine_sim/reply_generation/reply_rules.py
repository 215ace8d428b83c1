"""Scripted replies, one JSON object a line."""

import math
import re
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from serving.errors import ProfileError


class ReplyRule(BaseModel):
    """A line `{"reply": ..., "when": pattern, "times": n}`.

    `when` is searched in the end of the prompt's text; a line without it always matches. A line is
    used `times` times; 0: without limit.
    """

    model_config = ConfigDict(extra="forbid")

    reply: str
    when: re.Pattern[str] | None = None
    times: int = 0


class ReplyRules:
    """The lines of a file, tried in their order."""

    def __init__(self, lines: list[ReplyRule]) -> None:
        self._lines = lines
        self._left = [line.times or math.inf for line in lines]

    def find_reply(self, asked: Callable[[], str]) -> str | None:
        """Return the reply to a prompt whose end `asked` returns; None if no line matches."""
        if not self._lines:
            return None
        end = asked()
        for place, line in enumerate(self._lines):
            if self._left[place] and (line.when is None or line.when.search(end)):
                self._left[place] -= 1
                return line.reply
        return None


def load_reply_rules(path: Path | None) -> ReplyRules:
    """Return the rules in the file, none for None; raises `ProfileError` if it is invalid."""
    if path is None:
        return ReplyRules([])
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ProfileError(f"cannot read reply script {str(path)!r}: {error.strerror}") from error
    return ReplyRules(
        [_parse_rule(line, path, at) for at, line in enumerate(lines, 1) if line.strip()]
    )


def _parse_rule(line: str, path: Path, at: int) -> ReplyRule:
    try:
        return ReplyRule.model_validate_json(line)
    except ValidationError as error:
        said = error.errors()[0]["msg"]
        raise ProfileError(f"line {at} of {str(path)!r} is not a reply: {said}") from error
