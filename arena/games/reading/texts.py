"""Texts of a reading: the public knowledge and the vote, under the options."""

from pathlib import Path

from arena.core.events import Announced, Event
from arena.core.observation import Observation
from arena.core.quoting import defuse, quote
from arena.core.state import MatchState
from arena.games.reading.options import ReadingOptions
from arena.games.shared.victim_texts import VictimTexts

SCRIPT = "script"
"""The topic of an announcement: the whole script of a role."""
KEY_CLUE = "key_clue"
"""The topic of an announcement: a key clue of the truth."""
ROLE = "role"
TEXT = "text"
_WORDING = Path(__file__).parent / "wording"


class ReadingTexts(VictimTexts):
    """The texts of one observer. Rules are the same for all scripts."""

    def __init__(self, observation: Observation) -> None:
        """Read the texts in the language of `observation`."""
        super().__init__(observation, _WORDING)
        options = observation.options
        assert isinstance(options, ReadingOptions), f"{type(options).__name__} of another game"
        self._options = options

    def rules(self) -> str:
        """Return the rules: knowledge, requests, outcome."""
        say, options = self.say, self._options
        parts = (
            say("rules.head"),
            say(f"rules.knowledge_{options.knowledge}"),
            say("rules.conclusions") if options.conclusions else "",
            self.voting(),
            self.winning(),
            say("rules.conduct"),
        )
        return "\n\n".join(part for part in parts if part)

    def line(self, event: Event) -> str:
        """Return the line of an announced script or key clue, or a common line."""
        if not isinstance(event, Announced):
            return super().line(event)
        values = dict(event.values)
        if event.topic == KEY_CLUE:
            return self.say("line.key_clue", text=defuse(values[TEXT]))
        role, seen = values[ROLE], self.observation
        if seen.role is not None and role == seen.seat:
            return self.say("line.own_script")
        return self.say("line.script", role=quote(role), text=defuse(values[TEXT]))

    def result(self, state: MatchState) -> tuple[str, ...]:
        """Return that this is a reference, then the result of each vote."""
        return (self.say("result.reference"), *super().result(state))
