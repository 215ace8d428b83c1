"""The rules that seats read say what is played under each option, and nothing else."""

from dataclasses import replace
from itertools import product
from typing import Any, get_args, get_type_hints

import pytest

from arena.core.events import PhaseStarted
from arena.core.observation import observe
from arena.core.requests import DecisionRequest
from arena.core.specs import OneOf
from arena.core.state import MatchState, pending
from arena.games.mirage.game import MIRAGE
from arena.games.mirage.options import MirageOptions
from arena.games.mirage.speeches import WORDING
from arena.games.shared.texts import find_wording
from arena.players import prompts
from scripts_mm.script import Language, Script
from tests.arena.games.mirage.scenes import (
    asks_all,
    case,
    events_of,
    finds,
    play,
    requests_of,
    start,
)

PHRASES: dict[str, dict[Language, str]] = {
    "accusation": {"en": "Accusation:", "zh": "指控："},
    "only the accused": {"en": "Only players who were accused", "zh": "只能投给被指控的玩家"},
    "not accusers": {"en": "whom they accused", "zh": "不能投给自己指控过的玩家"},
    "self": {"en": "voting for oneself", "zh": "可以投给自己"},
    "own place": {"en": "name of their own role", "zh": "自己角色名字的地点"},
    "by lot": {"en": "drawn by lot, is shown", "zh": "抽签选出一条"},
    "next clue": {"en": "The next clue at that place", "zh": "该地点的下一条线索"},
    "all clues": {"en": "All clues at that place", "zh": "该地点的所有线索"},
    "speak first": {"en": "first the players speak one after", "zh": "先由玩家依次发言"},
    "search": {"en": "Search, ", "zh": "搜查，"},
    "parts": {"en": "The case has several parts", "zh": "案件分为几个部分"},
    "introduced again": {
        "en": "Introduction, at the beginning of every part",
        "zh": "自我介绍：案件的每个部分开始时",
    },
    "shared out": {"en": "shared out over the parts", "zh": "分配到案件的各个部分"},
    "each part": {"en": "in every part of the case: ", "zh": "案件的每个部分各"},
    "tie lost": {"en": "If there is a tie, the murderer wins.", "zh": "平票则凶手获胜。"},
    "tie drawn": {"en": "A tie is a draw.", "zh": "平票为平局。"},
    "told": {"en": "who voted for whom", "zh": "公布谁投了谁"},
}
PLAIN = {"accusation", "only the accused", "own place", "by lot", "tie lost", "told"}
STAGED = PLAIN | {"parts", "each part"}
SAID: list[tuple[dict[str, Any], set[str], set[str]]] = [
    ({}, set(), set()),
    ({"vote": "direct"}, set(), {"accusation", "only the accused"}),
    ({"vote": "doubt"}, set(), {"accusation", "only the accused"}),
    ({"accusers_vote": False}, {"not accusers"}, set()),
    ({"self_vote": True}, {"self"}, set()),
    ({"own_place": True}, set(), {"own place"}),
    ({"clue_draw": "listed"}, {"next clue"}, {"by lot"}),
    ({"clue_draw": "all"}, {"all clues"}, {"by lot"}),
    ({"duties": "separate"}, {"speak first"}, set()),
    ({"forced_investigations": 2}, {"search"}, set()),
    ({"tie": "draw"}, {"tie drawn"}, {"tie lost"}),
    ({"raters": "observer"}, set(), set()),
    ({"raters": "none"}, set(), set()),
    ({"rank": "doubt"}, set(), set()),
    ({"expose": "every"}, set(), set()),
]
STAGED_SAID: list[tuple[dict[str, Any], set[str], set[str]]] = [
    ({"introductions": "each_stage"}, {"introduced again"}, set()),
    ({"rounds_in": "match"}, {"shared out"}, {"each part"}),
    ({"rounds": 1}, set(), set()),
]


def rules(state: MatchState, seat: int = 0) -> str:
    return MIRAGE.texts(observe(state, state.started.seats[seat])).rules()


def said(script: Script, options: dict[str, Any]) -> set[str]:
    text = rules(start(script, **options))
    return {name for name, words in PHRASES.items() if words[script.language] in text}


def name_case(one: dict[str, object] | set[str]) -> str:
    """Return a case's id; sets have no order of their own, and ids must be the same each time."""
    return str(sorted(one) if isinstance(one, set) else one)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("options", "more", "less"), SAID, ids=name_case)
def test_the_rules_say_what_is_played(
    language: Language, options: dict[str, Any], more: set[str], less: set[str]
) -> None:
    assert said(case(language=language), options) == (PLAIN | more) - less
    assert said(case(stages=2, language=language), options) == (STAGED | more) - less


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("options", "more", "less"), STAGED_SAID, ids=str)
def test_the_rules_tell_of_stages_only_where_the_script_has_them(
    language: Language, options: dict[str, Any], more: set[str], less: set[str]
) -> None:
    assert said(case(stages=2, language=language), options) == (STAGED | more) - less
    assert said(case(language=language), options) == PLAIN


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("rounds", "number"), [(3, "3"), (7, "7")])
def test_the_rules_and_headings_name_the_number_of_rounds(
    language: Language, rounds: int, number: str
) -> None:
    state = play(asks_all, start(case(3, 2, language=language), rounds=rounds, raters="none"))
    assert number in rules(state)
    texts = MIRAGE.texts(observe(state, state.started.seats[0]))
    last = [one for one in events_of(state, PhaseStarted) if one.phase == "conversation"][-1]
    assert last.round == 2 * rounds
    assert texts.title(last).count(number) == 2, "the last round of its stage"
    assert texts.line(last).count(number) == 2


def test_the_rules_stay_the_same_for_every_seat_and_moment() -> None:
    state = start(case(3, 2), rounds=1, expose="every")
    ended = play(asks_all, state)
    assert len({rules(one, seat) for one in (state, ended) for seat in range(3)}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_text_can_be_written_under_every_option(language: Language) -> None:
    script = case(3, 2, clues=finds("shed", 4), language=language)
    names = ("introductions", "duties", "vote", "raters", "expose", "clue_draw")
    hints = get_type_hints(MirageOptions)
    seen: set[str] = set()
    for values in list(product(*(get_args(hints[name]) for name in names)))[::7]:
        try:
            options = MirageOptions(rounds=1, **dict(zip(names, values, strict=True)))
        except ValueError:
            continue
        state = start(script, rounds=1, **dict(zip(names, values, strict=True)))
        seen |= read_all(play(asks_all, state))
        assert options.rounds == 1
    assert seen == {
        *("introduce", "speak", "act", "answer", "accuse", "vote"),
        *("rate_suspicion", "rate_trust"),
    }


def read_all(state: MatchState) -> set[str]:
    """Write every text of a match as each seat reads it; return the kinds of requests."""
    for seat in state.started.seats:
        seen = observe(state, seat)
        written = [one.text for one in prompts.lines(seen, 0, len(seen.events))]
        written += [one.text for one in prompts.header(seen)]
        texts = MIRAGE.texts(seen)
        phases = [event for event in seen.events if isinstance(event, PhaseStarted)]
        written += [texts.title(one) for one in phases]
        assert not [text for text in written if "{" in text]
        assert len(phases) == sum(bool(texts.line(one)) for one in phases)
    for request in requests_of(state):
        check_instruction(state, request)
    return {one.kind for one in requests_of(state)}


def check_instruction(state: MatchState, request: DecisionRequest) -> None:
    texts = MIRAGE.texts(observe(state, request.seat))
    assert texts.instruction(request)
    assert texts.thought(request)
    assert find_wording(WORDING, state.script.language).get(f"act.{request.kind}")


def test_an_instruction_names_the_ways_that_are_open() -> None:
    state = start(case(3, clues=finds("shed", 1)), rounds=1, raters="none")
    ended = play(asks_all, state)
    first = requests_of(ended, "act")[0]
    text = MIRAGE.texts(observe(ended, first.seat)).instruction(first)
    assert '"action": "ask"' in text
    assert '"action": "investigate"' in text
    assert "shed" in text
    assert '"share"' in text
    assert isinstance(first.spec, OneOf)
    asked = replace(first, spec=OneOf(variants=first.spec.variants[:1]))
    assert "investigate" not in MIRAGE.texts(observe(ended, first.seat)).instruction(asked)


def test_the_first_words_of_a_separate_turn_hold_no_statement() -> None:
    state = play(asks_all, start(rounds=1, duties="separate", raters="none"))
    request = requests_of(state, "act")[0]
    assert '"share"' not in MIRAGE.texts(observe(state, request.seat)).instruction(request)


def test_both_languages_have_the_same_keys_and_names() -> None:
    en, zh = find_wording(WORDING, "en").texts, find_wording(WORDING, "zh").texts
    assert en.keys() == zh.keys()
    assert pending(play(asks_all, start(rounds=1))) == ()
