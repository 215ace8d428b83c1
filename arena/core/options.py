"""Options of a game: one field for each ambiguity of its rules, with the alternatives."""

from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args, get_origin, get_type_hints

Pictures = Literal["image", "ocr", "caption", "none"]
Order = Literal["script", "shuffled", "rotated"]
OptionOrder = Literal["script", "votes", "shuffled"]

_CHARACTERS_A_WORD = 1.6
"""A speech of 250 English words takes about as long as one of 400 Chinese characters."""


def option(default: Any, help_text: str, *, shares_most: str = "") -> Any:
    """Return a field of an options class, with its default and its help text.

    `shares_most`: the value with which the matches of a script share the longest prompt prefix.
    """
    return field(default=default, metadata={"help": help_text, "shares_most": shares_most})


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """The options that all games have. A game adds its own in a subclass."""

    pictures: Pictures = option("image", "pictures as they are, their text, their caption, none")
    order: Order = option(
        "script", "who is asked first: script order, drawn for each phase, or rotated each round"
    )
    option_order: OptionOrder = option(
        "votes",
        "order in which a seat is shown its options: of the script always, drawn for each seat in "
        "votes, or drawn always",
    )
    speech_words: int = option(
        250, "words of a speech that seats are asked not to exceed; Chinese characters: 1.6 times"
    )
    attempts: int = option(3, "answers to one request, the first one included")
    max_chars: int = option(4000, "a longer text is cut at the end of a sentence")
    max_faults: int | None = option(
        None, "requests that a contestant may fail before it forfeits; none: half of its requests"
    )

    def __post_init__(self) -> None:
        """Raise `ValueError` for values that no match can use."""
        for name, least in (("attempts", 1), ("max_chars", 1), ("speech_words", 10)):
            require_least(self, name, least)
        if self.max_faults is not None:
            require_least(self, "max_faults", 0)


def require_least(options: GameOptions, name: str, least: int, most: int = 10_000) -> None:
    """Raise `ValueError` if option `name` is outside the range `least` to `most`."""
    value = getattr(options, name)
    if value < least:
        raise ValueError(f"option {name!r} must be >= {least}, got {value}")
    if value > most:
        raise ValueError(f"option {name!r} must be <= {most}, got {value}")


def option_help(options: type[GameOptions]) -> dict[str, str]:
    """Return the help text of each option, by name."""
    return {one.name: one.metadata["help"] for one in fields(options)}


def sharing_values(options: type[GameOptions]) -> dict[str, str]:
    """Return `shares_most` of the options that have it, by name."""
    found = {one.name: one.metadata["shares_most"] for one in fields(options)}
    return {name: value for name, value in found.items() if value}


def option_choices(options: type[GameOptions]) -> dict[str, str]:
    """Return the legal values of each option in words, by name: for help texts and errors."""
    hints = get_type_hints(options)
    return {one.name: _describe_choices(hints[one.name]) for one in fields(options)}


def _describe_choices(hint: object) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(str(value) for value in get_args(hint))
    if hint is bool:
        return "yes | no"
    return "a whole number" if hint is int else "a whole number or none"


def speech_limit(options: GameOptions, language: str) -> int:
    """Return the limit of a speech: English words, or Chinese characters in whole tens."""
    words = options.speech_words
    return words if language == "en" else 10 * round(words * _CHARACTERS_A_WORD / 10)
