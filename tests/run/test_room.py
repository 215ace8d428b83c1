"""Room for a first prompt: what is refused beforehand is what could not be played."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.core.actions import Ask
from arena.core.options import Options
from arena.core.views import view
from arena.errors import ConfigError, ModelError
from arena.models.chat import Completion, Message, Request
from arena.players.contestants import read_contestant
from arena.players.means import Means, Overflow
from arena.players.roster import make_player, means_of
from arena.run.needs import opening
from arena.run.room import check_room
from tests.run.stage import config, save_case, start, with_server
from tests.table import case

OPTIONS = Options()
CASE = replace(case(), roles=tuple(replace(role, script=role.script * 40) for role in case().roles))
"""Private scripts that no small budget holds."""
DIRECT, THINKS = "direct", "cot"
WHO = "m+{}:reply_tokens=20,context_budget={},overflow={}"


class Model:
    """Says one thing."""

    async def complete(self, request: Request) -> Completion:
        del request
        return Completion(
            text="I was in the garden.",
            finish="stop",
            prompt_tokens=1,
            output_tokens=6,
            cached_tokens=None,
            seconds=0.0,
        )


def words(messages: Sequence[Message]) -> int:
    return sum(len(message.text.split()) + 4 for message in messages)


MEANS = Means(reply_tokens=512, context_tokens=None, count=words, exact=True)
STOPPING = replace(MEANS, stop=("###",))
"""Of a model that thinks in calls of its own, for which room is kept too."""


def refused(budget: int, overflow: Overflow, player: str = DIRECT) -> str:
    """Return what is said of a budget; empty: nothing."""
    who = read_contestant(WHO.format(player, budget, overflow))
    means = means_of(who, MEANS if player == DIRECT else STOPPING)
    sides = dict.fromkeys((True, False), (who, means))
    try:
        check_room(sides, CASE, OPTIONS)
    except ConfigError as error:
        return str(error)
    return ""


def unplayable(budget: int, overflow: Overflow, player: str) -> bool:
    """Tell whether a seat cannot introduce itself."""
    who = read_contestant(WHO.format(player, budget, overflow))
    opened = opening(CASE, OPTIONS)
    for seat in opened.opening.seats:
        ask = Ask(id=f"intro/{seat}", seat=seat, verb="introduce", phase="introduction")
        seated = make_player(who, Model(), MEANS if player == DIRECT else STOPPING)
        try:
            asyncio.run(seated.act(view(opened, seat), ask, Random("x")))
        except ModelError:
            return True
    return False


@pytest.mark.parametrize("player", [DIRECT, THINKS])
@pytest.mark.parametrize("overflow", ["retrieve", "summarise", "drop_oldest"])
def test_only_what_could_not_be_played_is_refused(overflow: Overflow, player: str) -> None:
    budgets = range(100, 1400, 20)
    found = [(bool(refused(b, overflow, player)), unplayable(b, overflow, player)) for b in budgets]
    assert (True, False) not in found
    assert found[0] == (True, True)
    assert found[-1] == (False, False)
    # What is missed are the tokens that a policy wants beside those that all of them want.
    assert found.count((False, True)) * 20 <= 300


def test_what_is_lacking_is_told_to_the_token() -> None:
    said = refused(300, "drop_oldest")
    lacking = re.search(r"larger by (\d+) tokens", said)
    assert lacking is not None
    assert "\n" not in said
    assert refused(300 + int(lacking[1]) - 1, "drop_oldest")
    assert not refused(300 + int(lacking[1]), "drop_oldest")


def test_a_run_is_refused_before_its_folder_is_made(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    with pytest.raises(ConfigError, match="rules, role and question with a reply of 20 tokens"):
        with_server(
            loaded,
            tmp_path / "run",
            lambda url: config(
                loaded, "naive", f"{url}+direct:context_budget=200,reply_tokens=20", swap=True
            ),
        )
    assert not (tmp_path / "run").exists()


def test_players_that_need_no_model_have_room(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    assert start(config(loaded, "naive", "first"), loaded, tmp_path / "run").results
