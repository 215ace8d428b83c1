"""A small invented case, and ways to play it through the rules without any player."""

from collections.abc import Callable
from random import Random

from arena.core.actions import (
    Action,
    Ask,
    Choose,
    Conclude,
    Garbled,
    Question,
    SeatId,
    ShareAndAsk,
    Speak,
)
from arena.core.asking import asks
from arena.core.options import Options
from arena.core.rules import Setup, decide, open_match
from arena.core.state import MatchState, fold, replay
from scripts_mm.script import Clue, Picture, Role, Script, Truth
from scripts_mm.script import Question as Quiz

NAMES = ("Ada Quill", "Bram Stone", "Cleo Marsh", "Dirk Vane", "Edda Frost")
MURDERER = "Cleo Marsh"


def secret(name: str) -> str:
    """Return the marker that only the script of `name` holds."""
    return f"SECRET-OF-{name.split(maxsplit=1)[0].upper()}"


def picture(number: int = 0) -> Picture:
    """Return a picture that lies nowhere."""
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
    options: Options | None = None,
    *,
    script: Script | None = None,
    seed: int = 1,
    never_vote: tuple[str, ...] = (),
) -> Setup:
    """Return what a match of the small case is opened with."""
    return Setup(
        script=script or case(),
        script_sha256="0" * 64,
        options=options or Options(),
        seed=seed,
        civilian_player="random",
        murderer_player="random",
        never_vote=tuple(SeatId(name) for name in never_vote),
    )


def begin(opened: Setup) -> MatchState:
    """Return the state after the first events."""
    return replay(opened.script, open_match(opened))


def legal(ask: Ask, chance: Random) -> Action:
    """Return a legal answer, drawn from `chance`."""
    option = chance.choice(ask.options) if ask.options else ""
    number = chance.randrange(10**6)
    match ask.verb:
        case "introduce" | "speak" | "answer":
            return Speak(text=f"words {number}")
        case "share_and_ask":
            return ShareAndAsk(share=f"shared {number}", target=SeatId(option), question="Why?")
        case "ask":
            return Question(target=SeatId(option), text=f"why {number}?")
        case "conclude":
            return Conclude(method=f"how {number}", motive="why")
        case "vote" | "ballot" | "quiz":
            return Choose(option=option, reason="because")


def hostile(ask: Ask, chance: Random) -> Action:
    """Return any answer, legal or not."""
    wrong: list[Action] = [
        Speak(text=""),
        Speak(text="x" * 9000),
        ShareAndAsk(share="s", target=ask.seat, question="q"),
        ShareAndAsk(share="", target=None, question=""),
        Question(target=SeatId("Nobody"), text=""),
        Conclude(method="", motive="m"),
        Choose(option="Nobody"),
        Garbled(missing="target", raw="?", share="half a share"),
    ]
    return legal(ask, chance) if chance.random() < 0.5 else chance.choice(wrong)


def play(
    state: MatchState,
    answer: Callable[[Ask], Action],
    *,
    serial: bool = False,
    asks_left: int = 10_000,
) -> MatchState:
    """Play on with `answer`; `serial` takes the asks of a wave one by one."""
    while (pending := asks(state)) and asks_left:
        answers = [(ask, answer(ask)) for ask in (pending[:1] if serial else pending)]
        for ask, action in answers:
            asks_left -= 1
            for event in decide(state, ask, action):
                state = fold(state, event)
            if state.closed:
                break
    return state
