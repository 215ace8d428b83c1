"""What is asked of a world: one right answer, three that are wrong, none of them true as well."""

from random import Random

import pytest

from scripts_mm.generate.dataset_audit.run import options_for
from scripts_mm.generate.questions.question_set import sample_questions
from scripts_mm.generate.questions.reasoning_questions import find_culprit
from scripts_mm.generate.sampler import sample_world
from scripts_mm.generate.world import OptionRef, QuestionSpec, World

pytestmark = pytest.mark.slow

SEEDS = range(0, 60, 7)


def asked(seed: int) -> tuple[World, tuple[QuestionSpec, ...]]:
    """Draw a world and its questions; all options are as long as their ids."""
    world = sample_world(seed, options_for(seed)).world
    return world, sample_questions(world, lambda ref: (len(str(ref)),), Random(seed))


def wrong(ask: QuestionSpec) -> list[OptionRef]:
    """Return the options that are no key."""
    return [ref for at, ref in enumerate(ask.options) if at not in ask.keys]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_wrong_trait_is_true_of_the_one_who_is_asked_about(seed: int) -> None:
    world, asks = asked(seed)
    frame = world.frame
    traits = {
        one.id: dict(zip([t.id for t in frame.traits], one.traits, strict=True))
        for one in frame.suspects
    }
    forms = {"own_trait", "knows_trait", "roster", "needs", "mark"}
    found = [ask for ask in asks if ask.form in forms]
    assert found
    for ask in found:
        who = ask.about if ask.about in traits else ask.role if ask.form == "own_trait" else None
        act = dict(zip([t.id for t in frame.traits], frame.trait_acts, strict=True))
        asked_of = str(ask.options[ask.keys[0]][1])
        mine = traits[who or find_culprit(world, act[asked_of]).id]
        for ref in wrong(ask):
            assert mine.get(str(ref[1])) != ref[2], ask
        right = ask.options[ask.keys[0]]
        assert mine[str(right[1])] == right[2]


@pytest.mark.parametrize("seed", SEEDS)
def test_who_did_it_is_asked_of_all_but_the_culprit(seed: int) -> None:
    world, asks = asked(seed)
    culprit = world.crime.culprit
    whodunit = [ask for ask in asks if ask.kind == "obj"]

    assert {ask.role for ask in whodunit} == {
        one.id for one in world.frame.suspects if one.id not in world.guilty
    }
    assert [ask.answer for ask in whodunit].count("two") == 1
    for ask in whodunit:
        assert ask.points == 10
        assert ask.options[ask.keys[0]] == ("person", culprit)
        if len(world.frame.suspects) > 4:
            assert ("person", str(ask.role)) not in ask.options


@pytest.mark.parametrize("seed", SEEDS)
def test_a_culprit_is_not_asked_where_it_was_alone_nor_for_its_secret(seed: int) -> None:
    world, asks = asked(seed)
    window = world.crime.window
    for ask in asks:
        if ask.role in world.guilty:
            assert ask.form != "own_secret"
        if ask.role == world.crime.culprit:
            assert (ask.form, ask.value) != ("own_place", window)


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_of_reasoning_state_their_hops_and_grounds(seed: int) -> None:
    world, asks = asked(seed)
    facts = {fact.id for fact in world.facts}
    for ask in asks:
        assert facts.issuperset(ask.facts)
        if ask.kind in ("mmr", "inf"):
            assert ask.hops is not None
            assert ask.hops >= 1
        if ask.kind in ("tiu", "miu"):
            assert ask.hops == 0
            assert len(ask.clues) == 1
    deepest = max(ask.hops or 0 for ask in asks if ask.form == "who")
    assert deepest == max(ask.hops or 0 for ask in asks)
