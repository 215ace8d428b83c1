"""Fact tables: what may stand in them, who is left, and the proof, against a slow solver."""

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scripts_mm.catalog import LIBRARY
from scripts_mm.facts import facts_schema
from scripts_mm.facts.claim_types import (
    Exoneration,
)
from scripts_mm.facts.fact_table import (
    FactTable,
)
from scripts_mm.facts.facts_file import FACTS_FILE, facts_json, load_facts
from scripts_mm.facts.minimum_proof import choose_minimum_union
from scripts_mm.facts.proof import prove
from scripts_mm.facts.solver import solve
from scripts_mm.facts.support_labels import minimal_masks
from scripts_mm.script_schema import schema_text
from tests.scripts_mm import tables
from tests.scripts_mm.tables import SUSPECTS


def made(seed: int, size: int) -> FactTable:
    return tables.random_table(Random(seed), size)


def guilty(table: FactTable) -> set[str]:
    """Return the culprits of all crimes together."""
    return {name for crime in table.crimes for name in crime.culprits}


tables_of = st.builds(made, st.integers(0, 2**32), st.integers(6, 20))
few_tables = st.builds(made, st.integers(0, 2**32), st.integers(5, 12))


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(tables_of, st.sets(st.sampled_from(SUSPECTS)), st.booleans())
def test_who_is_left_is_what_the_slow_solver_finds(
    table: FactTable, seats: set[str], pictures: bool
) -> None:
    left = solve(table, frozenset(seats), pictures=pictures)
    for crime in table.crimes:
        slow = tables.slow_left(table, seats, pictures=pictures, crime=crime.id)
        assert left[crime.id] == slow


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(tables_of)
def test_a_proof_says_what_trying_all_seats_says(table: FactTable) -> None:
    proof = prove(table)
    found = solve(table)
    for crime, verdict in zip(table.crimes, proof.verdicts, strict=True):
        everybody = tables.slow_left(table, SUSPECTS, crime=crime.id)
        assert verdict.left == everybody == found[crime.id]
        if len(table.crimes) > 1:
            assert verdict.seats_needed == tables.slow_seats_needed(table, (crime,))
    assert proof.seats_needed == tables.slow_seats_needed(table)
    if proof.seats_needed is None:
        assert not proof.solved
        return
    assert proof.needs_picture != tables.slow_solved(table, SUSPECTS, pictures=False)
    assert proof.needs_culprit != tables.slow_solved(table, set(SUSPECTS) - guilty(table))
    alone = [one.seats_needed or 0 for one in proof.verdicts]
    several = len(guilty(table)) > 1
    enough = (proof.seats_needed if several else min(alone)) > table.k
    assert proof.solved == (enough and not (several and proof.needs_culprit))


@settings(deadline=None, max_examples=60)
@given(few_tables)
def test_no_proof_has_fewer_facts(table: FactTable) -> None:
    proof = prove(table)
    honest = proof.seats_needed is not None and not proof.needs_culprit
    heard = set(SUSPECTS) - (guilty(table) if honest else set())
    assert len(proof.facts) == tables.slow_fewest(table, heard)
    assert proof.shown_shortest


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(tables_of)
def test_every_step_stands_on_its_own_links(table: FactTable) -> None:
    for step in prove(table).steps:
        known = {link.fact for link in step.links}
        assert tables.slow_shut_out(table, step.who, known, step.crime)
        seen: dict[str, int] = {}
        for link in step.links:
            assert link.source is not None or link.premises
            assert link.source is None or link.source.name != step.who
            assert link.source is None or table.owners.get(link.source.name) != step.who
            assert link.source is None or link.source in table.fact(link.fact).sources
            assert not link.premises or link.premises in table.fact(link.fact).because
            deepest = max((seen[one] for one in link.premises), default=-1)
            assert link.hops == deepest + 1
            seen[link.fact] = link.hops
        deepest = max(seen.values())
        assert step.hops == (deepest if step.how == "cleared" else deepest + 1)
        claims = [table.fact(name).claim for name in known]
        wanted = (step.who, step.crime)
        clearing = [o for o in claims if isinstance(o, Exoneration) and (o.who, o.crime) == wanted]
        assert (step.how == "cleared") == bool(clearing)


@pytest.mark.slow
@settings(deadline=None, max_examples=400)
@given(tables_of)
def test_no_proof_is_less_deep(table: FactTable) -> None:
    proof = prove(table)
    depths = [tables.slow_hops(table, step.who, step.crime) for step in proof.steps]
    assert proof.hops_needed == 1 + max((one for one in depths if one is not None), default=0)
    assert None not in depths
    assert proof.hops_needed <= proof.hops == 1 + max((s.hops for s in proof.steps), default=0)


@pytest.mark.slow
def test_random_tables_have_two_crimes_and_two_culprits_often_enough() -> None:
    some = [made(seed, 18) for seed in range(400)]
    assert sum(len(one.crimes) == 2 for one in some) > 60
    several = [prove(one) for one in some if len(guilty(one)) == 2]
    assert len(several) > 60
    assert any(one.seats_needed is not None for one in several)


masks = st.lists(st.integers(0, 255), max_size=12)


@given(masks)
def test_only_masks_without_a_part_among_them_are_kept(found: list[int]) -> None:
    kept = minimal_masks(found)
    assert set(kept) == {
        one for one in found if not any(other != one and other & one == other for other in found)
    }
    assert [one.bit_count() for one in kept] == sorted(one.bit_count() for one in kept)


@pytest.mark.slow
@settings(max_examples=300)
@given(st.lists(st.lists(st.integers(0, 1023), min_size=1, max_size=5), min_size=1, max_size=4))
def test_the_search_finds_the_union_of_fewest_bits(choices: list[list[int]]) -> None:
    def size(one: Iterable[int]) -> int:
        union = 0
        for mask in one:
            union |= mask
        return union.bit_count()

    found = choose_minimum_union([tuple(one) for one in choices])
    assert all(mask in choice for mask, choice in zip(found, choices, strict=True))
    assert size(found) == min(map(size, product(*choices)))


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(tables_of)
def test_a_table_comes_back_from_its_file_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, table: FactTable
) -> None:
    folder = tmp_path_factory.mktemp("facts")
    (folder / FACTS_FILE).write_text(facts_json(table), encoding="utf-8")
    assert load_facts(folder) == table
    assert load_facts(folder / "en") == table


@settings(deadline=None, max_examples=100)
@given(tables_of)
def test_more_seats_never_bring_a_suspect_back(table: FactTable) -> None:
    left = set(SUSPECTS)
    for number in range(len(SUSPECTS) + 1):
        now = {*solve(table, frozenset(SUSPECTS[:number]))["deed"]}
        assert now <= left
        left = now


@pytest.mark.slow
def test_the_published_schema_is_that_of_the_model_and_takes_every_bundled_table() -> None:
    told = Path(facts_schema.__file__).with_name("facts.schema.json").read_text("utf-8")
    assert told == schema_text(facts_schema.TableFile)
    published = cast("Any", Draft202012Validator(json.loads(told)))
    tables = sorted(LIBRARY.glob("*/facts.json"))
    assert tables
    for table in tables:
        assert list(published.iter_errors(json.loads(table.read_text("utf-8")))) == [], table
