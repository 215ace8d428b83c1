"""A small invented case, and ways to play it through the rules without any player."""

from collections.abc import Callable
from random import Random

from arena.core.actions import Action, Reply, Skip, UnparsedReply
from arena.core.options import GameOptions
from arena.core.playouts.playout import reduce_all, start_state
from arena.core.requests import DecisionRequest
from arena.core.seats import Faction
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup, apply, apply_timeout
from arena.games.game_registry import find_game
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from scripts_mm.script import Clue, Part, Picture, Role, Script, Truth
from scripts_mm.script import Question as Quiz

NAMES = ("Ada Quill", "Bram Stone", "Cleo Marsh", "Dirk Vane", "Edda Frost")
MURDERER = "Cleo Marsh"


def secret(name: str) -> str:
    """Return the marker that only the script of `name` holds."""
    return f"SECRET-OF-{name.split(maxsplit=1)[0].upper()}"


def picture(number: int = 0) -> Picture:
    """Return a picture without a file."""
    return Picture(
        sha256=f"{number:064x}",
        file=f"{number}.png",
        mime="image/png",
        width=64,
        height=48,
        kind="text",
        transcript=f"written in picture {number}",
        description=f"seen in picture {number}",
    )


def case(names: tuple[str, ...] = NAMES, culprits: tuple[str, ...] = (MURDERER,)) -> Script:
    """Return a script with a secret for each role, a private clue and two common ones."""
    return Script(
        id="harbour",
        title="The Harbour Light",
        language="en",
        roles=tuple(
            Role(
                name=name,
                script=f"You are {name}. {secret(name)}. At 21:00 you saw Otto Lamm.",
                mission=f"MISSION-{secret(name)}",
                parts=(
                    Part(name="story", text=f"You are {name}. {secret(name)}."),
                    Part(name="script", text="At 21:00 you saw Otto Lamm.", stage=2),
                ),
            )
            for name in names
        ),
        truth=Truth(culprits=culprits, text="TRUTH-TEXT", method="TRUTH-METHOD"),
        opening="Otto Lamm, the keeper, is dead.",
        victims=("Otto Lamm",),
        civilian_mission="Find out who did it.",
        murderer_mission="Get away with it.",
        clues=(
            Clue(id="log", title="Log book", text="The page of the day is torn out."),
            Clue(id="plan", title="Plan of the tower", pictures=(picture(1), picture(2))),
            Clue(id="note", title="A note", text="CLUE-OF-BRAM", owner=names[1]),
        ),
        questions=(
            Quiz(id="q1", kind="mmr", stem="Who?", options=("one", "two", "three"), keys=(1,)),
            Quiz(id="q2", kind="lsu", stem="When?", options=("a", "b"), keys=(0,), role=names[0]),
        ),
    )


def setup(
    options: GameOptions | None = None,
    *,
    script: Script | None = None,
    seed: int = 1,
    silent: tuple[Faction, ...] = (),
) -> MatchSetup:
    """Return what a match of the small case is started with."""
    return MatchSetup(
        script=script or case(),
        script_sha256="0" * 64,
        options=options or WhodunitOptions(),
        seed=seed,
        civilians="random",
        murderer="random",
        silent=silent,
    )


def begin(setup: MatchSetup) -> MatchState:
    """Return the state after the first events of a match of `whodunit`."""
    return start_state(WHODUNIT, setup)


def legal(request: DecisionRequest, chance: Random) -> Reply:
    """Return a legal answer to any request, drawn from `chance`."""
    variant = chance.choice(variants(request.spec))
    return Reply(
        variant=variant.name,
        values=tuple(
            (
                field.name,
                chance.choice(field.spec.options)
                if isinstance(field.spec, Choice)
                else f"{field.name} {chance.randrange(10**6)}",
            )
            for field in spec_fields(variant.spec)
        ),
    )


def hostile(request: DecisionRequest, chance: Random) -> Action | None:
    """Return any answer, legal or not; None: no answer in time."""
    good = legal(request, chance)
    names = [name for name, _ in good.values]
    wrong: list[Action | None] = [
        None,
        Skip(),
        Skip(partial=good.values[:1]),
        UnparsedReply(missing=(names or ["text"])[-1], text="?" * 200, partial=good.values[:-1]),
        Reply(values=(), variant=good.variant),
        Reply(values=good.values, variant="no such variant"),
        Reply(values=tuple((name, "") for name in names), variant=good.variant),
        Reply(values=tuple((name, "x" * 9000) for name in names), variant=good.variant),
        Reply(values=tuple((name, "Nobody") for name in names), variant=good.variant),
        Reply(values=(*good.values, ("extra", "unasked")), variant=good.variant),
        Reply(values=tuple((name, request.seat) for name in names), variant=good.variant),
    ]
    return good if chance.random() < 0.5 else chance.choice(wrong)


def act(state: MatchState, request: DecisionRequest, action: Action | None) -> MatchState:
    """Return `state` after one answer to a pending request; None: none came in time."""
    game = find_game(state.started.game)
    if action is None:
        return reduce_all(state, apply_timeout(game, state, request))
    return reduce_all(state, apply(game, state, request, action))


def play(
    state: MatchState,
    answer: Callable[[DecisionRequest], Action | None],
    *,
    most_answers: int = 10_000,
) -> MatchState:
    """Play on with `answer`, each request with all its attempts, until the end."""
    while (waiting := pending(state)) and most_answers > 0:
        for first in waiting:
            request: DecisionRequest | None = first
            while request is not None and state.ended is None:
                most_answers -= 1
                state = act(state, request, answer(request))
                request = next((one for one in pending(state) if one.id == first.id), None)
    return state
