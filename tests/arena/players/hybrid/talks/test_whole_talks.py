"""Whole matches of werewolf5 with `hybrid` at every seat reach each situation of the guide."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import pytest

from arena.core.events import TurnNoted
from arena.core.playouts.playout import start_state
from arena.core.seats import SeatId
from arena.core.transitions import MatchSetup
from arena.games.werewolf5.game import WEREWOLF5
from arena.games.werewolf5.options import PRESETS, WerewolfOptions
from arena.models.chat import Request
from scripts_mm.script import Language
from tests.arena.games.werewolf5.scenes import others
from tests.arena.games.werewolf5.scenes import seat as seat_of
from tests.arena.players.hybrid.stage import spoken
from tests.arena.players.hybrid.test_documents import rows
from tests.arena.players.scripted_replies import Played, name_of, play

Preset = Literal["default", "paper"]
FIRST_DAY = {1, 2, 3, 5, 6, 9, 11, 13, 14}
"""Situations of a match that ends with the vote of its first day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What the models of a match find and say, the same in every turn."""

    condemned: str = ""
    """The power of the seat that all others declare a vote for, and once it is dead for a villager;
    empty: nobody declares one."""
    mute: str = ""
    """The power of the seat whose model says nothing of use."""


STORIES = (
    Story(),
    Story(condemned="villager"),
    Story(condemned="possessed"),
    Story(condemned="seer", mute="villager"),
)


def play_talks(story: Story, preset: Preset, language: Language, seed: int) -> Played:
    """Return a match in which the analyses find what the story says."""
    options = WerewolfOptions(**PRESETS[preset])  # pyright: ignore
    script = WEREWOLF5.make_script(language)
    setup = MatchSetup(script=script, options=options, seed=seed)
    state = start_state(WEREWOLF5, setup)
    seats, seer, wolf = state.started.seats, seat_of(state, "seer"), seat_of(state, "werewolf")
    target = seat_of(state, story.condemned) if story.condemned else ""
    later = next(one for one in others(state, "seer", "werewolf", "possessed") if one != target)

    def say(request: Request) -> str | None:
        match name_of(request):
            case "votes" if target:
                return "\n".join(f"{one} -> {two}" for two in (later, target) for one in seats)
            case "claims":
                return f"{seer}, {wolf}, werewolf"
            case "main" | "backup" if story.mute and _is(request, story.mute):
                return "{"
            case "main" | "backup":
                return spoken("Hm.")
            case _:
                return None

    def _is(request: Request, power: str) -> bool:
        return state.started.part(SeatId(request.call_id.seat)).power == power

    return play(setup, "werewolf5", ("hybrid", "hybrid"), say)


def situations(played: Played) -> Iterator[tuple[int, str]]:
    """Yield number and family of the situations that spoke."""
    for event in played.events:
        if isinstance(event, TurnNoted) and event.topic == "rule":
            values = dict(event.values)
            if values["situation"].isdecimal():
                yield int(values["situation"]), values["family"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("preset", ["default", "paper"])
def test_every_situation_of_a_talk_is_reached_in_whole_matches(
    preset: Preset, language: Language
) -> None:
    found: set[tuple[int, str]] = set()
    for seed, story in enumerate(STORIES * 4):
        played = play_talks(story, preset, language, seed)
        assert played.state.ended is not None
        assert played.state.ended.outcome not in {"error", "forfeit"}
        found |= set(situations(played))
    wanted = FIRST_DAY if preset == "default" else range(1, 15)
    assert found == {(number, family) for number, family in rows("## Talk") if number in wanted}
