"""Whole matches: in every game, on either side, in both languages, and from any moment on."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from arena.core.events import Event, Said, TurnNoted, TurnSkipped
from arena.core.game import Game, SelfContained
from arena.core.playouts.playout import start_state
from arena.core.seats import Faction, SeatId
from arena.core.state import MatchState
from arena.core.transitions import MatchSetup
from arena.games.game_registry import all_games, find_game
from arena.memory.embedding import Embedder, Vectors, to_unit
from arena.memory.ngram_embedder import NGRAMS
from arena.memory.search_log import RecordedSearches
from arena.models.chat import CallId, Request
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.models.recording import RecordedCall, RecordedCalls, RecordingModel, ReplayingModel
from arena.players.contestants import read_contestant
from arena.players.player import Player
from arena.players.roster import make_player
from arena.records.match_replay import Replayed, replay_match
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from arena.run.match.restore import restore_players
from scripts_mm.script import Language, Role, Script
from tests.arena.games.cases import case_of, short_options
from tests.arena.players.context.stage import make_limits
from tests.table import case

GAMES = tuple(all_games())
PARTS = ("none", "mr", "mr+sr", "mr+sr+sv1", "mr+sr+sv3")
ODD_NAMES = ("Ada 【Quill】", "Bram·Stone", "Cleo (of) “Marsh”", "阿 德", "{Edda} %s")
WORDS = (
    "At 21:00 I saw Otto Lamm at the pier; 22:30 I slept.",
    "Where were you? I suspect Bram Stone.\n1. At 9:05 Ada left.\n2. At 21:00 Ada met Cleo.",
    "我晚上九点在家。21:30看到了灯。",
)


def talkative(request: Request) -> str:
    """Return a legal reply that depends on the prompt, with words that hold times."""
    if request.constraint is not None:
        return legal_reply(request)
    return WORDS[crc32(request.messages[-1].text.encode()) % len(WORDS)]


def garbled(request: Request) -> str:
    """Return a legal reply, or one of no use."""
    number = crc32(repr((request.call_id, request.messages[-1].text)).encode())
    bad = ("", "{", "<think>", "Nobody", '{"1": "yes"', "nein")
    return bad[number // 2 % len(bad)] if number % 2 else talkative(request)


class Drifting:
    """An embedder whose vectors differ from process to process."""

    name = "drifting"
    is_repeatable = False
    threshold = -1.0

    def __init__(self) -> None:
        self._chance = np.random.default_rng()

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return to_unit(self._chance.normal(size=(len(texts), 8)))


class Table:
    """The players of a match, who share a model and a record of calls."""

    def __init__(
        self,
        setup: MatchSetup,
        seats: Mapping[SeatId, Faction],
        contestants: Mapping[Faction, str],
        reply: Callable[[Request], str],
        calls: Mapping[CallId, RecordedCall] | None = None,
        embedder: Embedder = NGRAMS,
    ) -> None:
        self.recorded = RecordedCalls(calls or {})
        self.kept: dict[CallId, RecordedCall] = dict(calls or {})
        chat = RecordingModel(FunctionModel(reply), save=self._save)
        model = ReplayingModel(chat, calls=self.recorded)
        searches = RecordedSearches(self.recorded, save=self._save, model=embedder.name)
        limits = make_limits(None, embedder=embedder, searches=searches)
        self.players: dict[SeatId, Player] = {
            seat: make_player(
                read_contestant(contestants[side]),
                model if contestants[side] != "random" else None,
                limits if contestants[side] != "random" else None,
            )
            for seat, side in seats.items()
        }
        self.setup = setup

    def _save(self, call: RecordedCall) -> None:
        assert call.request.call_id not in self.kept, f"asked twice: {call.request.call_id}"
        self.kept[call.request.call_id] = call


async def play_on(
    game: Game, state: MatchState, table: Table, replayed: Replayed | None = None
) -> tuple[Event, ...]:
    if replayed is not None:
        await restore_players(replayed, table.players, table.recorded)
    loop = MatchLoop(
        game=game,
        seats={
            seat: SeatBinding(player=player, health=None) for seat, player in table.players.items()
        },
        control=TurnControl(deadline=60.0),
        sink=lambda _: None,
        recorded=list(replayed.unanswered) if replayed else [],
    )
    return (await loop.run(state)).history


def setup_match(game: Game, script: Script | None = None, **options: Any) -> MatchSetup:
    rules = replace(short_options(game), **options)
    return MatchSetup(script=script or case_of(game), options=rules, seed=1)


def sides(game: Game, setup: MatchSetup) -> dict[SeatId, Faction]:
    parts = start_state(game, setup).started.parts
    return {part.seat: part.faction for part in parts}


def play(
    game: Game,
    setup: MatchSetup,
    contestants: Mapping[Faction, str],
    reply: Callable[[Request], str] = talkative,
    embedder: Embedder = NGRAMS,
) -> tuple[tuple[Event, ...], Table]:
    table = Table(setup, sides(game, setup), contestants, reply, embedder=embedder)
    return asyncio.run(play_on(game, start_state(game, setup), table)), table


def both(options: str = "") -> dict[Faction, str]:
    who = f"m+thinkthrice:{options}"
    return {"civilians": who, "murderer": who}


@pytest.mark.slow
@pytest.mark.parametrize("random", ["civilians", "murderer", "nobody"])
@pytest.mark.parametrize("name", GAMES)
def test_it_plays_every_game_on_either_side(name: str, random: str) -> None:
    game = all_games()[name]
    contestants: dict[Faction, str] = {
        side: "random" if side == random else who for side, who in both().items()
    }
    events, _ = play(game, setup_match(game), contestants)
    ended = events[-1]
    assert ended.kind == "match_ended"
    assert ended.outcome not in {"error", "forfeit"}
    assert not [one for one in events if isinstance(one, TurnSkipped) and one.cause != "declined"]
    assert not [one for one in events if isinstance(one, TurnNoted) and one.topic == "step_failed"]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", GAMES)
def test_no_reply_of_a_model_breaks_a_match(name: str, language: Language) -> None:
    game = all_games()[name]
    script = (
        game.make_script(language)
        if isinstance(game, SelfContained)
        else replace(case_of(game), language=language)
    )
    events, table = play(game, setup_match(game, script), both("parts=mr+sr+sv1"), garbled)
    assert events[-1].kind == "match_ended"
    assert events[-1].outcome != "error"
    assert len(table.kept) > 5
    has_steps = any(call.kind == "step" for call in table.kept)
    failed = [one for one in events if isinstance(one, TurnNoted) and one.topic == "step_failed"]
    assert bool(failed) == has_steps


@pytest.mark.slow
@pytest.mark.parametrize("parts", PARTS)
def test_every_variant_plays_its_game(parts: str) -> None:
    game = find_game("thinkthrice")
    events, _ = play(game, setup_match(game), both(f"parts={parts}"))
    assert events[-1].kind == "match_ended"
    topics = {one.topic for one in events if isinstance(one, TurnNoted)}
    assert ("verified" in topics) == ("sv" in parts)
    assert ("refined" in topics) == ("sr" in parts)


def renamed(names: tuple[str, ...]) -> Script:
    """Return the small case with other names."""
    script = case(names, (names[2],))

    def rename(role: Role, name: str) -> Role:
        return replace(role, script=f"You are {name}. At 21:00 you saw Otto Lamm.")

    roles = tuple(map(rename, script.roles, names))
    return replace(script, roles=roles)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_names_may_hold_brackets_dots_and_spaces(language: Language) -> None:
    game = find_game("thinkthrice")
    script = replace(renamed(ODD_NAMES), language=language)
    events, _ = play(game, setup_match(game, script), both("parts=mr+sr+sv1"))
    assert events[-1].kind == "match_ended"
    assert not [one for one in events if isinstance(one, TurnSkipped)]
    assert {one.seat for one in events if isinstance(one, Said)} == set(ODD_NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["thinkthrice", "whodunit", "mirage"])
@pytest.mark.parametrize("reply", [talkative, garbled], ids=["talkative", "garbled"])
def test_a_match_resumed_anywhere_goes_on_as_the_whole_one(
    name: str, reply: Callable[[Request], str]
) -> None:
    game = all_games()[name]
    setup = setup_match(game)
    contestants = both("parts=mr+sr+sv1")
    whole, table = play(game, setup, contestants, reply)
    cuts = Random(1).sample(range(2, len(whole)), k=min(12, len(whole) - 2))
    for cut in cuts:
        replayed = replay_match(game, setup.script, whole[:cut])
        again = Table(setup, sides(game, setup), contestants, reply, table.kept)
        assert asyncio.run(play_on(game, replayed.state, again, replayed)) == whole, cut
        assert again.kept == table.kept


@pytest.mark.slow
def test_a_resumed_match_remembers_what_it_found_with_vectors_that_drift() -> None:
    game = find_game("thinkthrice")
    setup, contestants = setup_match(game), both("parts=mr,top_k=2")
    whole, table = play(game, setup, contestants, embedder=Drifting())
    assert any(call.kind == "search" for call in table.kept)
    for cut in (10, len(whole) // 2, len(whole) - 3):
        replayed = replay_match(game, setup.script, whole[:cut])
        kept, drifting = table.kept, Drifting()
        again = Table(setup, sides(game, setup), contestants, talkative, kept, drifting)
        assert asyncio.run(play_on(game, replayed.state, again, replayed)) == whole, cut


def test_prompts_of_a_chinese_match_are_chinese() -> None:
    game = find_game("thinkthrice")
    _, table = play(
        game, setup_match(game, replace(case(), language="zh")), both("parts=mr+sr+sv1")
    )
    steps = [call.request for call in table.kept.values() if call.request.call_id.kind == "step"]
    assert {"whom", "question", "timeline"} <= {one.call_id.chunk for one in steps}
    for step in steps:
        text = step.messages[-1].text
        for word in ("yes", "no", "correct", "Reply with", "Write only", "none"):
            assert f" {word} " not in text, text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "has_crime"), [("werewolf5", False), ("thinkthrice", True)])
def test_a_timeline_is_one_of_the_day_of_the_crime_where_there_is_a_crime(
    name: str, has_crime: bool
) -> None:
    game = find_game(name)
    _, table = play(game, setup_match(game), both())
    listed = [
        call.request.messages[-1].text
        for call in table.kept.values()
        if call.request.call_id.chunk == "timeline"
    ]
    assert listed
    assert all(("day of the crime as your script" in text) == has_crime for text in listed)
