"""A case as it is told and written: whole, the same again, and silent about who did it."""

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import typer
from typer.testing import CliRunner

from scripts_mm.drawing.primitives.fonts import find_any_fonts
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.facts.proof import prove
from scripts_mm.generate.case import (
    GeneratedCase,
    case_fact_table,
    make_case,
    make_cast,
    possible_lies,
    script_without_pictures,
)
from scripts_mm.generate.case_writer import write_case
from scripts_mm.generate.crime import sample_crime
from scripts_mm.generate.dataset_audit.features import candidate_features
from scripts_mm.generate.dataset_audit.leak_probe import (
    CaseFeatures,
    FeatureVocabulary,
    count_hits,
    train_probe,
)
from scripts_mm.generate.dataset_audit.statistics import wilson_interval
from scripts_mm.generate.fact_table_export import export_fact_table
from scripts_mm.generate.options import make_options
from scripts_mm.generate.render import RenderedCase, render_case
from scripts_mm.generate.sampler import SampledWorld, sample_world
from scripts_mm.generate.text import render_role
from scripts_mm.generate.world import World
from scripts_mm.generate_command import generate_scripts
from scripts_mm.linting import lint
from scripts_mm.script import LANGUAGES, Language, Script, ScriptError
from scripts_mm.script_folder import load_script

SEEDS = range(4)
_NOT_GUILTY = {
    "en": "You did not kill|you had nothing to do|You have killed nobody",
    "zh": "不是你杀的|跟你毫无关系|你没有杀人",
}
"""How the secret of an innocent says so."""


def made(seed: int) -> GeneratedCase:
    """Make a case of some size."""
    return make_case(seed, make_options(("easy", "medium", "hard")[seed % 3], 4 + seed % 5))


def with_culprit(drawn: SampledWorld, culprit: str) -> SampledWorld:
    """Return the same frame with another culprit."""
    frame = drawn.world.frame
    world = World(frame=frame, crime=sample_crime(frame, culprit, Random(1)))
    return replace(drawn, world=world, proof=prove(export_fact_table(world, {}, {}, {})))


def told_as(case: GeneratedCase, drawn: SampledWorld, language: Language) -> RenderedCase:
    """Tell a world with the names of `case`."""
    return render_case(drawn, case.casts[language], language, ())


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_only_the_culprit_is_told_or_tells_anything_untrue(seed: int) -> None:
    case = made(seed)
    culprit = case.sampled.world.crime.culprit
    guilty = case.sampled.world.guilty
    assert {one.who for one in case_fact_table(case).lies} == {culprit}
    for told in case.rendered.values():
        assert told.bare.innocents_truthful
        truthful = {
            role.name
            for role in told.bare.roles
            if re.search(_NOT_GUILTY[told.language], role.script.rpartition("\n\n")[2])
        }
        assert truthful == {*told.bare.names} - {told.cast.names[one] for one in guilty}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_told_of_the_frame_does_not_know_the_culprit(seed: int, language: Language) -> None:
    case = made(seed)
    drawn = case.sampled
    frame = drawn.world.frame
    mine = {fact.id for fact in frame.facts}
    first, *others = [
        told_as(case, with_culprit(drawn, one.id), language) for one in frame.suspects
    ]
    for other in others:
        assert other.bare.opening == first.bare.opening
        assert [clue.id for clue in other.bare.clues] == [clue.id for clue in first.bare.clues]
        for role, same in zip(first.bare.roles, other.bare.roles, strict=True):
            assert (role.name, role.mission) == (same.name, same.mission)
            assert (role.introduction, role.reply) == (same.introduction, same.reply)
        for clue, same, spec in zip(first.bare.clues, other.bare.clues, frame.clues, strict=True):
            assert (clue.title, clue.owner) == (same.title, same.owner)
            if mine.issuperset(spec.facts):
                assert clue == same
                if clue.id in first.pictures:
                    assert first.pictures[clue.id].key == other.pictures[clue.id].key


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_private_script_of_frame_facts_alone_is_told_the_same_way(language: Language) -> None:
    case = made(2)
    frame = case.sampled.world.frame
    for one in frame.suspects:
        known = tuple(fact for fact in frame.facts if f"role:{one.id}" in fact.sources)
        texts = {
            render_role(frame, case.casts[language], one.id, language, Random(5), known=known)
            for _ in range(2)
        }
        assert len(texts) == 1


def test_a_case_is_the_same_in_whatever_company_of_languages() -> None:
    both, one = made(5), make_case(5, make_options("hard", 4), ("zh",))
    both = make_case(5, make_options("hard", 4))

    assert one.rendered["zh"].bare == both.rendered["zh"].bare
    assert {key: spec.key for key, spec in one.rendered["zh"].pictures.items()} == {
        key: spec.key for key, spec in both.rendered["zh"].pictures.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_both_languages_have_one_structure(seed: int) -> None:
    case = made(seed)
    one, other = (case.rendered[language].bare for language in LANGUAGES)

    assert [clue.id for clue in one.clues] == [clue.id for clue in other.clues]
    assert [(q.id, q.kind, q.keys, q.clues) for q in one.questions] == [
        (q.id, q.kind, q.keys, q.clues) for q in other.questions
    ]
    assert [role.name for role in one.roles].index(one.truth.culprits[0]) == [
        role.name for role in other.roles
    ].index(other.truth.culprits[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_case_has_a_question_of_every_kind_with_four_options(seed: int) -> None:
    for told in made(seed).rendered.values():
        kinds = {question.kind for question in told.bare.questions}
        assert kinds == {"lsu", "tiu", "miu", "mmr", "obj", "rea", "rel", "inf"}
        for question in told.bare.questions:
            assert len(set(question.options)) == len(question.options) >= 3
            assert max(map(len, question.options)) <= 3 * min(map(len, question.options)) + 8
        scripts = {role.name: role.script for role in told.bare.roles}
        for one in told.bare.factual:
            assert one.source in scripts[one.role]


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_places_and_lengths_of_right_options_are_even_in_every_case(seed: int) -> None:
    for told in made(seed).rendered.values():
        asked = [one for one in told.bare.questions if len(one.options) == 4]
        for kind in ("lsu", "rea", "rel"):
            letters = Counter(one.keys[0] for one in asked if one.kind == kind)
            assert max(letters.values()) - min(letters[at] for at in range(4)) <= 2
        alone = [max(one.options, key=len) for one in asked]
        longest = [
            one.options[one.keys[0]] == top and [len(o) for o in one.options].count(len(top)) == 1
            for one, top in zip(asked, alone, strict=True)
        ]
        assert sum(longest) <= 0.3 * len(asked)


def test_the_culprits_lies_are_against_facts_of_the_table() -> None:
    case = made(3)
    table = case_fact_table(case)

    assert {one.form for one in possible_lies(case.sampled.world)} >= {"place", "trait"}
    assert all(lie.who == case.sampled.world.crime.culprit for lie in table.lies)
    assert all(lie.against for lie in table.lies)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_a_case_without_drawings_is_written_read_and_proved(seed: int, tmp_path: Path) -> None:
    case = made(seed)
    folder = write_case(case, tmp_path, None)

    assert folder == tmp_path / f"case-{seed}"
    table = load_facts(folder)
    assert table is not None
    assert prove(table).solved
    for language in LANGUAGES:
        loaded = load_script(folder / language)
        assert loaded.script == script_without_pictures(case.rendered[language])
        assert [one for one in lint(loaded) if one.severity == "error"] == []


def test_a_case_is_not_written_over_another(tmp_path: Path) -> None:
    case = made(1)
    folder = write_case(case, tmp_path, None)
    before = (folder / "facts.json").read_bytes()

    with pytest.raises(ScriptError, match="--force replaces it"):
        write_case(case, tmp_path, None)
    write_case(case, tmp_path, None, force=True)
    assert (folder / "facts.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_drawn_case_lints_clean_and_needs_its_pictures(
    language: Language, tmp_path: Path
) -> None:
    fonts = find_any_fonts(language)
    case = make_case(1, make_options("easy", 4, pictures=3), (language,))
    folder = write_case(case, tmp_path, {language: fonts})
    table = load_facts(folder)

    assert table is not None
    assert prove(table).needs_picture
    loaded = load_script(folder / language)
    assert len(loaded.script.pictures) == 3
    assert [one for one in lint(loaded) if one.severity != "info"] == []


def test_a_word_counter_sees_the_testimony_but_not_the_confession() -> None:
    case = made(1)
    told, world = case.rendered["en"], case.sampled.world
    words = FeatureVocabulary()
    bag = candidate_features(told, world, words)
    plain = replace(
        told,
        bare=replace(told.bare, roles=tuple(replace(role, script="") for role in told.bare.roles)),
    )

    again = candidate_features(plain, world, words)
    assert [row.tolist() for row in bag.rows] == [row.tolist() for row in again.rows]
    assert all(len(row) > 100 for row in bag.rows)


@pytest.mark.slow
def test_a_leak_planted_into_testimonies_is_found() -> None:
    words, rng = FeatureVocabulary(), Random(4)
    honest: list[CaseFeatures] = []
    leaking: list[CaseFeatures] = []
    for seed in range(300):
        drawn = sample_world(seed, make_options("easy", 4))
        told, culprit = (
            render_case(drawn, make_cast(drawn, "en"), "en", ()),
            drawn.world.crime.culprit,
        )
        honest.append(candidate_features(told, drawn.world, words))
        more = " You are ill at ease." if rng.random() < 0.6 else ""
        planted = {**told.testimonies, culprit: told.testimonies[culprit] + more}
        leaking.append(candidate_features(replace(told, testimonies=planted), drawn.world, words))

    clean = wilson_interval(count_hits(train_probe(honest[:150]), honest[150:]), 150)
    assert clean.low <= 0.25 <= clean.high
    assert wilson_interval(count_hits(train_probe(leaking[:150]), leaking[150:]), 150).low > 0.25


def command() -> typer.Typer:
    app = typer.Typer()
    app.command("generate")(generate_scripts)
    app.command("other")(lambda: None)
    return app


def test_the_command_writes_cases_and_refuses_to_do_it_twice(tmp_path: Path) -> None:
    words = ["generate", str(tmp_path), "--seed", "95000", "-n", "2", "--roles", "4"]
    words += ["--draw", "none", "--language", "en"]
    first = CliRunner().invoke(command(), [*words, "--json"])

    assert first.exit_code == 0, first.output
    told = [json.loads(line) for line in first.stdout.splitlines()]
    assert [one["script"] for one in told] == ["case-95000", "case-95001"]
    assert {one["split"] for one in told} == {"test"}
    assert {one["pictures"] for one in told} == {0}
    second = CliRunner().invoke(command(), words)
    assert second.exit_code == 2
    assert "--force" in second.output


@pytest.mark.slow
def test_small_pictures_tell_the_same_case_in_whole_squares(tmp_path: Path) -> None:
    scripts: list[Script] = []
    for draw in ("all", "small"):
        words = ["generate", str(tmp_path / draw), "--seed", "95002", "--roles", "4"]
        words += ["--draw", draw, "--language", "en"]
        found = CliRunner().invoke(command(), words)
        assert found.exit_code == 0, found.output
        scripts.append(load_script(tmp_path / draw / "case-95002" / "en").script)

    whole, small = ([one.pictures for one in script.clues] for script in scripts)
    pictures = [one for shown in small for one in shown]
    assert pictures
    assert all(one.width % 28 == 0 for one in pictures)
    assert {one.height for one in pictures} == {28, 168}, "strips, and icons of 168 pixels"
    assert max(one.width * one.height for one in pictures) <= 96 * 28 * 28
    texts = [[[one.transcript for one in shown] for shown in each] for each in (whole, small)]
    assert texts[0] == texts[1]


def test_the_command_writes_nothing_if_a_later_case_is_there_already(tmp_path: Path) -> None:
    there = tmp_path / "case-7"
    there.mkdir()
    (there / "note.txt").write_text("mine", encoding="utf-8")
    words = ["generate", str(tmp_path), "--seed", "5", "-n", "3", "--roles", "4"]
    found = CliRunner().invoke(command(), [*words, "--draw", "none", "--language", "en"])

    assert found.exit_code == 2
    assert found.output.startswith("error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["case-7"]


def test_the_command_refuses_what_it_cannot_make(tmp_path: Path) -> None:
    words = ["generate", str(tmp_path), "--seed", "1", "--roles", "9", "--draw", "none"]
    found = CliRunner().invoke(command(), words)

    assert found.exit_code == 2
    assert found.output.splitlines() == ["error: wanted 4 to 8 roles, got 9"]


def test_the_command_refuses_a_seed_below_zero(tmp_path: Path) -> None:
    found = CliRunner().invoke(command(), ["generate", str(tmp_path), "--seed", "-1"])

    assert found.exit_code == 2
    assert found.output.splitlines() == ["error: wanted a seed of 0 to 1000000000, got -1"]


def test_the_same_seed_draws_the_same_world_again() -> None:
    assert sample_world(9, make_options("hard", 7)) == sample_world(9, make_options("hard", 7))
