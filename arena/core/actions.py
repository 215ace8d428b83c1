"""Actions: a seat's answers to a request."""

from dataclasses import dataclass

from arena.core.specs import CHOICE, TEXT

Values = tuple[tuple[str, str], ...]
"""Names and texts, in the order of the form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer: the values that the request's action spec requires."""

    values: Values
    variant: str = ""
    """The chosen variant of a `OneOf`."""
    truncated: tuple[str, ...] = ()
    """Names of the texts that validation shortened."""

    def __getitem__(self, name: str) -> str:
        """Return the value of that name; empty if the reply lacks it."""
        return next((value for key, value in self.values if key == name), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Skip:
    """The player declines to act, which is no fault. `partial`: the values that it gave."""

    partial: Values = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UnparsedReply:
    """A model's text without a complete action: the missing value, and the values parsed."""

    missing: str
    text: str
    partial: Values = ()


Action = Reply | Skip | UnparsedReply


def say(text: str) -> Reply:
    """Return the reply to a request for free text."""
    return Reply(values=((TEXT, text),))


def choose(option: str) -> Reply:
    """Return the reply to a request for a choice."""
    return Reply(values=((CHOICE, option),))


def fill(**values: str) -> Reply:
    """Return the reply to a request for a form."""
    return Reply(values=tuple(values.items()))
