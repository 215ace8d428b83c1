"""Runs without play: what is known, one wave of requests, a result that is no match."""

import os
import re
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.core.actions import choose
from arena.core.events import Announced, ClueRevealed, QuestionAsked, Said, VoteCast
from arena.core.observation import Spectator, observe
from arena.core.playouts.playout import start_state
from arena.core.purposes import Purpose
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.games.reading.game import READING, REFERENCE
from arena.games.reading.options import ReadingOptions
from arena.players import prompts
from scripts_mm.catalog import find_script, list_bundled
from scripts_mm.importers.wellplay import import_wellplay
from scripts_mm.script import LANGUAGES, Clue, Language, Script, ScriptError
from tests.arena.games.questum.scenes import FOUR, crime, events_of
from tests.arena.games.reading.scenes import KEY, with_key_clue
from tests.table import (
    act,
    legal,
    play,
    secret,
    setup,
)

ADA, BRAM, CLEO, DIRK = FOUR
BUNDLED = [(entry.id, language) for entry in list_bundled() for language in entry.languages]


def written() -> Script:
    """Return a case with two victims, key clues and clues of all kinds."""
    script = crime(Otto=(ADA,), Maud=(BRAM,))
    owned = Clue(id="own", title="Ring", text="CLUE-OF-CLEO", owner=CLEO)
    return with_key_clue(replace(script, clues=(*script.clues, owned)))


def start(preset: str = "default", script: Script | None = None, **options: Any) -> MatchState:
    values: dict[str, Any] = {**READING.presets[preset], **options}
    return start_state(READING, setup(ReadingOptions(**values), script=script or written()))


def prompt(state: MatchState, seat: str) -> str:
    """Return all that a seat reads before it answers."""
    seen = observe(state, SeatId(seat))
    messages = (*prompts.header(seen), *prompts.lines(seen, 0, len(seen.events)))
    asked = [prompts.instruction(seen, one) for one in pending(state) if one.seat == seat]
    return "\n".join([*(message.text for message in messages), *asked])


def finish(state: MatchState) -> MatchState:
    chance = Random(2)
    return play(state, lambda request: legal(request, chance))


@pytest.mark.parametrize(
    ("preset", "count"),
    [("default", 8), ("personal", 8), ("omniscient", 8), ("full-script", 8), ("clues-given", 12)],
)
def test_all_requests_are_one_wave_and_nobody_talks(preset: str, count: int) -> None:
    state = start(preset)
    assert len(pending(state)) == count
    assert {one.purpose for one in pending(state)} <= {Purpose.VOTE, Purpose.CONCLUDE}
    ended = finish(state)
    assert not events_of(ended, QuestionAsked)
    assert len(events_of(ended, Said)) == count - 8
    for observer in (SeatId(DIRK), Spectator()):
        seen = observe(ended, observer).events
        assert {one.seat for one in seen if isinstance(one, Said | VoteCast)} <= {DIRK}


def test_a_seat_knows_only_its_own_script_without_more() -> None:
    state = start("personal")
    for name in FOUR:
        known = prompt(state, name)
        assert secret(name) in known
        assert not any(secret(other) in known for other in FOUR if other != name)
        assert ("CLUE-OF-CLEO" in known) == (name == CLEO)
        assert "torn out" not in known, "clues for all belong to the game with talk"
        assert KEY not in known


@pytest.mark.parametrize("preset", ["omniscient", "full-script"])
def test_all_scripts_are_known_to_all_where_the_rule_says_so(preset: str) -> None:
    state = start(preset)
    announced = events_of(state, Announced)
    assert [dict(one.values)["role"] for one in announced] == [*FOUR]
    assert {(one.topic, one.audience) for one in announced} == {("script", "all")}
    for name in FOUR:
        known = prompt(state, name)
        assert all(secret(other) in known for other in FOUR)
        assert all(f"MISSION-{secret(other)}" in known for other in FOUR)
        assert known.count(f"You are {name}. {secret(name)}") == 1, (
            "its own script is in the prompt once"
        )
        assert "CLUE-OF-CLEO" in known
        assert "torn out" in known
        assert KEY not in known
        assert "TRUTH-TEXT" not in known


def test_key_clues_are_known_only_where_they_are_given() -> None:
    state = start("clues-given")
    [key] = events_of(state, Announced)
    assert (key.topic, key.audience) == ("key_clue", "all")
    shown = {one.clue: one.audience for one in events_of(state, ClueRevealed)}
    assert shown == {"log": "all", "plan": "all", "note": (BRAM,), "own": (CLEO,)}
    for name in FOUR:
        known = prompt(state, name)
        assert KEY in known
        assert "torn out" in known
        assert not any(secret(other) in known for other in FOUR if other != name)
        assert "TRUTH-TEXT" not in known


def test_a_script_without_key_clues_is_refused_where_they_are_given() -> None:
    with pytest.raises(ScriptError, match="has no key clues; reading with knowledge=key_clues"):
        start("clues-given", crime())
    assert pending(start("personal", crime()))


@pytest.mark.parametrize(
    ("preset", "wanted"),
    [("personal", "murderer_win"), ("full-script", "murderer_win"), ("clues-given", "draw")],
)
def test_votes_are_counted_as_the_game_of_the_row_counts_them(preset: str, wanted: str) -> None:
    """One solved, one tied: lost by the rules of two papers, a draw by the third."""
    state = start(preset, conclusions=False)
    ballots = {
        "Otto": {BRAM: ADA, CLEO: ADA},
        "Maud": {ADA: BRAM, BRAM: ADA, CLEO: BRAM, DIRK: ADA},
    }
    for request in pending(state):
        choice = ballots[request.about].get(request.seat, "abstain")
        state = act(state, request, choose(choice))
    assert state.ended is not None
    assert [one.outcome for one in state.ended.results] == ["civ_win", wanted]
    assert state.ended.outcome == wanted


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", READING.presets)
def test_the_game_and_its_end_say_that_it_is_no_match(preset: str, language: Language) -> None:
    ended = finish(start(preset, replace(written(), language=language)))
    assert ended.ended is not None
    assert ended.ended.cause == REFERENCE
    words = {"en": "no match between players", "zh": "不是玩家之间的比赛"}[language]
    assert words in READING.texts(observe(ended, Spectator())).result(ended)[0]
    assert "no match between players" in READING.about


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", READING.presets)
def test_no_prompt_holds_a_name_that_was_not_filled_in(preset: str, language: Language) -> None:
    state = start(preset, replace(written(), language=language))
    for name in FOUR:
        text = prompt(state, name)
        assert not re.search(r"\{[a-z_]+\}", text)
        assert not (language == "zh" and "abstain" in text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_follow_the_options(language: Language) -> None:
    script = replace(written(), language=language)
    rules = {
        name: READING.texts(observe(start(name, script), SeatId(ADA))).rules()
        for name in ("personal", "omniscient", "full-script", "clues-given")
    }
    assert len(set(rules.values())) == 4
    conclusion = {"en": "Conclusion:", "zh": "推理："}[language]
    assert [conclusion in one for one in rules.values()] == [False, False, False, True]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("preset", ["personal", "clues-given"])
def test_the_rules_name_the_own_clues_where_a_seat_is_dealt_them(
    preset: str, language: Language
) -> None:
    state = start(preset, replace(written(), language=language))
    dealt = [one for one in events_of(state, ClueRevealed) if one.audience == (CLEO,)]
    assert [one.clue for one in dealt] == ["own"]
    rules = READING.texts(observe(state, SeatId(CLEO))).rules()
    words = {"en": r"the script and the clues of your own role", "zh": r"自己角色的剧本和线索"}
    assert re.search(words[language], rules)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language"), BUNDLED)
def test_every_bundled_script_is_read_under_every_preset(name: str, language: Language) -> None:
    script = find_script(name, language).script
    for preset in READING.presets:
        ended = finish(start(preset, script))
        assert ended.ended is not None
        assert len(ended.ended.results) == len(script.victims)


@pytest.mark.slow
def test_every_published_script_is_read() -> None:
    folder = Path(os.environ.get("ARENA_SAMPLE_DATA", "."), "wellplay")
    if not folder.is_dir():
        pytest.skip("ARENA_SAMPLE_DATA names no folder with wellplay")
    for one in sorted(path for path in folder.glob("*/*") if path.is_dir()):
        script = import_wellplay(one).script
        for preset in ("personal", "omniscient", "full-script"):
            assert finish(start(preset, script)).ended is not None
        with pytest.raises(ScriptError, match="has no key clues"):
            start("clues-given", script)
