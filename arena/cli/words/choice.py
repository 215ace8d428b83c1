"""Which words a screen speaks."""

from collections.abc import Mapping
from types import MappingProxyType

from rich.console import Console

from arena.cli.console import carries
from arena.cli.words.en import EN
from arena.cli.words.table import Words
from arena.cli.words.zh import ZH

WORDS: Mapping[str, Words] = MappingProxyType({"en": EN, "zh": ZH})
"""The words of every language of a script."""


def words_for(*languages: str) -> Words:
    """Return the words of `languages` if they are all one that is known, else English."""
    found = set(languages)
    return WORDS.get(found.pop(), EN) if len(found) == 1 else EN


def words_on(console: Console, *languages: str) -> Words:
    """Return the same, or English where the stream cannot carry those words."""
    words = words_for(*languages)
    return words if carries(console, "".join(words.heads.values())) else EN
