"""A world of a seed can be solved as was asked for, and says nothing of who did it."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts_mm.facts.proof import prove
from scripts_mm.facts.solver import solve
from scripts_mm.generate.crime import sample_crime
from scripts_mm.generate.dataset_audit.heuristics import guess_far_from_reading
from scripts_mm.generate.dataset_audit.statistics import measure_evenness, wilson_interval
from scripts_mm.generate.fact_support import hop_counts
from scripts_mm.generate.fact_table_export import export_fact_table
from scripts_mm.generate.frame import sample_frame
from scripts_mm.generate.options import DEFAULTS, HOPS, PICTURES, ROLES, make_options
from scripts_mm.generate.plots import PLOTS, max_seats
from scripts_mm.generate.sampler import proof_faults, sample_world
from scripts_mm.generate.world import CRIME, GeneratorOptions, PlotId, World
from scripts_mm.script import ScriptError
from scripts_mm.seed_splits import SPLITS, split_of


@st.composite
def asked(draw: st.DrawFn) -> GeneratorOptions:
    """Draw options that can be met."""
    roles = draw(st.sampled_from(ROLES))
    plot: PlotId = draw(st.sampled_from(tuple(PLOTS)))
    return make_options(
        draw(st.sampled_from(sorted(DEFAULTS))),
        roles,
        draw(st.sampled_from(HOPS)),
        draw(st.sampled_from(PICTURES)),
        draw(st.integers(1, max_seats(roles, plot))),
        plot=plot,
    )


SEEDS = st.integers(0, 10**9)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(SEEDS, asked())
def test_a_world_takes_the_hops_seats_and_pictures_that_were_asked_for(
    seed: int, options: GeneratorOptions
) -> None:
    drawn = sample_world(seed, options)

    assert drawn.proof.hops_needed >= options.hops
    assert (drawn.proof.seats_needed or 0) >= options.seats
    assert drawn.proof.needs_picture
    assert not drawn.proof.needs_culprit
    shown = [clue for clue in drawn.world.frame.clues if clue.medium != "text"]
    assert len(shown) == options.pictures


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(SEEDS, asked())
def test_any_suspect_of_a_frame_could_have_been_the_culprit(
    seed: int, options: GeneratorOptions
) -> None:
    frame = sample_frame(seed, options, Random(seed))

    for one in frame.suspects:
        world = World(frame=frame, crime=sample_crime(frame, one.id, Random(seed)))
        table = export_fact_table(world, {}, {}, {})
        assert [*solve(table).values()] == [(guilty,) for guilty in world.guilty]
        assert world.crime.culprit == one.id
        assert proof_faults(prove(table), options) == ()


@settings(max_examples=6, deadline=None)
@given(SEEDS, asked())
def test_no_fewer_seats_and_no_blind_reader_can_solve_it(
    seed: int, options: GeneratorOptions
) -> None:
    world = sample_world(seed, options).world
    table = export_fact_table(world, {}, {}, {})
    seats = [one.id for one in world.frame.suspects]

    assert len(solve(table, pictures=False)[CRIME]) > 1
    for few in combinations(seats, options.seats - 1):
        assert any(len(left) > 1 for left in solve(table, frozenset(few)).values())
    honest = frozenset(seats) - {*world.guilty}
    assert [*solve(table, honest).values()] == [(one,) for one in world.guilty]


@settings(max_examples=20, deadline=None)
@given(SEEDS, asked())
def test_every_suspect_is_told_of_and_tells_equally_often(
    seed: int, options: GeneratorOptions
) -> None:
    frame = sample_frame(seed, options, Random(seed))
    told = Counter((fact.form, fact.who) for fact in frame.facts if fact.form in _ALIKE)
    tells = Counter(
        (fact.form, source)
        for fact in frame.facts
        if fact.form in _ALIKE
        for source in fact.sources
        if source.startswith("role:")
    )
    for form in _ALIKE:
        assert len({told[form, one.id] for one in frame.suspects}) == 1
        assert len({tells[form, f"role:{one.id}"] for one in frame.suspects}) == 1
    for one in frame.suspects:
        stays = [company for company in frame.companies if one.id in company.members]
        assert len(stays) == len(frame.windows) - 1
        assert one.gap not in [company.window for company in stays]


_ALIKE = ("trait", "motive", "relation")


@settings(max_examples=20, deadline=None)
@given(SEEDS, asked())
def test_the_times_on_the_way_to_the_moment_are_the_same_whoever_did_it(
    seed: int, options: GeneratorOptions
) -> None:
    frame = sample_frame(seed, options, Random(seed))
    found: set[tuple[int, ...]] = set()
    for one in frame.suspects:
        crime = sample_crime(frame, one.id, Random(seed))
        *way, last = [fact.start for fact in crime.facts if fact.form in ("reading", "moment")]
        window = frame.windows[crime.window]
        assert last == crime.moment == frame.moments[one.gap]
        assert window.start <= last <= window.end
        assert len({*way, last}) == len(way) + 1 == frame.steps[0] + 1
        assert min(map(abs, crime.offsets)) >= 3
        found.add(tuple(way))
    assert len(found) == 1


@settings(max_examples=20, deadline=None)
@given(SEEDS, asked())
def test_the_steps_of_the_hour_lead_from_what_is_read_to_the_moment(
    seed: int, options: GeneratorOptions
) -> None:
    world = sample_world(seed, options).world
    facts = {fact.id: fact for fact in world.crime.facts}
    time = world.crime.reading
    for step, minutes in enumerate(world.crime.offsets, 1):
        assert facts[f"offset-{step}"].minutes == minutes != 0
        time += -minutes if world.frame.style == "clock" else minutes
        assert facts[f"moment-{step}"].start == time
    before, after = world.frame.tie
    assert facts["after"].start == time - before
    assert facts["before"].start == time + after


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(SEEDS, asked())
def test_what_the_traces_need_is_what_the_culprit_has(seed: int, options: GeneratorOptions) -> None:
    world = sample_world(seed, options).world
    people = {one.id: one for one in world.frame.suspects}
    needed = {fact.trait: fact.value for fact in world.crime.facts if fact.kind == "needs"}

    for act, who in enumerate(world.guilty):
        for number, trait in world.frame.traits_of(act):
            assert needed.pop(trait.id) == people[who].traits[number]
    assert needed == {}
    culprit = people[world.crime.culprit]
    others = [(one.gap, one.traits) for one in world.frame.suspects if one != culprit]
    assert (culprit.gap, culprit.traits) not in others
    assert world.crime.window == culprit.gap


@pytest.mark.slow
def test_the_clock_of_a_hard_case_fits_every_window_as_often() -> None:
    counts, true = Counter[int](), Counter[bool]()
    worlds = [sample_world(seed, make_options("hard", 4)).world for seed in range(400, 800)]
    windows = len(worlds[0].frame.windows)
    for world in worlds:
        frame, reading = world.frame, world.crime.reading
        (fits,) = [at for at, one in enumerate(frame.windows) if one.start <= reading <= one.end]
        assert 3 <= abs(reading - frame.moments[fits]) <= 6
        assert len(frame.windows) == windows
        counts[(fits - world.crime.window) % windows] += 1
        true[guess_far_from_reading(world, Random(frame.seed)) == world.crime.culprit] += 1

    assert measure_evenness([counts[at] for at in range(windows)]).p > 0.01
    assert wilson_interval(true[True], true.total()).holds(1 / 4)


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", ["easy", "medium"])
def test_a_half_followed_chain_leads_into_the_true_window_as_often_as_into_others(
    difficulty: str,
) -> None:
    true, other, named = 0, 0.0, 0
    for seed in range(300):
        world = sample_world(seed, make_options(difficulty, 5)).world
        named += guess_far_from_reading(world, Random(seed)) == world.crime.culprit
        windows = world.frame.windows
        for fact in world.crime.facts:
            if fact.form in ("reading", "moment") and fact.start != world.crime.moment:
                fits = [one.start <= fact.start <= one.end for one in windows]
                true += fits[world.crime.window]
                other += sum(fits) / len(windows)

    assert true == pytest.approx(other, abs=3 * other**0.5)
    assert wilson_interval(named, 300).holds(1 / 5)


def test_harder_cases_have_more_red_herrings() -> None:
    counts = {
        name: len(sample_world(1, make_options(name, 6)).world.frame.herrings) for name in DEFAULTS
    }
    assert counts == {"easy": 1, "medium": 2, "hard": 3}


def test_a_world_is_a_function_of_seed_and_options() -> None:
    options = make_options("medium", 6)

    assert sample_world(5, options) == sample_world(5, options)
    assert sample_world(5, options).world != sample_world(6, options).world
    other = sample_world(5, replace(options, pictures=8)).world
    assert other.frame.suspects != sample_world(5, options).world.frame.suspects


def test_hops_count_from_what_stands_somewhere() -> None:
    world = sample_world(3, make_options("medium", 5)).world
    found = hop_counts(world.facts)

    assert found["reading"] == found["offset-1"] == 0
    assert found["moment-1"] == 1
    assert found["after"] == len(world.crime.offsets) + 1


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        (("mild", 5), "no difficulty 'mild'; known: easy, medium, hard"),
        (("easy", 3), "wanted 4 to 8 roles, got 3"),
        (("easy", 5, 9), "wanted 2 to 8 hops, got 9"),
        (("easy", 5, 4, 0), "wanted 1 to 10 pictures, got 0"),
        (("easy", 5, 4, 6, 4), "wanted 1 to 3 seats with 5 roles, got 4"),
    ],
)
def test_what_cannot_be_made_is_refused_in_one_line(options: tuple[str, int], wanted: str) -> None:
    with pytest.raises(ScriptError) as refused:
        make_options(*options)
    assert str(refused.value) == wanted


def test_the_splits_share_no_seed() -> None:
    assert [split_of(seed) for seed in (0, 89_999, 90_000, 94_999, 95_000, 99_999)] == [
        "train", "train", "validation", "validation", "test", "test",
    ]  # fmt: skip
    assert split_of(100_000) is None
    assert split_of(-1) is None
    assert sum(map(len, SPLITS.values())) == 100_000
