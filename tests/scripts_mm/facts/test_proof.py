"""`arena scripts prove`: the proof of a bundled case, and what keeps a changed one from it."""

import json
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from time import process_time

import pytest
from typer.testing import CliRunner

from arena.cli.app import build_app
from scripts_mm.catalog import LIBRARY
from scripts_mm.facts.claim_types import (
    CrimeScene,
    CulpritTrait,
    EarliestTime,
    Exoneration,
    LatestTime,
    PersonTrait,
    PlainStatement,
    Presence,
    TravelTime,
)
from scripts_mm.facts.fact_table import Crime, Fact, FactTable
from scripts_mm.facts.facts_file import FACTS_FILE
from scripts_mm.facts.proof import prove
from scripts_mm.facts.proof_output import proof_json, proof_lines
from scripts_mm.facts.solver import solve
from tests.scripts_mm.fact_changes import (
    Plant,
    Table,
    added,
    dropped,
    edited,
    of_crime,
    rewrite,
)
from tests.scripts_mm.tables import (
    SUSPECTS,
    a_table,
    frame,
    said,
)

APP = build_app("scripts")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A copy of the good case: both languages and its facts."""
    return shutil.copytree(LIBRARY / "first-night", tmp_path / "first-night")


def needing_five(table: Table) -> None:
    table["k"] = 4


def of_others(table: Table) -> None:
    table["suspects"].reverse()


def owned(table: Table) -> None:
    table["owners"] = {"doorkeeper": "iris"}


def test_prove_prints_each_candidate_and_what_shuts_it_out() -> None:
    result = CliRunner().invoke(APP, ["scripts", "prove", "first-night", "--language", "zh"])
    assert result.exit_code == 0
    for words in ("window 20:16 to 20:18", "沈若棠 was elsewhere", "only 贺敬山 is left", "proved"):
        assert words in result.output
    assert "fewest seats that are enough: 4 (k 3)" in result.output
    assert "without pictures: not solved" in result.output
    assert "facts: 21 of 84, the shortest without a culprit's word" in result.output


def test_prove_says_the_same_as_json() -> None:
    result = CliRunner().invoke(APP, ["scripts", "prove", "first-night", "--json"])
    told = json.loads(result.output)
    assert told["script"] == "first-night"
    assert told["solved"] is True
    assert told["problems"] == []
    assert told["verdicts"][0]["left"] == ["miles"]
    assert {step["who"] for step in told["steps"]} == {"iris", "nell", "dorothea", "felix"}
    assert told["steps"][0]["links"][0]["source"] == "role:dorothea"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (dropped("two-ways"), "murder: miles, felix left, but miles stated"),
        (needing_five, "4 seats are enough, but k is 4"),
        (of_crime(culprits=["nell"]), "murder: miles left, but nell stated"),
        (of_crime(culprits=["doctor"]), "murder: none of its culprits is a suspect"),
        (of_crime(culprits=["nell"]), "crimes: the truth names Miles"),
        (of_others, "suspects: wanted the roles in their order"),
        (edited("two-ways", sources=["picture:map"]), "two-ways: its source 'picture:map' is no"),
        (edited("two-ways", sources=["picture:notice"]), "two-ways: its source 'picture:notice'"),
        (owned, "owners: 'doorkeeper' is dealt to no"),
        (
            added(kind="scene", crime="murder", place="stage"),
            "murder: wanted one scene, got ",
        ),
    ],
)
def test_prove_exits_with_1_where_the_culprit_is_not_proved(
    case: Path, plant: Plant, words: str
) -> None:
    rewrite(case / FACTS_FILE, plant)
    result = CliRunner().invoke(APP, ["scripts", "prove", str(case)])
    assert result.exit_code == 1
    assert f"not proved: {words}" in result.output


def test_prove_exits_with_1_without_a_table_and_with_2_where_it_is_broken(case: Path) -> None:
    (case / FACTS_FILE).write_text("[]", encoding="utf-8")
    broken = CliRunner().invoke(APP, ["scripts", "prove", str(case)])
    assert broken.exit_code == 2
    assert "error: " in broken.output
    (case / FACTS_FILE).unlink()
    none = CliRunner().invoke(APP, ["scripts", "prove", str(case)])
    assert none.exit_code == 1
    assert "has no facts.json" in none.output


def stay(
    name: str, start: int, end: int, *sources: str, place: str = "barn", who: str = "ben"
) -> Fact:
    """Return the fact of a stay."""
    return said(name, Presence(who=who, place=place, start=start, end=end), *sources)


@pytest.mark.parametrize(
    ("minutes", "start", "end", "out"),
    [
        (0, 600, 610, True),
        (0, 601, 610, False),
        (1, 601, 610, False),
        (2, 601, 609, True),
        (2, 602, 609, False),
        (6, 605, 605, True),
        (5, 605, 605, False),
    ],
)
def test_a_way_to_the_scene_makes_a_stay_longer(
    minutes: int, start: int, end: int, out: bool
) -> None:
    way = said("way", TravelTime(places=("hall", "barn"), minutes=minutes), "opening")
    left = solve(a_table(*frame(), stay("stay", start, end, "role:cam"), way))["deed"]
    assert ("ben" not in left) is out


def test_a_stay_at_the_scene_clears_nobody() -> None:
    there = stay("stay", 590, 620, "role:cam", place="hall")
    assert "ben" in solve(a_table(*frame(), there))["deed"]


def test_two_stays_of_two_witnesses_cover_a_window_together() -> None:
    first, second = stay("one", 600, 604, "role:cam"), stay("two", 605, 610, "picture:photo")
    table = a_table(*frame(), first, second)
    assert "ben" not in solve(table)["deed"]
    assert "ben" in solve(table, pictures=False)["deed"]
    assert "ben" in solve(table, frozenset({"ben", "dot"}))["deed"]


def test_nobody_is_cleared_by_a_word_or_a_paper_of_its_own() -> None:
    alone = a_table(*frame(), stay("stay", 600, 610, "role:ben", "clue:diary"), diary="ben")
    assert "ben" in solve(alone)["deed"]
    shared = a_table(*frame(), stay("stay", 600, 610, "role:ben", "clue:diary"), diary="cam")
    assert "ben" not in solve(shared)["deed"]


def solved(*witness: str, k: int = 0) -> FactTable:
    """Return a table in which all but the culprit were in the barn, as `witness` says."""
    stays = [stay(f"of-{who}", 600, 610, *witness, who=who) for who in SUSPECTS[1:]]
    return a_table(*frame(), *stays, k=k)


def test_a_picture_is_needed_only_where_nothing_else_says_the_same() -> None:
    assert prove(solved("picture:photo")).needs_picture
    assert not prove(solved("picture:photo", "role:ann", "role:cam", "role:dot")).needs_picture
    assert not prove(solved("picture:photo", "clue:note")).needs_picture


def test_a_culprit_is_heard_only_where_it_must_be() -> None:
    forced = prove(solved("role:ann"))
    assert forced.needs_culprit
    assert forced.seats == ("ann",)
    free = prove(solved("role:ann", "role:ben", "role:cam"))
    assert not free.needs_culprit
    assert free.seats == ("ben", "cam")
    assert free.seats_needed == 1


def test_fewer_seats_than_promised_are_a_problem() -> None:
    assert prove(solved("role:ann", k=0)).solved
    assert prove(solved("role:ann", k=1)).problems == ("1 seats are enough, but k is 1",)
    assert not prove(solved("opening", k=0)).solved
    assert prove(solved("role:ben", "role:cam", k=1)).seats_needed == 2


def test_two_crimes_are_solved_each_by_its_own_facts() -> None:
    one = solved("role:cam", "role:dot")
    second = (
        said("after-2", EarliestTime(crime="theft", time=700), "opening"),
        said("before-2", LatestTime(crime="theft", time=705), "opening"),
        said("scene-2", CrimeScene(crime="theft", place="pond"), "opening"),
        *(stay(f"late-{who}", 700, 705, "picture:watch", who=who) for who in ("ann", "cam", "dot")),
    )
    crimes = (*one.crimes, Crime(id="theft", culprits=("ben",)))
    proof = prove(replace(one, crimes=crimes, facts=(*one.facts, *second)))
    assert [(verdict.crime, verdict.left) for verdict in proof.verdicts] == [
        ("deed", ("ann",)),
        ("theft", ("ben",)),
    ]
    assert proof.solved
    assert len(proof.steps) == 6


@pytest.mark.parametrize("second", ["ann", "ben"])
def test_a_word_of_another_culprit_proves_nothing(second: str) -> None:
    told = solved("role:ann", "role:ben") if second == "ben" else solved("role:ann")
    kept = tuple(one for one in told.facts if one.id != "of-ben") if second == "ben" else told.facts
    culprits = tuple(dict.fromkeys(("ann", second)))
    proof = prove(replace(told, crimes=(Crime(id="deed", culprits=culprits),), facts=kept))
    assert proof.verdicts[0].left == culprits
    assert proof.needs_culprit
    assert proof.solved == (second == "ann")
    if second == "ben":
        assert "several culprits" in proof.problems[0]


def test_a_culprit_of_another_crime_proves_nothing_either() -> None:
    one = solved("role:cam")
    clean = said(
        "sober", CulpritTrait(crime="theft", sort="had", name="key", value="old"), "opening"
    )
    keys = [
        said(f"key-{who}", PersonTrait(sort="had", who=who, name="key", value="new"), "role:dot")
        for who in ("ann", "ben")
    ]
    last = said("key-dot", PersonTrait(sort="had", who="dot", name="key", value="new"), "role:ben")
    of_cam = stay("of-cam", 600, 610, "role:dot", who="cam")
    facts = tuple(of_cam if fact.id == "of-cam" else fact for fact in one.facts)
    crimes = (*one.crimes, Crime(id="theft", culprits=("cam",)))
    proof = prove(replace(one, crimes=crimes, facts=(*facts, clean, *keys, last)))
    assert [verdict.left for verdict in proof.verdicts] == [("ann",), ("cam",)]
    assert not proof.solved
    assert "several culprits" in proof.problems[0]


def test_one_crime_that_few_seats_settle_names_the_culprit_of_the_others() -> None:
    one = solved("role:cam", k=1)
    facts = tuple(
        stay("of-cam", 600, 610, "role:ben", who="cam") if fact.id == "of-cam" else fact
        for fact in one.facts
    )
    theft = tuple(replace(fact, id=f"{fact.id}-2") for fact in solved("role:ann").facts)
    theft = (*(fact for fact in theft if isinstance(fact.claim, Presence)), *frame("theft"))
    crimes = (*one.crimes, Crime(id="theft", culprits=("ann",)))
    hard = prove(replace(one, facts=facts))
    assert (hard.seats_needed, hard.solved) == (2, True)
    table = replace(one, crimes=crimes, facts=(*facts, *theft))
    proof = prove(table)
    assert "theft: 1 seats are enough, but k is 1" in proof.problems
    lines = "\n".join(proof_lines(table, proof, "en"))
    assert "fewest seats that solve only theft: 1" in lines


def test_who_had_the_needed_value_among_others_is_not_shut_out() -> None:
    need = said(
        "rope", CulpritTrait(crime="deed", sort="had", name="tool", value="rope"), "opening"
    )
    knife = said("knife", PersonTrait(sort="had", who="ben", name="tool", value="knife"), "opening")
    rope = said("his", PersonTrait(sort="had", who="ben", name="Tool", value="Rope"), "role:cam")
    assert "ben" not in solve(a_table(need, knife))["deed"]
    assert "ben" in solve(a_table(need, knife, rope))["deed"]
    assert "ben" in solve(a_table(need, knife, rope), frozenset())["deed"]


def layers(depth: int, width: int) -> list[Fact]:
    """Return notes, each following from any two of the layer below, and a clearing from them."""
    facts = [said(f"n0-{at}", PlainStatement(), "role:cam") for at in range(width)]
    for number in range(1, depth):
        pairs = list(combinations([f"n{number - 1}-{at}" for at in range(width)], 2))
        facts += [said(f"n{number}-{at}", PlainStatement(), because=pairs) for at in range(width)]
    last = [[f"n{depth - 1}-{at}"] for at in range(width)]
    return [*facts, said("clear", Exoneration(crime="deed", who="ben"), because=last)]


def test_a_search_that_is_cut_off_says_so_and_still_proves() -> None:
    away = [stay(f"of-{who}", 600, 610, "role:ben", who=who) for who in ("cam", "dot")]
    table = a_table(*frame(), *away, *layers(8, 6))
    started = process_time()
    proof = prove(table)
    assert process_time() - started < 5
    assert proof.solved
    assert not proof.shown_shortest
    assert proof_json(proof)["shown_shortest"] is False
    assert any("not shown to be the shortest" in one for one in proof_lines(table, proof, "en"))
    small = prove(a_table(*frame(), *away, *layers(3, 3)))
    assert small.solved
    assert small.shown_shortest


def test_a_long_chain_is_put_in_order_at_once() -> None:
    chain = [said(f"n{at}", PlainStatement(), because=[[f"n{at + 1}"]]) for at in range(1_999)]
    started = process_time()
    prove(a_table(*chain, said("n1999", PlainStatement(), "opening")))
    assert process_time() - started < 2


def test_a_large_table_is_proved_in_a_few_milliseconds() -> None:
    stays = [
        stay(
            f"{who}-{at}", 600 + at, 603 + at, f"role:{SUSPECTS[at % 4]}", "picture:photo", who=who
        )
        for who in SUSPECTS[1:]
        for at in range(0, 10, 2)
    ]
    table = a_table(*frame(), *stays)
    started = process_time()
    for _ in range(20):
        prove(table)
    assert (process_time() - started) / 20 < 0.1
