"""Phrases of the player: instructions to its model, and the templates of its rules."""

from pathlib import Path

from arena.core.observation import Observation
from arena.games.wording import load_wording
from arena.players.personas import PersonaOption, find_persona

_WORDING = Path(__file__).parents[1] / "wording" / "hybrid"


class HybridPhrases:
    """The texts of one seat: those of its persona if it has one, else the plain ones."""

    def __init__(self, observation: Observation, persona: PersonaOption) -> None:
        """Read the texts in the language of `observation`."""
        self._plain = load_wording(_WORDING / f"{observation.language}.toml")
        found = find_persona(persona, observation)
        self._own = self._plain if found is None else found.templates

    def __call__(self, key: str, **values: object) -> str:
        """Return the text `key`."""
        wording = self._own if key in self._own.texts else self._plain
        return wording(key, **values).strip()
