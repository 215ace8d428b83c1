"""Invented cases with places and stages, and matches of `mirage` up to a moment."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from arena.core.actions import Action, Reply, choose, say
from arena.core.events import Event, RequestsOpened
from arena.core.observation import Observation
from arena.core.playouts.playout import play_out, start_state
from arena.core.purposes import PLACE, QUESTION, STATEMENT, TARGET
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup
from arena.games.mirage.game import MIRAGE
from arena.games.mirage.options import MirageOptions
from scripts_mm.script import Clue, Language, Part, Role, Script, Truth
from tests import table
from tests.table import act, legal

NAMES = ("Ada", "Bram", "Cleo", "Dirk", "Edda", "Finn", "Gwen", "Hugo", "Iris", "Jean")
E = TypeVar("E", bound=Event)


def case(
    seats: int = 4,
    stages: int = 1,
    *,
    clues: tuple[Clue, ...] | None = None,
    culprits: tuple[str, ...] = ("Cleo",),
    language: Language = "en",
) -> Script:
    """Return a script whose roles learn something in every stage; `clues` replaces its clues."""
    return Script(
        id="quay",
        title="The Quay",
        language=language,
        roles=tuple(_role(name, stages) for name in NAMES[:seats]),
        truth=Truth(culprits=culprits),
        opening="Otto Lamm is dead.",
        victims=("Otto Lamm",),
        clues=finds("shed", 2) + finds("mill", 2) if clues is None else clues,
    )


def table_case() -> Script:
    """Return the small case of all tests with clues at places, and one that waits for a word."""
    script = table.case()
    hidden = Clue(id="scar", title="A scar", text="CLUE-OF-ADA", owner=table.NAMES[0], trigger="5")
    places = (*finds("the lamp room", 2), *finds(f"the cabin of {table.MURDERER}", 1))
    return replace(script, clues=(*script.clues, *places, hidden))


def finds(place: str, count: int, stage: int = 1) -> tuple[Clue, ...]:
    """Return clues that lie at a place from a stage on."""
    ids = [f"{place}-{stage}-{number}" for number in range(1, count + 1)]
    return tuple(
        Clue(id=one, title=one, text=f"Text of {one}.", place=place, stage=stage) for one in ids
    )


def _role(name: str, stages: int) -> Role:
    parts = tuple(
        Part(name="script", text=f"{name} in part {stage}.", stage=stage)
        for stage in range(1, stages + 1)
    )
    return Role(name=name, script=" ".join(one.text for one in parts), parts=parts)


def setup(
    script: Script | None = None, *, seed: int = 1, silent: tuple[Faction, ...] = (), **options: Any
) -> MatchSetup:
    """Return what a match is started with; `silent` factions never vote."""
    return MatchSetup(
        script=script or case(), options=MirageOptions(**options), seed=seed, silent=silent
    )


def start(script: Script | None = None, **values: Any) -> MatchState:
    """Return a match before its first answer."""
    return start_state(MIRAGE, setup(script, **values))


def until(state: MatchState, kind: str, answer: Callable[[DecisionRequest], Action]) -> MatchState:
    """Play on until a request of `kind` is pending, or the match ends."""
    while (waiting := pending(state)) and waiting[0].kind != kind:
        state = act(state, waiting[0], answer(waiting[0]))
    return state


def play(answer: Callable[[DecisionRequest], Action], state: MatchState) -> MatchState:
    """Play a match to its end."""
    return until(state, "no such kind", answer)


def finish(setup: MatchSetup, chance: Random | None = None) -> MatchState:
    """Play a whole match with legal answers drawn from `chance`."""
    chance = chance or Random(3)

    def decide(_: Observation, request: DecisionRequest) -> Action:
        return legal(request, chance)

    return play_out(MIRAGE, setup, decide)


def ways(request: DecisionRequest) -> dict[str, tuple[str, ...]]:
    """Return the variants of a request, and the options of each one's choice."""
    return {
        one.name: next(
            (
                field.spec.options
                for field in spec_fields(one.spec)
                if isinstance(field.spec, Choice)
            ),
            (),
        )
        for one in variants(request.spec)
    }


def ask(target: str, text: str = "Where were you?", share: str | None = None) -> Reply:
    """Return a question to a seat; `share` None: the request has no place for a statement."""
    before = () if share is None else ((STATEMENT, share),)
    return Reply(variant="ask", values=(*before, (TARGET, target), (QUESTION, text)))


def investigate(place: str, share: str | None = None) -> Reply:
    """Return a search of a place."""
    before = () if share is None else ((STATEMENT, share),)
    return Reply(variant="investigate", values=(*before, (PLACE, place)))


def asks_all(request: DecisionRequest) -> Action:
    """Ask the first other seat whenever possible, else take the first option."""
    return searches(0)(request)


def searches(count: int) -> Callable[[DecisionRequest], Action]:
    """Return answers that search the first place in the first `count` turns, and ask after that."""
    left = [count]

    def answer(request: DecisionRequest) -> Action:
        if request.kind == "act":
            found = ways(request)
            if "ask" not in found or (left[0] and "investigate" in found):
                left[0] -= 1
                return investigate(found["investigate"][0], _share(request))
            return ask(found["ask"][0], share=_share(request))
        if isinstance(request.spec, Choice):
            return choose(request.spec.options[0])
        return say(f"said in {request.id}")

    return answer


def _share(request: DecisionRequest) -> str | None:
    first = spec_fields(variants(request.spec)[0].spec)[0]
    return f"{request.seat} says this" if first.name == STATEMENT else None


def choosing(kind: str, choices: dict[str, str]) -> Callable[[DecisionRequest], Action]:
    """Return answers in which requests of `kind` choose by seat, or abstain; others ask."""

    def answer(request: DecisionRequest) -> Action:
        if request.kind != kind:
            return asks_all(request)
        choice = choices.get(request.seat, "abstain")
        assert isinstance(request.spec, Choice)
        return choose(choice if choice in request.spec.options else "abstain")

    return answer


def events_of(state: MatchState, kind: type[E]) -> list[E]:
    """Return the events of one kind."""
    return [event for event in state.history if isinstance(event, kind)]


def requests_of(state: MatchState, *kinds: str) -> list[DecisionRequest]:
    """Return all requests of a match, or those of some kinds."""
    opened = (one for event in events_of(state, RequestsOpened) for one in event.requests)
    return [one for one in opened if not kinds or one.kind in kinds]
