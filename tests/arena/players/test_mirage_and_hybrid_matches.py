"""Whole matches of `mirage` and `hybrid`: every game, either side, both languages, any moment."""

import zlib
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.core.events import ActionRejected, Said, TurnNoted, TurnSkipped
from arena.core.game import SelfContained
from arena.core.purposes import Purpose
from arena.core.state import replay
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games
from arena.models.chat import Request
from arena.models.legal_replies import legal_reply
from scripts_mm.script import Language, Script
from tests.arena.games.cases import case_of, setup_of, short_options
from tests.arena.players.bad_texts import BAD_TEXTS
from tests.arena.players.context.stage import SmallModel, count, long_case
from tests.arena.players.scripted_replies import Played, name_of, play
from tests.table import NAMES

GAMES = tuple(all_games())
PLAYERS = ("mirage", "hybrid")
BAD = tuple(BAD_TEXTS.values())
ODD_NAMES = ("Ada 【Quill】", "Bram·Stone", "Cleo (of) “Marsh”", "阿 德", "{Edda} %s")
ANALYSES = (
    "suspect: {0} -> {1}, 2, was seen near the study\nstatement: {0} | 21:00 | cellar | read | -",
    "suspect: {1} -> {0}, 0, lies\nclash: {0} | says two things\nkey: 1, 2\nknown: 3",
    "怀疑: {0} -> {1}, 1, 说谎\n最后: 是\n未答: {1} | 为什么",
    "None",
)


def setup_in(name: str, language: Language = "en", **options: Any) -> MatchSetup:
    game = all_games()[name]
    made = game.make_script(language) if isinstance(game, SelfContained) else case_of(game)
    rules = replace(short_options(game), **options)
    return MatchSetup(script=replace(made, language=language), options=rules, seed=1)


def talkative(names: tuple[str, ...]) -> Any:
    """Return a voice whose analyses name seats, and so make rules speak."""

    def say(request: Request) -> str | None:
        number = zlib.crc32(repr((request.call_id, request.messages[-1].text)).encode())
        one, two = names[number % len(names)], names[number // 7 % len(names)]
        match name_of(request):
            case "analysis":
                return ANALYSES[number % len(ANALYSES)].format(one, two)
            case "votes":
                return f"{one} -> {two}"
            case "claims":
                return f"{one}, {two}, werewolf"
            case _:
                return None

    return say


def garbled(request: Request) -> str:
    """Return a legal reply, or one of no use."""
    number = zlib.crc32(repr((request.call_id, request.messages[-1].text)).encode())
    return BAD[number // 2 % len(BAD)] if number % 2 else legal_reply(request)


def names_of(setup: MatchSetup) -> tuple[str, ...]:
    return tuple(role.name for role in setup.script.roles)


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1, 2])
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", GAMES)
def test_it_plays_every_game_on_either_side(name: str, player: str, side: int) -> None:
    setup = setup_in(name)
    sides = {0: (player, "direct"), 1: ("direct", player), 2: (player, player)}[side]
    played = play(setup, name, sides, talkative(names_of(setup)))
    ended = played.events[-1]
    assert ended.kind == "match_ended"
    assert ended.outcome not in {"error", "forfeit"}
    assert not any(isinstance(one, ActionRejected) for one in played.events)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", GAMES)
def test_no_reply_of_a_model_breaks_a_match(name: str, player: str, language: Language) -> None:
    played = play(setup_in(name, language), name, (player, player), garbled)
    assert played.events[-1].kind == "match_ended"
    assert played.events[-1].outcome != "error"


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", ["whodunit", "mirage", "werewolf5", "thinkthrice"])
@pytest.mark.parametrize("voice", ["talkative", "garbled"])
def test_a_match_resumed_anywhere_goes_on_as_the_whole_one(
    name: str, player: str, voice: str
) -> None:
    setup = setup_in(name)
    say = garbled if voice == "garbled" else talkative(names_of(setup))
    whole = play(setup, name, (player, player), say)
    for cut in Random(2).sample(range(2, len(whole.events)), k=8):
        again = play(setup, name, (player, player), say, resumed=(whole, cut))
        assert again.events == whole.events, cut
        assert again.calls == whole.calls


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_the_same_replies_give_the_same_match(player: str) -> None:
    setup = setup_in("whodunit")
    say = talkative(names_of(setup))
    first = play(setup, "whodunit", (player, player), say)
    alone = play(setup, "whodunit", (f"{player}:together=no", f"{player}:together=no"), say)
    assert first.events[1:] == alone.events[1:]


def renamed(script: Script) -> Script:
    """Return a script with other names of its roles."""
    names = dict(zip((role.name for role in script.roles), ODD_NAMES, strict=False))
    return replace(
        script,
        questions=(),
        roles=tuple(replace(role, name=names[role.name]) for role in script.roles),
        truth=replace(script.truth, culprits=tuple(names[one] for one in script.truth.culprits)),
        clues=tuple(
            replace(one, owner=names[one.owner] if one.owner else None) for one in script.clues
        ),
    )


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("name", ["whodunit", "thinkthrice", "mirage", "questum"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_names_may_hold_brackets_dots_spaces_and_braces(
    name: str, player: str, language: Language
) -> None:
    setup = setup_in(name, language)
    setup = replace(setup, script=renamed(setup.script))
    played = play(setup, name, (player, player), talkative(ODD_NAMES))
    assert played.events[-1].kind == "match_ended"
    skipped = [one for one in played.events if isinstance(one, TurnSkipped)]
    assert all(one.cause == "declined" for one in skipped)
    assert {one.seat for one in played.events if isinstance(one, Said)} == set(names_of(setup))


@pytest.mark.slow
@pytest.mark.parametrize("player", [*PLAYERS, "mirage:rater_role=no", "mirage:force_summary"])
@pytest.mark.parametrize("name", ["whodunit", "mirage", "questum"])
def test_no_prompt_holds_a_word_of_another_seats_private_view(name: str, player: str) -> None:
    setup = setup_in(name)
    script = setup.script
    roles = tuple(
        replace(role, script=f"{role.script} KEEP-{number}.", parts=())
        for number, role in enumerate(script.roles)
    )
    setup = replace(setup, script=replace(script, roles=roles))

    def say(request: Request) -> str:
        return legal_reply(request)

    played = play(setup, name, (player, player), say)
    for request in played.made:
        text = "\n".join(message.text for message in request.messages)
        own = names_of(setup).index(request.call_id.seat)
        foreign = [n for n in range(len(roles)) if n != own and f"KEEP-{n}" in text]
        said = "".join(one.text for one in played.events if isinstance(one, Said))
        assert not [n for n in foreign if f"KEEP-{n}" not in said], request.call_id


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("overflow", ["summarise", "drop_oldest", "retrieve"])
def test_a_script_that_exceeds_the_context_is_shortened(player: str, overflow: str) -> None:
    game = all_games()["whodunit"]
    setup = replace(setup_of(game), script=long_case(9000))
    small = SmallModel()
    played = play_small(setup, f"{player}:overflow={overflow},reply_tokens=256", small)
    ended = played.events[-1]
    assert ended.kind == "match_ended"
    assert ended.outcome != "error", ended.cause
    for request in small.requests:
        assert count(request.messages) + request.max_tokens <= small.context


def play_small(setup: MatchSetup, player: str, model: SmallModel) -> Played:
    """Play a match on a model with a small context."""

    def say(request: Request) -> str:
        model.requests.append(request)
        return legal_reply(request)

    return play(
        setup,
        "whodunit",
        (player, player),
        say,
        context=model.context,
        reply_tokens=256,
    )


@pytest.mark.slow
@pytest.mark.parametrize("player", PLAYERS)
def test_a_match_with_summaries_is_resumed_without_making_one_twice(player: str) -> None:
    setup = replace(setup_of(all_games()["whodunit"]), script=long_case(6000))
    who = f"{player}:overflow=summarise", f"{player}:overflow=summarise"
    limits: dict[str, Any] = {"context": 4096, "reply_tokens": 200}
    whole = play(setup, "whodunit", who, legal_reply, **limits)
    assert any(key.kind == "summary" for key in whole.calls)
    for cut in Random(4).sample(range(2, len(whole.events)), k=4):
        again = play(setup, "whodunit", who, legal_reply, resumed=(whole, cut), **limits)
        assert again.events == whole.events
        assert again.calls == whole.calls


CALLS = {
    ("mirage", "whodunit"): {},
    ("mirage", "mirage"): {},
    ("hybrid", "whodunit"): {Purpose.INTRODUCE: 2, Purpose.ASK: 3, Purpose.ANSWER: 3},
    ("hybrid", "questum"): {Purpose.INTRODUCE: 2, Purpose.ASK: 3, Purpose.ANSWER: 3},
    ("hybrid", "mirage"): {Purpose.INTRODUCE: 2, Purpose.ACT: 3, Purpose.ANSWER: 3},
}


@pytest.mark.slow
@pytest.mark.parametrize(("player", "name"), CALLS)
def test_calls_equal_the_formula(player: str, name: str) -> None:
    played = play(setup_in(name), name, (player, player), lambda _: None)
    state = replay(setup_in(name).script, played.events)
    requests = [
        one for event in state.history for one in getattr(event, "requests", ()) if one.spec
    ]
    calls = played.count()
    for purpose in {one.purpose for one in requests}:
        number = sum(one.purpose == purpose for one in requests)
        each = CALLS[player, name].get(purpose, 1)
        if (player, purpose) in {("hybrid", Purpose.VOTE), ("hybrid", Purpose.ACCUSE)}:
            assert calls[purpose] <= 2 * number, "an analysis and a reply"
        else:
            assert calls[purpose] == each * number, purpose


def test_situations_are_noted_in_the_record() -> None:
    setup = setup_in("whodunit")
    played = play(setup, "whodunit", ("hybrid", "hybrid"), talkative(NAMES))
    topics = {one.topic for one in played.events if isinstance(one, TurnNoted)}
    assert {"rule", "table"} <= topics
