"""Village: the game's script with five villagers, each with a manner of speaking.

A persona gives a seat a voice without a hint at its role, which is dealt at random.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from arena.games.wording import load_wording
from scripts_mm.script import Language, Role, Script, Truth

ID = "werewolf5"
NAMES: Mapping[Language, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("Agnes", "Barnaby", "Clara", "Dorian", "Elsie"),
        "zh": ("丁伯", "秀兰", "阿满", "老周", "青禾"),
    }
)
_PERSONAS = ("baker", "ferryman", "teacher", "clockmaker", "shepherd")
"""Keys of the personas, in the order of the names."""
_WORDING = Path(__file__).parent / "wording"


@cache
def make_village(language: Language) -> Script:
    """Return the script; it has neither victim nor culprit."""
    say = load_wording(_WORDING / f"{language}.toml")
    roles = zip(NAMES[language], _PERSONAS, strict=True)
    return Script(
        id=ID,
        title=say("village.title"),
        language=language,
        opening=say("village.opening"),
        roles=tuple(
            Role(name=name, script=say(f"village.{persona}", name=name)) for name, persona in roles
        ),
        truth=Truth(culprits=()),
        source="original",
    )
