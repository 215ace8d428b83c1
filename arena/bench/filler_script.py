"""Generated script of a given size, for benchmarks that play real matches: no plot."""

from hashlib import sha256
from random import Random

from scripts_mm.script import Clue, Picture, Role, Script, Truth

_NAMES = (
    *("Ada Brook", "Ben Clark", "Cora Dean", "Dan Eves", "Eva Frost", "Finn Gale", "Gus Hale"),
    *("Ida Jones", "Jon Kerr", "Kim Lane"),
)
_SENTENCE = (
    "the clock in the hall struck nine and nobody came down from the tower room while rain fell "
    "on the yard where a lamp still burned beside the old cart and its wet black cover"
)
_WORDS = tuple(_SENTENCE.split())
_CLUES = 2
"""Clues without a picture."""


def make_filler_script(*, seats: int, words: int, pictures: int = 0, number: int = 0) -> Script:
    """Return a script of `seats` roles with `words` words each; the last role is the culprit.

    `pictures` additional clues have a picture each, without a file.
    """
    names = _NAMES[:seats]
    return Script(
        id=f"sized-{number}",
        title=f"Case {number}",
        language="en",
        roles=tuple(Role(name=name, script=_text(f"{number}/{name}", words)) for name in names),
        truth=Truth(culprits=(names[-1],), motive="an old debt", method="a push on the stairs"),
        opening="A guest was found dead at the foot of the stairs.",
        clues=tuple(
            Clue(id=f"clue-{index}", title=f"Note {index}", text=_text(f"{number}/{index}", 40))
            for index in range(_CLUES)
        )
        + tuple(_picture_clue(number, index) for index in range(pictures)),
    )


def _picture_clue(number: int, index: int) -> Clue:
    name = f"picture-{index}"
    picture = Picture(
        sha256=sha256(f"{number}/{index}".encode()).hexdigest(),
        file=f"{name}.png",
        mime="image/png",
        width=1024,
        height=768,
    )
    return Clue(id=name, title=f"Picture {index}", pictures=(picture,))


def _text(seed: str, words: int) -> str:
    chance = Random(seed)
    return " ".join(_WORDS[chance.randrange(len(_WORDS))] for _ in range(words))
