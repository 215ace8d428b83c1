"""Checks before a run starts: what is refused is what could not be played."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.core.observation import observe
from arena.core.state import pending
from arena.errors import ConfigError, ModelError
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Message
from arena.models.function_model import FunctionModel
from arena.players.contestants import read_contestant
from arena.players.model_limits import ModelLimits, Overflow
from arena.players.roster import limits_of, make_player
from arena.run.preflight import check_first_prompt_fits, check_playable
from arena.run.prompt_estimates import estimate_match
from scripts_mm.script import ScriptError
from tests.arena.run.stage import (
    config,
    save_case,
    start,
    with_server,
)
from tests.table import begin, case, setup

CASE = replace(case(), roles=tuple(replace(role, script=role.script * 40) for role in case().roles))
"""Private scripts that no small budget holds."""
TOGETHER = WhodunitOptions(introductions="together")
"""Every seat is asked for the first time in the first state."""
ESTIMATES = {
    options: estimate_match(WHODUNIT, CASE, options) for options in (WhodunitOptions(), TOGETHER)
}
DIRECT, THINKS = "direct", "cot"
WHO = "m+{}:reply_tokens=20,context_budget={},overflow={}"


def words(messages: Sequence[Message]) -> int:
    return sum(len(message.text.split()) + 4 for message in messages)


LIMITS = ModelLimits(reply_tokens=512, context_tokens=None, count=words, exact=True)


def refusal(
    budget: int, overflow: Overflow, player: str = DIRECT, options: WhodunitOptions = TOGETHER
) -> str:
    """Return the error of a budget; empty: it is accepted."""
    who = read_contestant(WHO.format(player, budget, overflow))
    limits = limits_of(who, LIMITS)
    sides = dict.fromkeys((True, False), (who, limits))
    try:
        check_first_prompt_fits(WHODUNIT, sides, ESTIMATES[options])
    except ConfigError as error:
        return str(error)
    return ""


def is_unplayable(budget: int, overflow: Overflow, player: str) -> bool:
    """Tell whether a seat cannot answer its first request."""
    who = read_contestant(WHO.format(player, budget, overflow))
    state = begin(setup(TOGETHER, script=CASE))
    for request in pending(state):
        model = FunctionModel(lambda _: "I was in the garden.")
        seated = make_player(who, model, LIMITS)
        try:
            asyncio.run(seated.act(observe(state, request.seat), request, Random("x")))
        except ModelError:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("player", [DIRECT, THINKS])
@pytest.mark.parametrize("overflow", ["retrieve", "summarise", "drop_oldest"])
def test_only_what_could_not_be_played_is_refused(overflow: Overflow, player: str) -> None:
    budgets = range(100, 1400, 20)
    found = [
        (bool(refusal(b, overflow, player)), is_unplayable(b, overflow, player)) for b in budgets
    ]
    assert (True, False) not in found
    assert found[0] == (True, True)
    assert found[-1] == (False, False)
    # What is missed are the tokens that a policy wants besides those that all of them want.
    assert found.count((False, True)) * 20 <= 300


@pytest.mark.parametrize("options", ESTIMATES, ids=["in turns", "together"])
def test_the_lacking_tokens_are_reported_exactly(options: WhodunitOptions) -> None:
    message = refusal(300, "drop_oldest", options=options)
    lacking = re.search(r"larger by (\d+) tokens", message)
    assert lacking is not None
    assert "\n" not in message
    assert refusal(300 + int(lacking[1]) - 1, "drop_oldest", options=options)
    assert not refusal(300 + int(lacking[1]), "drop_oldest", options=options)


def test_a_run_is_refused_before_its_folder_is_made(tmp_path: Path) -> None:
    loaded = save_case(tmp_path / "case")
    with pytest.raises(ConfigError, match="rules, role and request with a reply of 20 tokens"):
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


@pytest.mark.parametrize(("pictures", "lacks"), [("ocr", "transcript"), ("caption", "description")])
def test_a_script_without_the_words_of_a_picture_is_refused_where_they_are_shown(
    pictures: str, lacks: str
) -> None:
    log, plan, note = case().clues
    wordless = replace(plan, pictures=tuple(replace(p, **{lacks: ""}) for p in plan.pictures))
    script = replace(case(), clues=(log, wordless, note))
    options = WhodunitOptions(pictures=pictures)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ScriptError, match=f"needs a {lacks} of every picture.*'plan'"):
        check_playable(WHODUNIT, script, options)
    check_playable(WHODUNIT, case(), options)
    check_playable(WHODUNIT, script, WhodunitOptions())
