"""Texts that all games of the project share: roles, instructions, names, results."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from arena.core.events import Event, PhaseStarted, TurnSkipped
from arena.core.observation import Observation
from arena.core.option_labels import ABSTAIN_LABELS, list_options
from arena.core.options import speech_limit
from arena.core.purposes import ASKER, Purpose
from arena.core.quoting import defuse, quote
from arena.core.requests import DecisionRequest
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState
from arena.games.wording import Wording, load_wording
from scripts_mm.script import Language

_COMMON = Path(__file__).parent / "wording"


class GameTexts:
    """Texts for one observer. A game extends them with its rules, lines and titles."""

    def __init__(self, observation: Observation, wording: Path, *over: Path) -> None:
        """Load the common texts, overridden by those in folder `wording` and in each of `over`."""
        self.observation = observation
        self.say = find_wording(wording, observation.language, *over)

    def case(self) -> str:
        """Return the public facts of the case that its opening lacks."""
        say, seen = self.say, self.observation
        lines = (
            say("case.victims", victims=self.names(seen.victims)) if len(seen.victims) > 1 else "",
            say("case.truthful") if seen.innocents_truthful else "",
        )
        return "\n".join(line for line in lines if line)

    def role(self) -> str:
        """Return the seat's faction and goals."""
        own = self.observation.own
        mission = self.say("role.mission", mission=defuse(own.mission)) if own.mission else ""
        return "\n\n".join(filter(None, (self.side(), mission)))

    def side(self) -> str:
        """Return the text of the seat's faction."""
        say, own = self.say, self.observation.own
        if own.part.faction != "murderer":
            return say("role.civilian")
        if own.is_sole_murderer:
            return say("role.murderer")
        if own.part.knows:
            return say("role.murderer_with", names=self.names(own.part.knows))
        return say("role.murderer_of_several")

    def line(self, event: Event) -> str:
        """Return the line for the start of a phase, or for a skipped turn."""
        match event:
            case PhaseStarted():
                return self.phase_line(event)
            case TurnSkipped(seat=seat, act=act):
                return self.say.get(f"line.skip_{act}", seat=seat)
            case _:
                return ""

    def phase_line(self, event: PhaseStarted) -> str:
        """Return the host's line at the start of a phase."""
        if event.candidates:
            return self.say("line.revote", names=self.names(event.candidates))
        return self.say.get(f"line.{event.phase}", round=event.round)

    def instruction(self, request: DecisionRequest) -> str:
        """Return the instruction for `request`."""
        return self.say(f"action.{request.kind}", **self.values(request)).strip()

    def values(self, request: DecisionRequest) -> dict[str, object]:
        """Return the values for the placeholders of an instruction."""
        language = self.observation.language
        words = speech_limit(self.observation.options, language)
        return {
            "options": self.names(choices_of(request)),
            "abstain": ABSTAIN_LABELS[language],
            "side": self.say.get(f"action.{request.kind}_{self.faction}"),
            "aim": self.say(f"action.aim_{self.faction}"),
            "asker": quote(request.context_value(ASKER)),
            "about": quote(request.about),
            "words": words,
            "half": words // 2,
        }

    def thought(self, request: DecisionRequest) -> str:
        """Return a hint on what to think about before the answer."""
        is_first = request.purpose == Purpose.INTRODUCE
        return self.say(f"thought.{'introduce_' if is_first else ''}{self.faction}").strip()

    def culprit(self) -> str:
        """Return the name of the culprit in a silent question."""
        return self.say("probe.culprit")

    def title(self, phase: PhaseStarted) -> str:
        """Return the heading of a phase."""
        if phase.candidates:
            return self.say("title.revote", names=self.names(phase.candidates))
        return self.say(f"title.{phase.phase}", round=phase.round)

    def action_name(self, act: str) -> str:
        """Return the name of a kind of request."""
        return self.say.get(f"act.{act}") or act

    def part_name(self, name: str) -> str:
        """Return the name of one value of a form."""
        return self.say.get(f"part.{name}") or name

    def result(self, state: MatchState) -> Sequence[str]:
        """Return the line of the outcome."""
        outcome = state.ended.outcome if state.ended else ""
        line = self.say.get(f"result.{outcome}")
        return (line,) if line else ()

    def names(self, seats: Sequence[str]) -> str:
        """Return names as a list in the observer's language."""
        return list_options(seats, self.observation.language)

    @property
    def faction(self) -> str:
        """The faction of the observing seat in the keys of texts."""
        return "murderer" if self.observation.is_murderer else "civilian"

    @property
    def is_murderer_seat(self) -> bool:
        """Whether the observer is a seat of the murderer's faction."""
        return self.observation.role is not None and self.observation.is_murderer


@cache
def find_wording(folder: Path, language: Language, *over: Path) -> Wording:
    """Return the common texts, overridden by those of `folder` and then of each of `over`."""
    texts: dict[str, str] = {}
    for one in (_COMMON, folder, *over):
        texts |= load_wording(one / f"{language}.toml").texts
    return Wording(texts)


def choices_of(request: DecisionRequest) -> tuple[str, ...]:
    """Return the options of the request's first choice."""
    fields = (field for one in variants(request.spec) for field in spec_fields(one.spec))
    found = (field.spec.options for field in fields if isinstance(field.spec, Choice))
    return next(found, ())
