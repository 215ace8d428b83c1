"""What seats of werewolf5 read follows the options, in both languages."""

import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

import arena.games.werewolf5.texts as module
from arena.core.events import Announced, RequestsOpened
from arena.core.observation import Spectator, observe
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.games.werewolf5.game import WEREWOLF5
from arena.games.werewolf5.village import NAMES, make_village
from arena.players import prompts
from arena.run.match.probes import ballot_probes
from scripts_mm.script import LANGUAGES, Language
from tests.arena.games.werewolf5.scenes import (
    execute,
    seat,
    start,
    talk,
    to_vote,
    until,
)
from tests.table import act, legal, play

WORDING = Path(module.__file__).parent / "wording"


def rules(language: Language = "en", **options: Any) -> str:
    state = start(language=language, **options)
    return WEREWOLF5.texts(observe(state, Spectator())).rules()


def role(state: MatchState, power: str) -> str:
    return WEREWOLF5.texts(observe(state, seat(state, power))).role()


def tables(language: Language) -> dict[str, str]:
    found: dict[str, dict[str, str]] = tomllib.loads((WORDING / f"{language}.toml").read_text())
    return {f"{name}.{key}": text for name, table in found.items() for key, text in table.items()}


def test_both_languages_have_the_same_texts_with_the_same_names() -> None:
    def names(text: str) -> set[str]:
        return set(re.findall(r"(?<!\{)\{(\w+)\}", text))

    en, zh = tables("en"), tables("zh")
    assert list(en) == list(zh)
    for key, text in en.items():
        assert names(text) == names(zh[key]), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_that_is_played_changes_the_rules(language: Language) -> None:
    plain = rules(language)
    changed = {
        "days": "first_day",
        "greeting": True,
        "talk_turns": 1,
        "order": "script",
        "utterances": "together",
        "tie": "none",
    }
    found = {name: rules(language, **{name: value}) for name, value in changed.items()}
    assert len({plain, *found.values()}) == len(found) + 1
    assert rules(language, tie="random") not in {plain, found["tie"]}
    assert rules(language, order="rotated") not in {plain, found["order"]}
    # Whose contestant plays a seat is nothing that a seat is told.
    assert rules(language, possessed="civ") == plain
    together = {rules(language, utterances="together", order=o) for o in ("script", "shuffled")}
    assert len(together) == 1, "an order that is not played is not told"


def test_a_game_of_one_day_tells_nothing_of_deaths_at_night() -> None:
    one, whole = rules(days="first_day"), rules()
    for words in ("attacks one", "leaves the game", "next day"):
        assert words not in one
        assert words in whole
    assert "decides the game" in one
    assert "Each night but the first you attack" in role(start(), "werewolf")
    assert "attack" not in role(start(days="first_day"), "werewolf")
    assert "Each night" not in role(start(days="first_day"), "seer")
    assert role(start(days="first_day"), "villager") == role(start(), "villager")


@pytest.mark.parametrize(
    ("language", "always", "ballots", "counts", "one", "two"),
    [
        (
            "en",
            ("who gives no vote abstains", "If everybody abstains in a vote, the wolf side wins"),
            "who voted for whom",
            "how many votes each player has",
            "One of the five players never votes",
            "Of the five players, 2 never vote",
        ),
        (
            "zh",
            ("没有投票的算弃权", "所有人都弃权时，狼人阵营获胜"),
            "公布谁投了谁",
            "公布每人的票数",
            "五位玩家中有一位从不投票",
            "五位玩家中有2位从不投票",
        ),
    ],
)
def test_the_rules_say_what_a_missing_vote_means_and_how_many_never_vote(
    language: Language, always: tuple[str, str], ballots: str, counts: str, one: str, two: str
) -> None:
    plain = rules(language)
    both = rules(language, silent=("murderer",))
    single = rules(language, silent=("murderer",), possessed="civ")
    for text in (plain, both, single):
        assert all(words in text for words in always)
    assert ballots in plain
    assert one not in plain
    assert (one in single, two in both) == (True, True)
    for text in (both, single):
        assert counts in text
        assert ballots not in text, "the ballots would show who never votes"


@pytest.mark.parametrize(
    ("language", "asked"), [("en", "Who do you believe at this moment is the werewolf? "),
                            ("zh", "此刻你认为谁是狼人？")]
)  # fmt: skip
def test_a_silent_ballot_asks_for_the_werewolf(language: Language, asked: str) -> None:
    state = to_vote(start(language=language, greeting=True))
    for probe in ballot_probes(state):
        told = prompts.instruction(observe(state, probe.request.seat), probe.request)
        assert asked in told
        assert "murderer" not in told
        assert "凶手" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_before_a_greeting_nobody_thinks_of_claims_and_results(language: Language) -> None:
    state = start(language=language, greeting=True)
    [greet] = pending(state)
    vote = pending(to_vote(state))[0]
    for one in state.started.seats:
        texts = WEREWOLF5.texts(observe(state, one))
        assert texts.thought(greet) == tables(language)["thought.greet"].strip()
        assert texts.thought(vote) != texts.thought(greet)


def test_the_greeting_is_told_only_where_it_is_played() -> None:
    assert "Greeting" in rules(greeting=True)
    assert "Greeting" not in rules()
    assert "1. Night" in rules()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("values", [{}, {"days": "first_day"}, {"utterances": "together"}])
def test_every_prompt_of_a_match_is_filled_in(language: Language, values: dict[str, Any]) -> None:
    for seed in range(4):
        chance = Random(seed)
        state = play(start(seed, language, greeting=True, talk_turns=3, **values),
                     lambda one, chance=chance: legal(one, chance))  # fmt: skip
        texts: list[str] = []
        for event in state.history:
            if isinstance(event, RequestsOpened):
                for request in event.requests:
                    seen = observe(state, request.seat, state.history.index(event))
                    texts += [prompts.instruction(seen, request), prompts.thought(seen, request)]
        for watcher in (*state.started.seats, Spectator(), Spectator(truth=True)):
            seen = observe(state, watcher)
            own = WEREWOLF5.texts(seen)
            texts += [own.rules(), *own.result(state), *map(own.line, seen.events)]
        lines = "\n".join(texts)
        assert "{}" not in lines
        assert not re.search(r"\{\w+\}", lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_games_own_script_has_five_villagers_with_a_voice_and_no_murderer(
    language: Language,
) -> None:
    script = make_village(language)
    assert script == WEREWOLF5.make_script(language)
    assert (script.id, script.language, script.names) == ("werewolf5", language, NAMES[language])
    assert not script.murderers
    assert not script.victims
    texts = [one.script for one in script.roles]
    assert len(set(texts)) == 5
    roles = ("wolf", "seer", "possessed", "狼人", "预言家", "狂人")
    for name, text in zip(script.names, texts, strict=True):
        assert name in text
        assert not [word for word in roles if word in text], "a persona hints at no role"


def test_the_advised_length_is_told_and_a_limit_cuts() -> None:
    state = to_vote(start())
    request = next(
        one
        for event in state.history
        if isinstance(event, RequestsOpened)
        for one in event.requests
        if one.kind == "speak"
    )
    seen = observe(state, request.seat)
    assert "at most 100 characters" in WEREWOLF5.texts(seen).instruction(request)
    assert request.max_chars == 4000
    short = to_vote(start(max_chars=100, talk_chars=60))
    asked = [e for e in short.history if isinstance(e, RequestsOpened)]
    assert {one.max_chars for event in asked for one in event.requests} == {100}


def test_a_second_day_names_its_number_and_the_living() -> None:
    state = start()
    out = seat(state, "possessed")
    state = execute(to_vote(state), out)
    state = play(state, lambda one: legal(one, Random(1)), most_answers=2)
    request = next(one for one in state.open if one.kind == "speak")
    text = WEREWOLF5.texts(observe(state, request.seat)).instruction(request)
    assert text.startswith("Day 2, turn 1 of at most 10")
    assert out not in text


def test_a_seat_hears_that_the_lot_used_its_power_only_where_it_did() -> None:
    lot = "(There was no choice, so the lot chose.)"
    for late in (True, False):
        state = start()
        seer, request = seat(state, "seer"), pending(state)[0]
        state = act(state, request, None if late else legal(request, Random(1)))
        seen = observe(state, seer)
        [vision] = [one for one in seen.events if isinstance(one, Announced)]
        assert (lot in WEREWOLF5.texts(seen).line(vision)) == late


def test_a_seat_is_reminded_of_those_alone_who_spoke_to_it() -> None:
    state = until(start(greeting=False, order="script"), "speak")
    speaker, *_ = (one.seat for one in pending(state))
    to, other = [name for name in state.started.seats if name != speaker][:2]
    state = act(state, pending(state)[0], talk("Who are you?", to))
    reminded = {
        one.seat: speaker in str(WEREWOLF5.texts(observe(state, one.seat)).values(one)["asked"])
        for one in state.open
        if one.kind == "speak"
    }
    assert reminded[to]
    assert not reminded[other]


def test_the_end_tells_who_was_what() -> None:
    state = start()
    state = execute(to_vote(state), seat(state, "werewolf"))
    first, second = WEREWOLF5.texts(observe(state, SeatId("Agnes"))).result(state)
    assert first == "The village wins: the werewolf was executed."
    assert f"{seat(state, 'seer')} (seer)" in second
