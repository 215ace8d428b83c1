"""The rules say what the options make them, in both languages, the same for all seats."""

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.core.state import MatchState, pending
from arena.games.thinkthrice.game import THINKTHRICE
from scripts_mm.script import LANGUAGES, Language
from tests.arena.games.thinkthrice.scenes import finish, requests, start
from tests.arena.games.whodunit.scenes import until
from tests.table import MURDERER, NAMES, case

WORDING = Path(__file__).parents[4] / "arena" / "games" / "thinkthrice" / "wording"
CASES: list[tuple[dict[str, Any], dict[Language, str]]] = [
    ({"first_questions": "chain"}, {"en": "who answers at once.", "zh": "其他玩家依次向这位"}),
    ({"first_questions": "together"}, {"en": "answers all of them at the", "zh": "其他玩家同时向"}),
    ({"rounds_before": 1}, {"en": "3. Open questions, one round:", "zh": "3. 自由提问，共一轮："}),
    ({"rounds_before": 7}, {"en": "3. Open questions, 7 rounds:", "zh": "3. 自由提问，共7轮："}),
    ({"rounds_before": 0}, {"en": "4. Open questions, 3 rounds:", "zh": "4. 自由提问，共3轮："}),
    ({}, {"en": "5. Open questions again, 3 rounds", "zh": "5. 再次自由提问，共3轮"}),
    ({"cards": "all"}, {"en": "shows the clue cards", "zh": "主持人向所有人公布本案的线索卡"}),
    ({"cards": "dealt"}, {"en": "Each card is shown to one", "zh": "每张线索卡只给一位玩家看"}),
    ({"vote": "free_text"}, {"en": "Players vote in words.", "zh": "玩家用文字投票。"}),
    ({"ballots": 4}, {"en": "The ballots make 4 elections", "zh": "这样共有4次选举"}),
    ({"count": "pooled"}, {"en": "are counted together", "zh": "所有选票合在一起计票"}),
    ({"tell_count": True}, {"en": "everybody hears how many", "zh": "计票之后公布每人的票数"}),
    ({"self_vote": True}, {"en": "voting for oneself is allowed", "zh": "可以投给自己"}),
    ({"refuse": True}, {"en": "The murderer may refuse", "zh": "凶手可以拒绝回答"}),
    ({"stages": "apart"}, {"en": "told in several parts", "zh": "案件分为几个部分时"}),
    ({"tie": "none"}, {"en": "a tie, the murderer wins.", "zh": "平票则凶手获胜。"}),
    ({"tie": "draw"}, {"en": "A tie is a draw.", "zh": "平票为平局。"}),
    ({"tie": "any_killer"}, {"en": "is among the accused;", "zh": "被指认的人中有凶手，平民获胜"}),
]
OTHER: list[tuple[dict[str, Any], dict[Language, str]]] = [
    ({}, {"en": "Players vote in words.", "zh": "玩家用文字投票。"}),
    ({}, {"en": "may refuse", "zh": "拒绝"}),
    ({}, {"en": "several parts", "zh": "几个部分"}),
    ({"ballots": 1}, {"en": "its vote", "zh": "次票"}),
    ({"ballots": 1, "count": "pooled"}, {"en": "counted together", "zh": "合在一起"}),
    ({"tell_count": False}, {"en": "everybody hears how many", "zh": "公布每人的票数"}),
    ({"self_vote": False}, {"en": "voting for oneself", "zh": "可以投给自己"}),
    ({"rounds_after": 0}, {"en": "Open questions again", "zh": "再次自由提问"}),
    ({"cards": "dealt"}, {"en": "cards of the case to everybody", "zh": "向所有人公布本案"}),
]


def in_language(language: Language, **options: Any) -> MatchState:
    """Return the small match in a language."""
    return start(script=replace(case(), language=language), **options)


def rules(language: Language, **options: Any) -> str:
    """Return the rules as the first seat reads them."""
    state = in_language(language, **options)
    return THINKTHRICE.texts(observe(state, SeatId(NAMES[0]))).rules()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("options", "words"), CASES)
def test_the_rules_tell_what_is_played(
    options: dict[str, Any], words: dict[Language, str], language: Language
) -> None:
    assert words[language] in rules(language, **options)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("options", "words"), OTHER)
def test_the_rules_tell_nothing_that_is_not_played(
    options: dict[str, Any], words: dict[Language, str], language: Language
) -> None:
    assert words[language] not in rules(language, **options)


@pytest.mark.parametrize(
    ("language", "everybody", "others", "tied"),
    [
        ("en", "one of all players.", "one of all players but the voter.", "one of those tied"),
        ("zh", "所有玩家中的一位。", "除自己以外的一位玩家。", "只能是平票玩家中的一位"),
    ],
)
def test_the_rule_of_a_written_vote_says_whose_names_count(
    language: Language, everybody: str, others: str, tied: str
) -> None:
    written: dict[str, Any] = {"vote": "free_text", "ballots": 1}
    assert everybody in rules(language, **written)
    assert others in rules(language, **written, self_vote=False)
    assert tied not in rules(language, **written)
    assert tied in rules(language, **written, tie="revote")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_seats_read_the_same_rules(language: Language) -> None:
    state = in_language(language, refuse=True, stages="apart")
    texts = {THINKTHRICE.texts(observe(state, seat)).rules() for seat in state.started.seats}
    assert len(texts) == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("vote", ["choice", "free_text"])
def test_the_vote_names_all_players_and_what_each_side_may_do(
    vote: str, language: Language
) -> None:
    state = until(in_language(language, vote=vote, ballots=1), "vote")
    side: dict[Language, tuple[str, str]] = {
        "en": ("whom you believe guilty", "may vote for an innocent player"),
        "zh": ("投给你认为有罪的人", "可以投给无辜的玩家"),
    }
    for one in pending(state):
        told = THINKTHRICE.texts(observe(state, one.seat)).instruction(one)
        assert all(name in told for name in NAMES)
        assert [words in told for words in side[language]] == [
            *(one.seat != MURDERER, one.seat == MURDERER),
        ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "options",
    [{}, {"first_questions": "together", "refuse": True, "cards": "dealt", "vote": "free_text"}],
)
def test_every_request_phase_and_event_has_its_words(
    options: dict[str, Any], language: Language
) -> None:
    state = finish(in_language(language, **options, ballots=2))
    seats = {seat: THINKTHRICE.texts(observe(state, seat)) for seat in state.started.seats}
    for one in requests(state):
        told = seats[one.seat].instruction(one)
        assert told
        assert not re.search(r"\{\w+\}", told)
        assert seats[one.seat].thought(one)
        assert seats[one.seat].say(f"act.{one.kind}")
    for event in state.history:
        for texts in seats.values():
            texts.line(event)
            if event.kind == "phase_started":
                assert texts.title(event)
                assert texts.line(event)


def test_the_civilians_are_told_to_be_truthful_and_the_murderer_that_it_may_lie() -> None:
    assert "The innocent answer every question truthfully and in full." in rules("en")
    assert "Only the murderer may lie" in rules("en")
    asked = [one for one in requests(finish(start())) if one.kind == "introduce"]
    for one in asked:
        told = THINKTHRICE.texts(observe(start(), one.seat)).instruction(one)
        assert ("You may lie" in told) is (one.seat == MURDERER)


def test_both_languages_have_the_same_keys_and_names() -> None:
    found: list[dict[str, set[str]]] = []
    for language in LANGUAGES:
        tables = tomllib.loads((WORDING / f"{language}.toml").read_text("utf-8"))
        found.append(
            {
                f"{table}.{key}": set(re.findall(r"(?<!\{)\{(\w+)\}", text))
                for table, texts in tables.items()
                for key, text in texts.items()
            }
        )
    assert found[0] == found[1]
