"""A picture is read once and a script summarised once, whoever of a seat's prompts needs them."""

from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from arena.core.transitions import MatchSetup
from arena.games.game_registry import find_game
from arena.models.chat import Request
from scripts_mm.script import Script
from tests.arena.games.mirage.scenes import table_case
from tests.arena.players.scripted_replies import play
from tests.table import case


def long_case() -> Script:
    """Return the small case with scripts that fill half of a small context."""
    facts = " ".join(
        f"Fact {n}: at {n} past nine somebody stood near the shelf." for n in range(60)
    )
    roles = (replace(role, script=f"{role.script} {facts}", parts=()) for role in case().roles)
    return replace(case(), roles=tuple(roles))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "player", "script", "limits"),
    [
        ("whodunit", "werewolf-qa:picture_mode=notes", case(), {}),
        ("whodunit", "thinkthrice:picture_mode=notes", case(), {}),
        ("questum", "werewolf-qa:overflow=summarise", long_case(), {"context": 3200}),
        ("mirage", "mirage:rater_role=no,picture_mode=notes", table_case(), {}),
    ],
)
def test_no_call_is_made_twice_and_a_cut_match_goes_on(
    game: str, player: str, script: Script, limits: dict[str, Any]
) -> None:
    numbers = count(1)

    def reply(request: Request) -> str | None:
        # A server's reply is not repeatable, so a second call would not fit the record.
        if request.call_id.is_auxiliary:
            return f"Note number {next(numbers)}: a thing."
        return None

    rules = find_game(game)
    options = rules.options(rounds=1)  # pyright: ignore[reportCallIssue]
    setup = MatchSetup(script=script, options=options, seed=1)
    whole = play(setup, game, (player, player), reply, **limits)
    ids = [request.call_id for request in whole.made]
    assert any(one.is_auxiliary for one in ids)
    assert len(set(ids)) == len(ids)
    cut = len(whole.events) * 2 // 3
    again = play(setup, game, (player, player), reply, resumed=(whole, cut), **limits)
    assert again.state.ended is not None
