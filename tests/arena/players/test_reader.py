"""The reference readers: what their prompts hold, and where they may play."""

import asyncio
import re
from random import Random

import pytest

from arena.core.observation import observe_request
from arena.core.playouts.playout import start_state
from arena.core.state import MatchState, pending
from arena.core.transitions import MatchSetup
from arena.errors import ConfigError, ModelError
from arena.games.game_registry import all_games, find_game
from arena.games.option_parsing import read_options
from arena.models.chat import Request
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.players.contestants import read_contestant
from arena.players.roster import check_suits, limits_of, make_player
from arena.run.preflight import check_first_prompt_fits
from arena.run.prompt_estimates import estimate_match
from scripts_mm.catalog import find_script
from scripts_mm.script import Language
from tests.arena.players.context.stage import SmallModel, make_limits

READERS = ("personal", "omniscient", "full-script")


def begin(language: Language, **options: str) -> MatchState:
    """Return a match of the reference game before its first answer."""
    game = find_game("reading")
    script = find_script("last-tram", language).script
    return start_state(
        game, MatchSetup(script=script, options=read_options(game, "default", options), seed=1)
    )


def prompt_of(player: str, state: MatchState) -> str:
    """Return what the first seat's model is shown."""
    seen: list[Request] = []

    def reply(request: Request) -> str:
        seen.append(request)
        return legal_reply(request)

    made = make_player(read_contestant(f"m+{player}"), FunctionModel(reply), make_limits(None))
    request = pending(state)[0]
    asyncio.run(made.act(observe_request(state, request), request, Random(1)))
    return "\n".join(message.text for message in seen[-1].messages)


def share_of(text: str, prompt: str) -> float:
    """Return the share of the sentences of a script that a prompt holds."""
    lines = [line for line in text.splitlines() if len(line) > 20]
    return sum(line in prompt for line in lines) / len(lines)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_omniscient_reader_sees_a_part_of_every_script(language: Language) -> None:
    state = begin(language, knowledge="scripts")
    prompt = prompt_of("omniscient:role_tokens=60", state)
    assert len(prompt) < len(prompt_of("full-script", state))
    for role in state.script.roles:
        assert role.script[:15] in prompt, f"the first piece of {role.name}'s script"
    assert prompt.count("[...]") >= len(state.script.roles)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_full_script_reader_sees_every_script_whole(language: Language) -> None:
    state = begin(language, knowledge="scripts")
    prompt = prompt_of("full-script", state)
    assert all(share_of(role.script, prompt) > 0.9 for role in state.script.roles)


def test_what_fits_is_not_cut() -> None:
    state = begin("en", knowledge="scripts")
    assert "[...]" not in prompt_of("omniscient:role_tokens=100000", state)
    assert "[...]" in prompt_of("omniscient:role_tokens=60", state)


def test_the_personal_reader_sees_no_other_script() -> None:
    state = begin("en")
    prompt = prompt_of("personal", state)
    seat = pending(state)[0].seat
    for role in state.script.roles:
        assert (share_of(role.script, prompt) > 0.5) == (role.name == seat)


def check(player: str, context: int) -> None:
    """Check a match of the reader before it starts, on a model with a context."""
    game, who = find_game("reading"), read_contestant(f"m+{player}")
    options = read_options(game, "default", {"knowledge": "scripts"})
    estimate = estimate_match(game, find_script("last-tram", "en").script, options)
    limits = limits_of(who, make_limits(context, overflow="retrieve"))
    check_first_prompt_fits(game, {True: (who, limits), False: (who, limits)}, estimate)


@pytest.mark.slow
def test_a_context_too_small_for_every_script_is_refused_before_the_match() -> None:
    with pytest.raises(ConfigError, match="to read everything whole it needs") as refused:
        check("full-script", 4096)
    assert "\n" not in str(refused.value)
    found = re.search(r"needs (\d+) .* there are (\d+);", str(refused.value))
    assert found is not None
    needed = int(found[1])
    assert int(found[2]) == 4096
    with pytest.raises(ConfigError):
        check("full-script:reply_tokens=512", needed - 1)
    check("full-script:reply_tokens=512", needed)
    state, limits = begin("en", knowledge="scripts"), make_limits(needed)
    model = SmallModel(context=needed)
    reader = make_player(read_contestant("m+full-script:reply_tokens=512"), model, limits)
    for request in pending(state):
        asyncio.run(reader.act(observe_request(state, request), request, Random(1)))
    prompt = "\n".join(message.text for message in model.requests[0].messages)
    assert all(share_of(role.script, prompt) > 0.9 for role in state.script.roles)
    for kept in ("drop_oldest", "summarise"):
        with pytest.raises(ConfigError, match="overflow=retrieve"):
            check(f"full-script:overflow={kept}", 4096)
    check("full-script:overflow=retrieve", 4096)
    check("omniscient:role_tokens=60", 4096)


def test_a_script_that_only_the_server_finds_too_long_is_not_left_out_either() -> None:
    state = begin("en", knowledge="scripts")
    model = SmallModel(context=8192)
    limits = make_limits(None)
    request = pending(state)[0]
    reader = make_player(read_contestant("m+full-script"), model, limits)
    with pytest.raises(ModelError, match=r"everything whole .* the server has fewer"):
        asyncio.run(reader.act(observe_request(state, request), request, Random(1)))
    finder = make_player(read_contestant("m+full-script:overflow=retrieve"), model, limits)
    asyncio.run(finder.act(observe_request(state, request), request, Random(1)))


@pytest.mark.parametrize("player", READERS)
def test_readers_are_refused_where_seats_talk(player: str) -> None:
    for name, game in all_games().items():
        if name == "reading":
            check_suits(read_contestant(f"m+{player}"), game)
            continue
        with pytest.raises(ConfigError, match="play it with --game reading"):
            check_suits(read_contestant(f"m+{player}"), game)


def test_a_negative_length_is_refused() -> None:
    with pytest.raises(ConfigError, match="role_tokens must be >= 0"):
        make_player(
            read_contestant("m+omniscient:role_tokens=-1"),
            FunctionModel(legal_reply),
            make_limits(None),
        )
