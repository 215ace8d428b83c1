"""Pools of ids from which a world is drawn; their names are in the books of `text`."""

from collections.abc import Mapping
from types import MappingProxyType

SETTINGS = (
    "train", "island", "hotel", "ship", "museum", "studio",
    "vineyard", "observatory", "garden", "mill", "monastery", "sanatorium",
)  # fmt: skip
"""Settings of cases. Each has ten places, `p0` to `p9`, and ten posts, 0 to 9."""
PLACES = 10
POSTS = 10
MOTIVES = (
    "debt", "will", "blackmail", "dismissal", "theft", "rivalry",
    "betrayal", "accident", "forgery", "love", "patent", "land",
)  # fmt: skip
"""Motives of suspects."""
SECRETS = (
    "stealing", "meeting", "gambling", "calling", "reading", "drinking",
    "burning", "sleeping", "spying", "selling", "praying", "copying",
)  # fmt: skip
"""Secrets: what a suspect did alone and unseen."""
RELATIONS = (
    "cousins", "lovers", "rivals", "creditor", "teacher", "schoolmates", "partners", "neighbours",
)  # fmt: skip
"""Relations of a suspect to the next one; in `creditor` and `teacher` the first has that role."""
HERRINGS = ("quarrel", "threat", "stain", "burn", "scratch", "running", "lie", "purchase")
"""Red herrings: suspicious facts about a suspect with a harmless reason."""
BILLED = frozenset({"stain", "burn", "scratch", "purchase"})
"""Red herrings for which a shop or laundry writes a bill."""
OUTDOORS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "island": ("p4",),
        "hotel": ("p8",),
        "ship": ("p3", "p9"),
        "studio": ("p7",),
        "vineyard": ("p6", "p9"),
        "sanatorium": ("p8",),
        "monastery": ("p1", "p5"),
        "garden": ("p9",),
        "mill": ("p8", "p9"),
    }
)
"""Outdoor places, by setting."""
