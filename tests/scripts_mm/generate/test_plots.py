"""The plots: each is solved in a way of its own, and tells what belongs to it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from scripts_mm.facts.claim_types import CrimeScene, CulpritTrait
from scripts_mm.facts.proof import prove
from scripts_mm.facts.solver import solve
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.case_writer import write_case
from scripts_mm.generate.crime import sample_crime
from scripts_mm.generate.fact_table_export import export_fact_table
from scripts_mm.generate.id_pools import OUTDOORS
from scripts_mm.generate.options import make_options
from scripts_mm.generate.plots import PLOTS, choose_plot, max_seats
from scripts_mm.generate.sampler import sample_world
from scripts_mm.generate.text.fact_sentences import motive_reason, story_wordings
from scripts_mm.generate.text.lexicon import compose, load_book, plot_pool, pool
from scripts_mm.generate.text.private_scripts import RoleNarrator
from scripts_mm.generate.world import PlotId, World
from scripts_mm.linting import lint
from scripts_mm.script import LANGUAGES, Language, ScriptError
from scripts_mm.script_folder import load_script

TWO_ACTS = [name for name, plot in PLOTS.items() if plot.has_two_acts]


def world(seed: int, plot: PlotId, roles: int = 5) -> World:
    return sample_world(seed, make_options("medium", roles, plot=plot)).world


def case(seed: int, plot: PlotId, roles: int = 5) -> GeneratedCase:
    return make_case(seed, make_options("medium", roles, plot=plot))


def test_there_are_at_least_six_plots_besides_the_blow() -> None:
    assert {*PLOTS} >= {"poison", "locked", "theft", "staged", "pair", "hand"}


def test_the_seed_draws_every_plot_about_as_often() -> None:
    options = make_options("medium", 6)
    drawn = Counter(choose_plot(seed, options).id for seed in range(700))
    assert set(drawn) == {*PLOTS}
    assert min(drawn.values()) > 60


def test_an_unknown_plot_is_refused_in_one_line() -> None:
    with pytest.raises(ScriptError, match="no plot 'duel'; known: blow, poison"):
        make_options("easy", 5, plot="duel")


@pytest.mark.parametrize("plot", TWO_ACTS)
def test_two_culprits_leave_fewer_seats_to_ask_for(plot: PlotId) -> None:
    assert max_seats(5, plot) == 2 < max_seats(5)
    with pytest.raises(ScriptError, match=f"seats with 5 roles and the plot '{plot}', got 3"):
        make_options("easy", 5, seats=3, plot=plot)


@pytest.mark.parametrize("plot", [*PLOTS])
def test_the_own_trait_of_a_plot_is_needed_of_its_culprit(plot: PlotId) -> None:
    own = PLOTS[plot].trait
    needed = {fact.trait for fact in world(1, plot).crime.facts if fact.kind == "needs"}
    assert (own in needed) == bool(own)


@pytest.mark.slow
@pytest.mark.parametrize("plot", ["poison", "theft"])
def test_a_hidden_scene_is_another_place_than_that_of_the_body(plot: PlotId) -> None:
    for seed in range(5):
        made = world(seed, plot)
        frame = made.frame
        assert frame.scene != frame.body
        facts = {fact.id: fact for fact in made.facts}
        assert facts["scene"].because == (("spot-mark", "spot-link"),)
        told = make_case(seed, make_options("medium", 5, plot=plot), ("en",)).rendered["en"]
        place = told.cast.at[frame.scene]
        assert place not in told.bare.opening.partition("Ways on foot")[0]
        for one in frame.companies:
            assert one.place not in (frame.scene, frame.body)


@pytest.mark.parametrize("plot", ["poison", "theft", "staged"])
def test_alibis_count_only_after_the_place_is_deduced(plot: PlotId) -> None:
    table = export_fact_table(world(3, plot, 6), {}, {}, {})
    (scene,) = [fact for fact in table.facts if isinstance(fact.claim, CrimeScene)]
    assert scene.sources == ()
    assert scene.because == (("spot-mark", "spot-link"),)


@pytest.mark.slow
@pytest.mark.parametrize("plot", TWO_ACTS)
@pytest.mark.parametrize("seed", range(3))
def test_each_of_two_acts_has_a_proof_and_a_culprit_of_its_own(plot: PlotId, seed: int) -> None:
    made = world(seed, plot, 6)
    table = export_fact_table(made, {}, {}, {})
    assert len({*made.guilty}) == 2
    assert [*solve(table).values()] == [(one,) for one in made.guilty]
    proof = prove(table)
    assert proof.solved
    assert not proof.needs_culprit
    crimes = {fact.claim.crime for fact in table.facts if isinstance(fact.claim, CulpritTrait)}
    assert len(crimes) == 2


@pytest.mark.slow
def test_the_truth_names_both_murderers_or_the_instigator() -> None:
    pair, hand = case(2, "pair"), case(2, "hand")
    for language in LANGUAGES:
        truth = pair.rendered[language].bare.truth
        assert len({*truth.culprits}) == len(truth.killings) == 2
        assert [one.culprits for one in truth.killings] == [(one,) for one in truth.culprits]
        assert len(pair.rendered[language].bare.victims) == 2
        truth = hand.rendered[language].bare.truth
        assert len(truth.culprits) == len(truth.instigators) == 1
        assert {*truth.culprits}.isdisjoint(truth.instigators)


@pytest.mark.slow
@pytest.mark.parametrize("plot", [*PLOTS])
def test_every_pair_of_suspects_can_be_the_culprits_of_a_frame(plot: PlotId) -> None:
    frame = world(4, plot).frame
    for one in frame.suspects:
        for draw in range(4):
            crime = sample_crime(frame, one.id, Random(draw))
            table = export_fact_table(World(frame=frame, crime=crime), {}, {}, {})
            assert prove(table).solved


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plot", [*PLOTS])
def test_a_grudge_is_one_story_in_every_telling(plot: PlotId, language: Language) -> None:
    made = case(7, plot)
    told, frame = made.rendered[language], made.sampled.world.frame
    for one in frame.suspects:
        fact = next(fact for fact in frame.facts if fact.id == f"motive-{one.id}")
        sources = [source.partition(":")[2] for source in fact.sources if "role:" in source]
        texts = "\n".join(told.testimonies[name] for name in sources)
        for key in load_book(language, "life")["motives"][one.motive]["stories"]:
            cast = replace(told.cast, stories={**told.cast.stories, one.id: key})
            narrator = RoleNarrator(
                frame=frame, cast=cast, one=frame.suspects[0], language=language
            )
            known = narrator.fills()
            count = len(story_wordings(one.id, one.motive, "other", cast, language))
            said = [
                motive_reason(one.id, one.motive, at, known, cast, language) in texts
                for at in range(count)
            ]
            assert any(said) == (key == told.cast.stories[one.id])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_secret_is_the_alibi_of_those_whom_its_owner_watched(language: Language) -> None:
    made = case(11, "blow", 6)
    drawn, told = made.sampled.world, made.rendered[language]
    scripts = {role.name: role.script for role in told.bare.roles}
    watchers = [one for one in drawn.frame.suspects if one.watched >= 0]
    assert watchers
    facts = {fact.id: fact for fact in drawn.facts}
    for one in watchers:
        company = drawn.frame.companies[one.watched]
        secret = scripts[told.cast.names[one.id]].rpartition("\n\n")[2]
        for who in company.members:
            sources = facts[f"with-{company.window}-{who}"].sources
            assert (f"role:{one.id}" in sources) == (one.id not in drawn.guilty)
            if one.id not in drawn.guilty:
                assert told.cast.names[who] in secret


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_have_the_pronouns_of_their_names(language: Language) -> None:
    made = case(13, "poison", 6)
    cast = made.rendered[language].cast
    given = {sex: pool(language, "names", "given", sex) for sex in ("f", "m")}
    for one in made.sampled.world.frame.suspects:
        if language == "en":
            assert cast.names[one.id].split(" ")[0] in given[one.sex]
            assert cast.pronouns[one.id]["he"] == {"f": "she", "m": "he"}[one.sex]
        else:
            assert cast.pronouns[one.id]["he"] == {"f": "她", "m": "他"}[one.sex]


@pytest.mark.slow
def test_consecutive_cases_share_few_names() -> None:
    for language in LANGUAGES:
        seen: Counter[str] = Counter()
        for seed in range(24, 34):
            made = make_case(seed, make_options("medium", 5), (language,))
            seen.update({*made.rendered[language].cast.names.values()})
        assert max(seen.values()) == 1, language


def test_choices_compose_every_sentence_and_the_first_is_the_plainest() -> None:
    assert compose("You [saw|met] her[| there].") == (
        "You saw her.",
        "You saw her there.",
        "You met her.",
        "You met her there.",
    )
    assert plot_pool("en", "poison", "role", "found") != plot_pool("en", "blow", "role", "found")
    assert plot_pool("en", "blow", "role", "found") == pool("en", "role", "found")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_student_is_young_and_whoever_is_retired_is_not(language: Language) -> None:
    posts = [
        post
        for book in ("hotel", "ship", "studio", "observatory", "train", "island", "monastery")
        for post in pool(language, f"settings/{book}", "posts")
    ]
    for key in ("young-posts", "old-posts"):
        assert {*pool(language, "role", key)} <= {*posts}


@pytest.mark.slow
@pytest.mark.parametrize("plot", [*PLOTS])
def test_a_case_of_every_plot_is_written_and_lints_without_errors(
    plot: PlotId, tmp_path: Path
) -> None:
    folder = write_case(case(17, plot, 6), tmp_path, None)
    for language in LANGUAGES:
        found = lint(load_script(folder / language))
        assert [one for one in found if one.severity == "error"] == []


@pytest.mark.parametrize("plot", ["locked", "staged"])
def test_a_bolted_room_and_a_letter_on_a_table_are_indoors(plot: PlotId) -> None:
    for seed in range(12):
        frame = world(seed, plot).frame
        assert frame.body not in OUTDOORS.get(frame.setting, ())
