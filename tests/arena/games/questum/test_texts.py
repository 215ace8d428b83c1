"""What seats read is what the game does, in both languages."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from arena.core.events import PhaseStarted
from arena.core.observation import observe
from arena.core.seats import SeatId
from arena.core.specs import Choice, spec_fields, variants
from arena.core.state import MatchState, pending
from arena.games.questum.game import NO_VOTE, QUESTUM
from arena.games.questum.texts import QuestumTexts
from arena.players import prompts
from scripts_mm.script import LANGUAGES, Language
from tests.arena.games.questum.scenes import (
    FOUR,
    crime,
    finish,
    staged,
    start,
    until,
    vote,
)
from tests.table import act, legal

ADA, BRAM, CLEO, DIRK = FOUR
TWO = crime(Otto=(ADA,), Maud=(BRAM,))
NO_TIE = {"quorum": "plurality"}

PHRASES: list[tuple[dict[str, Any], dict[Language, str]]] = [
    ({"quorum": "half"}, {"en": "at least half of those who may vote.", "zh": "一半者被指认"}),
    ({"quorum": "majority"}, {"en": "more than half of those who may", "zh": "超过有投票权"}),
    (NO_TIE, {"en": "The player with most votes", "zh": "得票最多者"}),
    ({"targets": "one"}, {"en": "to another player of its choice", "zh": "自选一位玩家"}),
    ({"targets": "all"}, {"en": "to each other player", "zh": "其他每位玩家"}),
    ({"per": "round"}, {"en": "about a victim and to another", "zh": "自选一名死者"}),
    (
        {"questions": 2},
        {
            "en": "puts 2 questions about each victim, and chooses for each question anew which",
            "zh": "就每名死者提2个问题，每个问题都可以另选一位玩家",
        },
    ),
    (
        {"questions": 2, "per": "round"},
        {
            "en": "for each question anew about which victim and which other player",
            "zh": "每个问题都可以另选一名死者和一位玩家",
        },
    ),
    (
        {"questions": 2, "targets": "all"},
        {
            "en": "2 questions about each victim to each other player",
            "zh": "向其他每位玩家各提2个问题",
        },
    ),
    (
        {"questions": 2, "targets": "all", "per": "round"},
        {
            "en": "chooses for each question anew about which victim it asks",
            "zh": "每个问题都可以另选一名死者，",
        },
    ),
    ({"rounds": 5}, {"en": "Questions, 5 rounds", "zh": "提问，共5轮"}),
    ({"snapshot": "round"}, {"en": "then all questions are answered", "zh": "玩家同时就"}),
    ({"snapshot": "off"}, {"en": "every question is answered at once", "zh": "当场回答"}),
    ({"vote": "none"}, {"en": "There is no vote", "zh": "没有投票"}),
    ({"vote": "secret"}, {"en": "on each victim separately", "zh": "分别投票"}),
    ({"stages": "apart"}, {"en": "told in several parts", "zh": "分为几个部分"}),
    ({"clues": "all"}, {"en": "clues for everybody", "zh": "公共线索"}),
    ({"match_rule": "all"}, {"en": "they solve every murder", "zh": "所有命案都告破"}),
    ({"match_rule": "any"}, {"en": "at least one murder", "zh": "至少一起命案"}),
    ({"match_rule": "more_than_half"}, {"en": "half of the murders", "zh": "半数以上的命案"}),
    ({"tie": "none"}, {"en": "If there is a tie, nobody is accused", "zh": "平票则没有人被指认"}),
    ({"tie": "draw"}, {"en": "A tie leaves the murder undecided", "zh": "平票则这起命案没有定论"}),
    (
        {"tie": "any_killer"},
        {"en": "murderer of that victim is among the accused", "zh": "命案就告破"},
    ),
    ({"tie": "draw"}, {"en": "the match is a draw", "zh": "则为平局"}),
    ({"tie": "random"}, {"en": "decided by lot", "zh": "平票时抽签决定"}),
    ({"tie": "revote"}, {"en": "the vote is held again", "zh": "重新投票"}),
    ({"self_vote": True}, {"en": "voting for oneself is allowed", "zh": "可以投给自己"}),
]


def texts(state: MatchState, seat: str = CLEO) -> QuestumTexts:
    return QUESTUM.texts(observe(state, SeatId(seat)))


def in_language(language: Language) -> Any:
    return replace(TWO, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("options", "phrase"), PHRASES)
def test_the_rules_say_what_the_options_play(
    language: Language, options: dict[str, Any], phrase: dict[Language, str]
) -> None:
    assert phrase[language] in texts(start(in_language(language), **options)).rules()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_value_of_every_option_makes_rules_of_its_own(language: Language) -> None:
    script = in_language(language)
    own = [options for options, _ in PHRASES]
    own += [{"base": "cast"}, {"tie": "revote", "revotes": 2}, {"clues": "none"}]
    own += [{"stages": "whole"}, {"tie": "revote", "revote_then": "draw"}]
    default = texts(start(script)).rules()
    told = [texts(start(script, **options)).rules() for options in own]
    changed = [one for one in told if one != default]
    defaults = [{"quorum": "half"}, {"targets": "one"}, {"snapshot": "off"}, {"vote": "secret"}]
    defaults += [{"stages": "apart"}, {"clues": "all"}, {"match_rule": "all"}, {"tie": "none"}]
    assert len(set(changed)) == len({repr(one) for one in own}) - len(defaults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_the_same_for_all_scripts_and_seats(language: Language) -> None:
    scripts = (TWO, crime(), staged(TWO, 2))
    found = {
        texts(start(replace(script, language=language)), seat).rules()
        for script in scripts
        for seat in FOUR
    }
    assert len(found) == 1


def test_each_seat_is_told_for_each_victim_whether_it_is_the_killer() -> None:
    state = start(TWO)
    assert texts(state, ADA).role().startswith("You murdered Otto. That must not be found out.")
    assert "You did not murder Maud" in texts(state, ADA).role()
    assert "not the only murderer" in texts(state, ADA).role()
    assert texts(state, CLEO).role().startswith("You have murdered nobody")
    alone = texts(start(crime(Otto=(ADA,), Maud=(ADA,))), ADA).role()
    assert "You murdered Otto, Maud" in alone
    assert "All other players are innocent." in alone
    friends = texts(start(TWO, murderers_know_each_other=True), ADA).role()
    assert f"These are murderers too: {BRAM}" in friends
    assert "The victims are Otto, Maud." in texts(state).case()
    assert "The victim is Otto." in texts(start()).case()


def test_who_killed_one_victim_is_asked_as_an_ordinary_seat_about_the_other() -> None:
    state = until(start(TWO), "vote")
    told = {
        (one.seat, one.about): texts(state, one.seat).instruction(one) for one in pending(state)
    }
    assert "Vote so that you are not found out." in told[SeatId(ADA), "Otto"]
    assert "It was not you: vote for the one" in told[SeatId(ADA), "Maud"]
    assert "Vote for the one whom you believe guilty." in told[SeatId(CLEO), "Maud"]
    assert all(f"the murder of {about}" in text for (_, about), text in told.items())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "options",
    [{}, {"per": "round"}, {"targets": "all"}, {"per": "round", "targets": "all"},
     {"snapshot": "round", "tie": "revote", "quorum": "plurality"}],
)  # fmt: skip
def test_no_prompt_holds_a_name_that_was_not_filled_in(
    language: Language, options: dict[str, Any]
) -> None:
    state, chance = start(in_language(language), rounds=1, **options), Random(2)
    while waiting := pending(state):
        request = waiting[0]
        seen = observe(state, request.seat)
        messages = (*prompts.header(seen), *prompts.lines(seen, 0, len(seen.events)))
        text = "\n".join(message.text for message in messages)
        text += prompts.instruction(seen, request) + prompts.thought(seen, request)
        assert not re.search(r"\{[a-z_]+\}", text)
        assert not (language == "zh" and "abstain" in text)
        state = act(state, request, legal(request, chance))
    shown = [texts(state).title(one) for one in state.history if isinstance(one, PhaseStarted)]
    assert all(shown)


def test_a_question_names_its_only_target_and_the_victims_that_may_be_chosen() -> None:
    [fixed] = pending(until(start(TWO, targets="all"), "ask"))
    state = until(start(TWO, targets="all"), "ask")
    assert "to ask Bram about the murder of Otto" in texts(state, ADA).instruction(fixed)
    state = until(start(TWO, per="round"), "ask")
    told = texts(state, ADA).instruction(pending(state)[0])
    assert "Victims: Otto, Maud. Players that you may ask: Bram, Cleo, Dirk." in told


def test_each_of_several_questions_has_its_own_choices_as_the_rules_say() -> None:
    """With per=victim of the other seat, with per=round of the victim as well."""
    for per, names in (("victim", ["target"]), ("round", ["victim", "target"])):
        state = until(start(TWO, questions=2, per=per, snapshot="round"), "ask")
        asked = [one for one in pending(state) if one.seat == ADA and one.about in {"", "Otto"}]
        assert len(asked) == 2
        for one in asked:
            fields = spec_fields(variants(one.spec)[0].spec)
            choices = [field for field in fields if isinstance(field.spec, Choice)]
            assert [field.name for field in choices] == names
            assert {*getattr(choices[-1].spec, "options", ())} == {BRAM, CLEO, DIRK}


def test_the_end_says_how_each_vote_ended() -> None:
    script = crime(Otto=(ADA,), Maud=(BRAM,), Nils=())
    halves = {ADA: CLEO, BRAM: ADA, CLEO: ADA, DIRK: CLEO}
    ballots = {"Otto": {BRAM: ADA, CLEO: ADA}, "Maud": halves}
    ended = vote(until(start(script), "vote"), ballots)
    assert list(texts(ended).result(ended)) == [
        "Otto: solved. The vote names Ada.",
        "Maud: not solved. The vote is tied between Ada, Cleo.",
        "Nils: no player is the murderer, so that this vote does not count.",
        "The murderers win.",
    ]
    silent = finish(start(TWO, vote="none"))
    assert list(texts(silent).result(silent)) == ["The match ends without a vote: no side wins."]


def test_the_end_of_a_match_without_a_vote_states_why_no_side_wins() -> None:
    silent, voted = finish(start(TWO, vote="none")), finish(start(TWO))
    assert silent.ended is not None
    assert voted.ended is not None
    assert (silent.ended.outcome, silent.ended.cause) == ("draw", NO_VOTE)
    assert voted.ended.cause == ""
