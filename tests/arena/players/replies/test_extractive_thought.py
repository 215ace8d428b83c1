"""With extractive replies a thought is a sentence, or a chain of two before a name."""

import asyncio
import json
from random import Random

import pytest

from arena.core.actions import Action
from arena.core.observation import Observation
from arena.core.playouts.playout import play_out
from arena.core.purposes import Purpose
from arena.core.requests import DecisionRequest
from arena.core.transitions import MatchSetup
from arena.games.game_registry import find_game
from arena.models.chat import ChoiceConstraint, JsonConstraint, Request
from arena.models.function_model import FunctionModel
from arena.models.legal_replies import legal_reply
from arena.players.contestants import read_contestant
from arena.players.replies.extractive_thought import EVIDENCE, NAMING, SUSPECT
from arena.players.roster import make_player
from arena.players.script_text.naming import People
from scripts_mm.catalog import find_script
from scripts_mm.script import LANGUAGES, Language
from tests.arena.players.context.stage import make_limits

Thinking = list[tuple[Observation, DecisionRequest, Request]]


def play(language: Language, replies: str = "extractive") -> Thinking:
    """Return every thought of a match whose model draws from what its constraint allows."""
    rules = find_game("whodunit")
    options = rules.options(**rules.presets["short"])  # pyright: ignore[reportArgumentType]
    script = find_script("quiet-harvest", language).script
    setup = MatchSetup(script=script, options=options, seed=1, silent=())
    turn: list[tuple[Observation, DecisionRequest]] = []
    found: Thinking = []

    def reply(request: Request) -> str:
        if request.call_id.kind == "thought":
            found.append((*turn[-1], request))
        return legal_reply(request)

    limits = make_limits(16_384, replies=replies)
    player = {
        role.name: make_player(read_contestant("mini+cot"), FunctionModel(reply), limits)
        for role in script.roles
    }

    def decide(observation: Observation, request: DecisionRequest) -> Action:
        turn.append((observation, request))
        return asyncio.run(player[request.seat].act(observation, request, Random(0))).action

    play_out(rules, setup, decide)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_thought_before_a_name_joins_what_the_seat_knows_to_a_sentence_about_another(
    language: Language,
) -> None:
    chains = [one for one in play(language) if one[1].purpose in NAMING]
    assert {one[1].purpose for one in chains} == {Purpose.CONCLUDE, Purpose.VOTE}
    for observation, _, request in chains:
        legal = request.constraint
        assert isinstance(legal, JsonConstraint)
        assert [one.name for one in legal.fields] == [EVIDENCE, SUSPECT]
        evidence, suspect = (one.options for one in legal.fields)
        assert {*suspect} <= {*evidence}
        assert max(map(len, evidence)) <= {"en": 220, "zh": 80}[language]
        assert any(one in clue.text for one in evidence for clue in observation.clues)
        people = People.of(observation)
        others = [seat for seat in observation.seats if seat != observation.seat]
        assert all(people.are_named(one, *others) for one in suspect)
        assert not all(people.are_named(one, *others) for one in evidence)
        assert json.loads(legal_reply(request))[SUSPECT] in suspect


@pytest.mark.slow
def test_a_thought_before_speech_is_a_sentence_that_the_speech_may_have() -> None:
    others = [one for one in play("en") if one[1].purpose not in NAMING]
    assert len(others) > 5
    assert all(isinstance(one[2].constraint, ChoiceConstraint) for one in others)


@pytest.mark.slow
def test_a_thought_of_free_replies_is_free() -> None:
    assert {one[2].constraint for one in play("en", "free")} == {None}
