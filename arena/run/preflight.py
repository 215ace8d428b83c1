"""Preflight checks: find what would stop a match before anything starts."""

from collections.abc import Mapping

from arena.core.game import Game
from arena.core.observation import Observation, observe
from arena.core.options import GameOptions
from arena.core.playouts.playout import start_state
from arena.core.requests import DecisionRequest
from arena.core.state import pending
from arena.core.transitions import MatchSetup, start_match
from arena.errors import ConfigError
from arena.models.chat import Message
from arena.players import prompts
from arena.players.contestants import Contestant, read_contestant
from arena.players.context.keep_whole import suggest_context
from arena.players.context.picture_policy import older_pictures
from arena.players.context.token_budget import make_budget
from arena.players.model_limits import ModelLimits
from arena.players.roster import check_player, check_suits, prompting_of
from arena.records.run_config import RunConfig, match_specs
from arena.run.human_seat import check_humans
from arena.run.prompt_estimates import MatchEstimate, prompt_tokens
from scripts_mm.script import Picture, Script, ScriptError


def check_run(config: RunConfig, game: Game, scripts: Mapping[str, Script]) -> None:
    """Raise `ConfigError` or `ScriptError` if a run cannot start, independent of its servers."""
    for who in map(read_contestant, config.contestants):
        check_player(who)
        check_suits(who, game)
    for script in scripts.values():
        check_playable(game, script, config.options)
    check_humans(config, game, tuple(scripts.values()))
    ids = [spec.id for spec in match_specs(config)]
    if len(set(ids)) != len(ids):
        raise ConfigError(
            "a script or a pair of contestants is named twice; name each once (a script, once in "
            "each language)"
        )


def check_playable(game: Game, script: Script, options: GameOptions) -> None:
    """Raise `ScriptError` if no match of `script` can start under `options`."""
    lacking = [
        clue.id
        for clue in script.clues
        for picture in clue.pictures
        if not _can_show(picture, options)
    ]
    if lacking:
        what = "transcript" if options.pictures == "ocr" else "description"
        raise ScriptError(
            f"option pictures={options.pictures} needs a {what} of every picture, but script "
            f"{script.id!r} has none for clue {lacking[0]!r}"
        )
    start_match(game, MatchSetup(script=script, options=options, seed=0))


def check_first_prompt_fits(
    game: Game, sides: Mapping[bool, tuple[Contestant, ModelLimits]], estimate: MatchEstimate
) -> None:
    """Raise `ConfigError` if the first prompt of a seat cannot fit its model.

    `sides`: the contestant and the limits of its model, for the murderer (True) and the civilians.
    Every overflow policy can shorten the private script, so the check does not count it: rules,
    role and request must fit together with a reply. Texts that a player must read whole do count.
    """
    script = estimate.script
    state = start_state(game, MatchSetup(script=script, options=estimate.options, seed=0))
    found: list[tuple[int, int, str, Contestant]] = []
    for request in _first_requests(pending(state), estimate):
        murderer = request.seat in estimate.murderers
        if murderer in sides:
            who, limits = sides[murderer]
            seen = observe(state, request.seat)
            if limits.keeps_whole:
                _check_whole(seen, request, who, limits)
            lack, reply = _missing_tokens(seen, request, who, limits)
            found.append((lack, reply, request.seat, who))
    if not found:
        return
    lacking, reply, seat, who = max(found, key=lambda one: one[0])
    if lacking > 0:
        raise ConfigError(
            f"{seat!r} of script {script.id!r} cannot be played by {who.name!r}: rules, role and "
            f"request with a reply of {reply} tokens exceed the context by {lacking} tokens; "
            f"choose a context_budget, or a model with a context, that is larger by {lacking} "
            "tokens, or fewer reply_tokens"
        )


def _check_whole(
    seen: Observation, request: DecisionRequest, who: Contestant, limits: ModelLimits
) -> None:
    """Raise `ConfigError` if a prompt cannot hold all observations of the seat."""
    wanted = prompting_of(who, limits).prompt_request(seen, request)
    instruction = Message(role="user", text=wanted.instruction)
    shown = prompts.lines(seen, 0, len(seen.events))
    if limits.picture_mode == "inline" and limits.pictures is not None:
        old = older_pictures(shown, limits.pictures)
        shown = tuple(one for place, one in enumerate(shown) if place not in old)
    needed = prompt_tokens(limits, (*prompts.header(seen), *shown, instruction)) + wanted.reply
    there = make_budget(limits).free(0)
    if needed > there:
        raise ConfigError(
            f"{request.seat!r} cannot be played by {who.name!r}: {suggest_context(needed, there)}"
        )


def _first_requests(
    open_now: tuple[DecisionRequest, ...], estimate: MatchEstimate
) -> tuple[DecisionRequest, ...]:
    """Return the first request of every seat in the expected match."""
    first = {request.seat: request for request in reversed(open_now)}
    expected = {seat: asked.requests[0] for seat, asked in estimate.seat_requests.items()}
    return tuple({**expected, **first}.values())


def _missing_tokens(
    seen: Observation, request: DecisionRequest, who: Contestant, limits: ModelLimits
) -> tuple[int, int]:
    """Return the tokens by which a seat's first prompt is too long, and the tokens of its reply.

    It fits (0 or less) with the whole private script, or at least without it.
    """
    wanted = prompting_of(who, limits).prompt_request(seen, request)
    instruction = Message(role="user", text=wanted.instruction)
    whole = prompt_tokens(limits, (*prompts.header(seen), instruction))
    bare = prompt_tokens(limits, (*prompts.header(seen, "", "you_parts"), instruction))
    return min(whole, bare) - make_budget(limits).free(wanted.reply), wanted.reply


def _can_show(picture: Picture, options: GameOptions) -> bool:
    if options.pictures == "ocr":
        return bool(picture.transcript)
    return options.pictures != "caption" or bool(picture.description)
