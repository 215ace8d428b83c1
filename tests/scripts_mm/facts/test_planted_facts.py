"""One fault at a time is planted beside a good script, and lint finds each of them.

The fact table: unreadable (no k; an unknown person, place, clue owner, fact; a clock time that is
none; a window of no minute; reasons in a circle; an id twice; a fact out of nothing; a clearing
that somebody states; suspects who are no people); other suspects or culprits than the script; a
source that is no clue, or a picture where there is none; a text of one language missing; another
victim; somebody at two places, or there too fast; two times of one way; a mission
whose question nobody answers, or only the role itself, or a clue that is none; two
values of one trait; two scenes; a suspect too many, or the wrong one, left; solved by too few
seats, without a picture, or by the culprit.
Beside it: a file that no clue shows; another language that differs or cannot be read.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from scripts_mm.catalog import LIBRARY
from scripts_mm.facts.claim_types import Presence
from scripts_mm.facts.consistency import check_proof
from scripts_mm.facts.fact_table import Crime
from scripts_mm.facts.facts_file import FACTS_FILE, load_facts
from scripts_mm.findings import FindingLog, Severity
from scripts_mm.linting import lint
from scripts_mm.script import ScriptError
from scripts_mm.script_folder import load_script
from tests.scripts_mm.fact_changes import (
    Plant,
    added,
    clearing_the_culprit,
    dropped,
    edited,
    fact,
    of_crime,
    plain,
    rewrite,
    stayed,
)
from tests.scripts_mm.tables import (
    AB,
    SUSPECTS,
    a_table,
    frame,
    said,
)


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A copy of the good case: both languages and its facts."""
    return shutil.copytree(LIBRARY / "first-night", tmp_path / "first-night")


PLANTED: list[tuple[str, Severity, Plant]] = [
    ("facts-suspects", "error", lambda t: t["suspects"].reverse()),
    ("mission-unanswered", "warning", lambda t: t["missions"].pop()),
    (
        "mission-unanswered",
        "warning",
        lambda t: t["missions"][1].update(answered_by=["role:nell", "picture:running-list"]),
    ),
    (
        "mission-source",
        "error",
        lambda t: t["missions"][0].update(answered_by=["clue:map"]),
    ),
    (
        "travel-times-differ",
        "warning",
        added(kind="way", places=["dressing-1", "control-box"], minutes=5),
    ),
    ("facts-culprits", "error", of_crime(culprits=["felix"])),
    ("facts-clue", "error", edited("two-ways", sources=["picture:map"])),
    ("facts-source", "error", edited("two-ways", sources=["picture:notice"])),
    ("facts-source", "error", edited("knock", sources=["clue:chat"])),
    ("facts-untranslated", "warning", lambda t: fact(t, "knock")["says"].pop("en")),
    ("facts-victim", "warning", of_crime(victim="marsh")),
    ("facts-two-places", "warning", stayed("stage", "20:00", "20:05")),
    ("facts-too-fast", "warning", stayed("dressing-1", "20:34", "20:35")),
    (
        "facts-two-values",
        "warning",
        added(kind="is", who="nell", name="Hand", value="right"),
    ),
    ("facts-two-scenes", "error", added(kind="scene", crime="murder", place="stage")),
    ("facts-unsolved", "error", dropped("pass-door-bolted")),
    ("facts-unsolved", "error", clearing_the_culprit),
    ("facts-few-seats", "error", lambda t: t.update(k=4)),
    ("facts-owner", "error", lambda t: t.update(owners={"doorkeeper": "iris"})),
    ("facts-no-picture", "warning", plain),
    ("facts-of-culprit", "warning", edited("nobody-passed-hatch", sources=["role:miles"])),
    ("facts-unreadable", "error", lambda t: t.pop("k")),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "severity", "plant"),
    PLANTED,
    ids=[f"{at:02}-{code}" for at, (code, _, _) in enumerate(PLANTED)],
)
def test_a_fault_of_the_fact_table_is_found(
    case: Path, code: str, severity: Severity, plant: Plant
) -> None:
    rewrite(case / FACTS_FILE, plant)
    found = {one.code: one.severity for one in lint(load_script(case / "en"))}
    assert found.get(code) == severity


NOTE = {"id": "n", "kind": "note", "sources": ["opening"], "says": {"en": "So it is."}}
REFUSED: list[tuple[str, Plant]] = [
    (
        "'after' not later than 'before', got 21:00 and 20:18",
        added(kind="after", crime="murder", time="21:00"),
    ),
    (
        "wanted the id of a person, got 'nobody'",
        edited("felix-in-box", who="nobody"),
    ),
    (
        "wanted the id of a place, got 'moon'",
        edited("felix-in-box", place="moon"),
    ),
    ("wanted the id of a crime, got 'theft'", edited("knock", crime="theft")),
    (
        "because: wanted the id of a fact, got 'rain'",
        added(kind="note", because=[["rain"]]),
    ),
    (
        "wanted the id of a suspect, got 'leopold'",
        added(kind="note", sources=["role:leopold"]),
    ),
    ("a lie of 'miles': wanted the id of a fact", lambda t: t["lies"][0].update(against=["rain"])),
    ("wanted a time HH:MM", edited("knock", time="8 pm")),
    ("wanted a time HH:MM", edited("knock", time="20:60")),
    ("wanted 'from' not after 'to'", edited("felix-in-box", to="19:00")),
    ("wanted a way between two places", edited("long-way", places=["stage"] * 2)),
    ("wanted every fact once, got 'knock'", added(kind="note", id="knock")),
    ("wanted every person once", lambda t: t["people"].append(t["people"][0])),
    ("wanted 'sources' or 'because', got neither", added(kind="note", sources=[])),
    ("wanted fact ids in every list", added(kind="note", because=[[]])),
    ("wanted 'opening', 'clue:ID'", added(kind="note", sources=["rumour"])),
    (
        "only 'because' for kind 'cleared'",
        added(kind="cleared", crime="murder", who="iris"),
    ),
    (
        "wanted reasons without a cycle",
        edited("thud-was-the-fall", because=[["before-second-thunder"]]),
    ),
    ("wanted a crime, got none", lambda t: t.update(crimes=[], facts=[NOTE], lies=[])),
    ("at most 2000", lambda t: t.update(facts=[{**NOTE, "id": f"n{at}"} for at in range(2001)])),
    ("wanted 2 to 12 suspects", lambda t: t.update(suspects=["miles"])),
    (
        "people: wanted one called 'Dorothea Lind'",
        lambda t: t["people"][2]["names"].update(en="Dora"),
    ),
    (
        "missions: wanted the id of a suspect, got 'leopold'",
        lambda t: t["missions"][0].update(who="leopold"),
    ),
    ("missions[0].answered_by: wanted", lambda t: t["missions"][0].update(answered_by=[])),
    ("unknown key", lambda t: t.update(secrets=[])),
    ("facts[0].note.says: wanted a text", lambda t: t["facts"][0]["says"].clear()),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "plant"), REFUSED, ids=[words for words, _ in REFUSED])
def test_a_table_that_leads_nowhere_is_refused_in_one_line(
    case: Path, words: str, plant: Plant
) -> None:
    rewrite(case / FACTS_FILE, plant)
    with pytest.raises(ScriptError) as caught:
        load_facts(case / "en")
    line = str(caught.value)
    assert words in line
    assert FACTS_FILE in line
    assert "\n" not in line


def test_a_link_that_leads_nowhere_is_refused(case: Path) -> None:
    (case / FACTS_FILE).unlink()
    (case / FACTS_FILE).symlink_to(case / "gone.json")
    with pytest.raises(ScriptError, match=FACTS_FILE):
        load_facts(case / "en")


@pytest.mark.parametrize(("culprits", "severity"), [(("ann",), "warning"), (AB, "error")])
def test_culprits_who_must_be_heard_are_an_error_where_they_are_several(
    culprits: tuple[str, ...], severity: Severity
) -> None:
    away = [
        said(f"of-{who}", Presence(who=who, place="barn", start=600, end=610), "role:ann")
        for who in SUSPECTS
        if who not in culprits
    ]
    table = a_table(*frame(), *away)
    notes = FindingLog()
    check_proof(replace(table, crimes=(Crime(id="deed", culprits=culprits),)), notes)
    assert {one.code: one.severity for one in notes.found}["facts-of-culprit"] == severity


@pytest.mark.slow
def test_a_file_that_no_clue_shows_is_told(case: Path) -> None:
    (case / "en" / "pictures" / "draft.png").write_bytes(b"")
    assert [one.code for one in lint(load_script(case / "en"))] == ["unused-file"]


@pytest.mark.slow
def test_a_language_that_differs_or_is_broken_is_told(case: Path) -> None:
    other = case / "zh" / "script.json"
    rewrite(other, lambda whole: whole["questions"][0].update(keys=[0]))
    (finding,) = lint(load_script(case / "en"))
    assert (finding.code, finding.place) == ("languages-differ", "questions")
    other.write_text("{", encoding="utf-8")
    assert [one.code for one in lint(load_script(case / "en"))] == ["language-unreadable"]


@pytest.mark.slow
def test_the_crimes_of_a_league_name_the_culprits_of_a_killing_together(tmp_path: Path) -> None:
    case = shutil.copytree(LIBRARY / "homing-hour", tmp_path / "homing-hour")
    assert "facts-culprits" not in {one.code for one in lint(load_script(case / "en"))}
    rewrite(case / FACTS_FILE, lambda table: table["crimes"][1].update(victim=None))
    found = [one for one in lint(load_script(case / "en")) if one.code == "facts-culprits"]
    assert [one.place for one in found] == ["push"]
