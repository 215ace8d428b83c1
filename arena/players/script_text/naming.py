"""Whether a text names a person: by the whole name, or by a part of it."""

import re
from dataclasses import dataclass
from typing import Final

from arena.core.observation import Observation
from scripts_mm.script import Language

_TITLES: Final = (
    "馆长|老板娘?|先生|太太|小姐|经理|大夫|医生|师傅|警官|会长|教授|老师|站长|队长|律师|记者|船长|老爷|"
    "掌柜|女士|姑娘|博士|护士长|[工姐哥嫂叔伯姨婶]"
)
_LEAST_PART: Final = 2
"""Characters of a part of a name."""


@dataclass(frozen=True, slots=True)
class People:
    """Seats and victims of a match."""

    language: Language
    seats: tuple[str, ...]
    victims: tuple[str, ...]

    @classmethod
    def of(cls, observation: Observation) -> "People":
        """Return the people of a match."""
        return cls(observation.language, observation.seats, observation.victims)

    def are_named(self, text: str, *names: str) -> bool:
        """Return whether `text` names one of `names`.

        A part of a name that a victim shares with a seat means the victim, if the seat's whole
        name is not there.
        """
        return any(self._is_named(text, one) for one in names)

    def last_named(self, text: str) -> str:
        """Return the person that `text` names last; empty if it names none."""
        found = [one for one in (*self.seats, *self.victims) if self.are_named(text, one)]
        return max(found, key=lambda one: self._last_place(text, one), default="")

    def _last_place(self, text: str, name: str) -> int:
        parts = name.split() if self.language == "en" else (name, *_parts_zh(name), name[0])
        return max(text.rfind(one) for one in parts)

    def _is_named(self, text: str, name: str) -> bool:
        if name in text:
            return True
        others = [one for one in (*self.seats, *self.victims) if one != name]
        for one in others:
            text = text.replace(one, "")
        is_victim = name in self.victims
        parts = name.split() if self.language == "en" else _parts_zh(name)
        own = [one for one in parts if is_victim or all(one not in other for other in others)]
        if self.language == "en":
            return any(re.search(rf"\b{re.escape(one)}\b", text) for one in own)
        surname = re.escape(name[0])
        is_own = all(one[0] != name[0] for one in others)
        titled = rf"{surname}(?:{_TITLES})|老{surname}"
        return any(one in text for one in own) or (is_own and bool(re.search(titled, text)))


def _parts_zh(name: str) -> list[str]:
    return [one for one in {name[1:], name[:2]} if _LEAST_PART <= len(one) < len(name)]
