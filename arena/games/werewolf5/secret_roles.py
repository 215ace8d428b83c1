"""Secret roles: five roles of two sides, dealt at random."""

from typing import Final

from arena.core.chance import generator
from arena.core.seats import SeatId, SeatPart
from arena.core.state import MatchState
from arena.games.werewolf5.options import WerewolfOptions
from scripts_mm.script import Script, ScriptError

VILLAGER: Final = "villager"
SEER: Final = "seer"
POSSESSED: Final = "possessed"
WEREWOLF: Final = "werewolf"
POWERS: Final = (VILLAGER, VILLAGER, SEER, POSSESSED, WEREWOLF)
_VILLAGE: Final = (VILLAGER, SEER)


def deal_roles(script: Script, options: WerewolfOptions, seed: int) -> tuple[SeatPart, ...]:
    """Return the part of every seat, in the order of the script."""
    _require_village(script)
    powers = generator(seed, "roles").sample(POWERS, k=len(POWERS))
    theirs = (WEREWOLF,) if options.possessed == "civ" else (WEREWOLF, POSSESSED)
    return tuple(
        SeatPart(
            seat=SeatId(name), faction="murderer" if power in theirs else "civilians", power=power
        )
        for name, power in zip(script.names, powers, strict=True)
    )


def seats_of(state: MatchState, *powers: str) -> tuple[SeatId, ...]:
    """Return the seats of some roles, in the order of the script."""
    return tuple(part.seat for part in state.started.parts if part.power in powers)


def village(state: MatchState) -> tuple[SeatId, ...]:
    """Return the seats that win with the village."""
    return seats_of(state, *_VILLAGE)


def wolf_side(state: MatchState) -> tuple[SeatId, ...]:
    """Return the seats that win with the werewolf; contestants do not matter here."""
    return seats_of(state, WEREWOLF, POSSESSED)


def _require_village(script: Script) -> None:
    culprits, clues = len(script.truth.culprits), len(script.clues)
    if len(script.roles) != len(POWERS) or culprits or clues:
        raise ScriptError(
            f"script {script.id!r} has {len(script.roles)} roles, {culprits} culprits and {clues} "
            f"clues; werewolf5 makes its own script, of {len(POWERS)} roles without culprits or "
            "clues"
        )
