"""The record of a run: its description, scripts and pictures, and the plan of its matches."""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.options import GameOptions
from arena.core.seats import SeatId
from arena.errors import ConfigError, RecordError
from arena.games.whodunit.options import WhodunitOptions
from arena.records.match_summary import SUMMARY, MatchSummary
from arena.records.run_config import (
    MAX_MATCHES,
    MAX_SEED,
    HumanSeat,
    Pair,
    RunConfig,
    make_pairs,
    match_specs,
)
from arena.records.run_folder import check_new
from arena.records.run_manifest import MANIFEST, RunManifest
from arena.records.run_record import create_run, open_run
from arena.records.sqlite_index import rebuild_index
from tests.arena.records.live import options
from tests.arena.records.made import (
    MATCH,
    REF,
    SHA256,
    make_run,
    manifest,
    play_recorded,
    run_config,
    summary,
)
from tests.table import case


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    chosen=options(),
    seed=st.integers(0, MAX_SEED),
    pairs=st.tuples(st.builds(Pair, civilians=st.text(), murderer=st.text())),
    quiz=st.sampled_from(("none", "before", "after", "both")),
    deadline=st.floats(0.001, 1e9),
)
def test_a_description_comes_back_as_it_was(chosen: WhodunitOptions, **values: Any) -> None:
    written = manifest(options=chosen, **values)
    assert MANIFEST.decode(MANIFEST.encode_file(written)) == written
    assert type(MANIFEST.decode(MANIFEST.encode(written)).config.options) is WhodunitOptions


def test_a_run_is_opened_with_everything_that_was_written(tmp_path: Path) -> None:
    made = make_run(tmp_path / "run", rotations=2)
    opened = open_run(made.path)
    assert opened.manifest == manifest(options=WhodunitOptions(rounds=1), rotations=2)
    assert opened.config.rotations == 2
    assert opened.script(REF) == case()
    assert json.loads((made.path / "run.json").read_text())["schema"] == 3


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        ("schema", None, "schema 3, got schema 1; read it with the version that wrote"),
        ("schema", 4, "schema 3, got schema 4; update the arena"),
        ("config.game", "chess", "game 'chess' of this record is not installed"),
        ("config.matches", 0, "must be >= 1, got 0"),
        ("config.matches", 10**7, "at most 100000 matches"),
        ("config.seed", 2**63, "seeds must be >= 0 and"),
        ("config.deadline", float("nan"), "NaN is not a number"),
        ("config.deadline", -1, "must be > 0 seconds"),
        ("config.seed", "1", "config.seed"),
        ("config.colour", "red", "config.colour"),
        ("config.options.rounds", "many", "rounds"),
        ("config.options.fly", True, "fly"),
        ("config", None, "config"),
        ("servers", [], "servers"),
    ],
)
def test_a_changed_description_is_refused_in_one_sentence(
    tmp_path: Path, place: str, value: object, reason: str
) -> None:
    run = make_run(tmp_path / "run")
    path = run.path / "run.json"
    values = json.loads(path.read_text("utf-8"))
    *parents, name = place.split(".")
    found = values
    for parent in parents:
        found = found[parent]
    found[name] = value
    if value is None:
        del found[name]
    path.write_text(json.dumps(values), "utf-8")
    with pytest.raises(RecordError, match=reason) as refused:
        open_run(run.path)
    assert "run.json" in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "nonsense", "[" * 100_000, "\ud800"])
def test_a_description_that_is_no_description_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run"
    path.mkdir()
    (path / "run.json").write_bytes(text.encode("utf-8", errors="surrogatepass"))
    with pytest.raises(RecordError, match=r"run\.json"):
        open_run(path)


def test_a_folder_without_a_description_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no run at"):
        open_run(tmp_path)
    with pytest.raises(RecordError, match="no run at"):
        open_run(tmp_path / "nowhere")


def test_a_new_run_needs_an_empty_place(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    with pytest.raises(RecordError, match="is not empty"), create_run(run.path):
        pass
    with pytest.raises(RecordError, match="is a file"):
        check_new(run.path / "run.json" / "deeper")
    check_new(tmp_path / "not" / "yet")
    assert not (tmp_path / "not").exists()


def test_two_processes_cannot_hold_one_run(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    second = pytest.raises(RecordError, match="another process is playing")
    with run.lock(), second, open_run(run.path).lock():
        pass
    with run.lock():
        pass


def test_a_script_that_was_changed_is_refused(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    path = run.path / "scripts" / f"{SHA256}.json"
    text = path.read_text("utf-8")
    for changed, reason in (
        (text.replace("21:00", "22:00"), "has changed since the start of the run"),
        (text[:-9], "is not a script"),
        ("[]", "is not a script"),
        (text.replace('"Bram Stone"', '"Ada Quill"'), "is not a script"),
    ):
        path.write_text(changed, "utf-8")
        with pytest.raises(RecordError, match=reason):
            run.script(REF)
    path.unlink()
    with pytest.raises(RecordError, match="is missing"):
        run.script(REF)
    with pytest.raises(RecordError, match="wanted a SHA-256 in hexadecimal"):
        run.script(replace(REF, sha256="../run"))


def test_a_picture_is_kept_once_and_checked(tmp_path: Path) -> None:
    run, data = make_run(tmp_path / "run"), b"picture"
    digest = hashlib.sha256(data).hexdigest()
    with pytest.raises(RecordError, match="has no picture"):
        run.read_picture(digest)
    run.save_picture(digest, data)
    run.save_picture(digest, b"ignored")
    assert run.read_picture(digest) == data
    (run.path / "pictures" / digest).write_bytes(b"other")
    with pytest.raises(RecordError, match="has changed"):
        run.read_picture(digest)
    for name in ("../run.json", "", digest.upper(), f"{digest}\n"):
        with pytest.raises(RecordError, match="wanted a SHA-256 in hexadecimal"):
            run.read_picture(name)


@pytest.mark.parametrize("name", ["", ".", "..", "../run.json", "a/b", "/etc/passwd", "a\0b"])
def test_a_match_outside_the_run_is_no_match(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match="is not a match id"):
        make_run(tmp_path / "run").match(name)


def test_matches_are_those_that_have_started(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    assert run.matches() == ()
    (run.path / "matches" / "unstarted").mkdir(parents=True)
    assert run.matches() == ()
    play_recorded(run)
    assert run.matches() == (run.match(MATCH),)
    assert run.matches()[0].script() == case()
    assert run.spec(MATCH).script == REF
    with pytest.raises(RecordError, match="'other' is not in the plan"):
        run.spec("other")


def test_each_match_of_a_plan_is_next_to_its_swapped_twin() -> None:
    plan = match_specs(run_config(pairs=make_pairs("naive", "random", swap=True), matches=2))
    assert [(spec.seed, spec.civilians) for spec in plan] == [
        (1, "naive"),
        (1, "random"),
        (2, "naive"),
        (2, "random"),
    ]
    assert len({spec.id for spec in plan}) == 4
    for plain, twin in zip(plan[::2], plan[1::2], strict=True):
        assert (twin.civilians, twin.murderer) == (plain.murderer, plain.civilians)
        assert (twin.script, twin.seed) == (plain.script, plain.seed)


def test_every_pair_plays_every_seed_with_every_seat_in_the_first_place() -> None:
    pairs = (*make_pairs("a", "b", swap=True), *make_pairs("a", "a"))
    plan = match_specs(run_config(pairs=pairs, matches=2, rotations=3))
    assert len({spec.id for spec in plan}) == len(plan) == 18
    assert {(one.seed, one.rotation) for one in plan} == {(s, r) for s in (1, 2) for r in range(3)}
    assert plan[0].id == "harbour-en-s1"
    assert plan[4].id == "harbour-en-s1-r1-swap"


def test_pairs_that_are_added_change_no_id() -> None:
    pairs = (*make_pairs("a", "b"), *make_pairs("b", "c"))
    before = match_specs(run_config(pairs=pairs))
    after = match_specs(run_config(pairs=(*pairs, *make_pairs("a", "c"))))
    assert {one.id for one in before} < {one.id for one in after}


def test_a_run_of_one_pair_and_its_swap_is_read_as_two_pairs(tmp_path: Path) -> None:
    made = make_run(tmp_path / "run")
    path = made.path / "run.json"
    found = json.loads(path.read_text())
    del found["config"]["pairs"]
    found["config"] |= {"civilians": "a", "murderer": "b", "swap": True}
    path.write_text(json.dumps(found))
    assert open_run(made.path).config.pairs == make_pairs("a", "b", swap=True)


@pytest.mark.parametrize("is_played", [True, False])
def test_a_run_of_one_person_or_none_is_read_as_seats_of_persons(
    tmp_path: Path, *, is_played: bool
) -> None:
    humans = (HumanSeat(seat=SeatId("Ada Quill"), time_limit=9.0, human_id="kim", spoiled=True),)
    made = make_run(tmp_path / "run", humans=humans if is_played else ())
    path = made.path / "run.json"
    found = json.loads(path.read_text())
    [*persons] = found["config"].pop("humans")
    found["config"]["human"] = persons[0] if persons else None
    path.write_text(json.dumps(found))
    assert open_run(made.path).config == made.config
    found["config"]["humans"] = persons
    path.write_text(json.dumps(found))
    with pytest.raises(RecordError, match="human"):
        open_run(made.path)


def test_a_plan_without_a_swap_has_no_twins() -> None:
    assert [spec.seed for spec in match_specs(run_config(matches=2))] == [1, 2]


def test_ids_of_matches_can_be_folders() -> None:
    refs = tuple(replace(REF, id=name) for name in ("a/b", "a b", "..", "月光"))
    ids = [spec.id for spec in match_specs(run_config(scripts=refs))]
    assert len(set(ids)) == 4
    assert all(Path(name).name == name for name in ids)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"matches": 0}, "must be >= 1"),
        ({"matches": MAX_MATCHES + 1}, "at most 100000 matches, got 100001; split it"),
        (
            {"matches": MAX_MATCHES // 2 + 1, "pairs": make_pairs("a", "b", swap=True)},
            "at most 100000 matches, got 100002",
        ),
        ({"matches": 50_001, "scripts": (REF, replace(REF, id="b"))}, "at most 100000 matches"),
        ({"matches": 10**5000}, "got a number of 16610 bits"),
        ({"seed": -1}, "seeds must be >= 0"),
        ({"seed": MAX_SEED + 1}, "< 2\\*\\*63, got 9223372036854775808 for the first of 1"),
        ({"seed": MAX_SEED, "matches": 2}, "seeds must be >= 0 and"),
        ({"deadline": 0.0}, "must be > 0 seconds"),
        ({"deadline": float("nan")}, "must be > 0 seconds"),
        ({"deadline": float("inf")}, "must be > 0 seconds and finite, got inf"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"options": GameOptions()}, "needs options of type WhodunitOptions, got GameOptions"),
    ],
)
def test_a_configuration_without_sense_is_refused(values: dict[str, Any], reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        run_config(**values)


def test_a_configuration_without_options_has_those_of_the_default_game() -> None:
    config = RunConfig(pairs=make_pairs("a", "b"), scripts=())
    assert config.options == WhodunitOptions()
    assert MANIFEST.decode(MANIFEST.encode(RunManifest(config=config))).config == config


def test_the_last_seed_is_one_that_an_index_can_hold() -> None:
    config = run_config(seed=MAX_SEED - 1, matches=2)
    assert [spec.seed for spec in match_specs(config)] == [MAX_SEED - 1, MAX_SEED]


def test_the_index_has_a_row_for_each_complete_match(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    events = play_recorded(run).state.history
    run.match(MATCH).write_summary(summary(events=len(events)))
    path = rebuild_index(run)
    assert rebuild_index(run) == path
    with closing(sqlite3.connect(path)) as base:
        found = base.execute("SELECT * FROM matches").fetchall()
        names = [row[1] for row in base.execute("PRAGMA table_info(matches)")]
        flags = base.execute("SELECT flags FROM matches").fetchone()[0]
    assert names == [one.name for one in fields(MatchSummary)]
    assert len(found) == 1
    assert json.loads(flags) == ["resumed"]


def test_a_damaged_match_has_no_row_and_takes_no_other_with_it(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    events = play_recorded(run).state.history
    run.match(MATCH).write_summary(summary(events=len(events)))
    huge = json.dumps({**json.loads(SUMMARY.encode(summary())), "prompt_tokens": 10**30})
    for name, text in (("events.jsonl", ""), ("done.json", "{"), ("done.json", huge)):
        other = run.match(f"other-{len(text)}").path
        shutil.copytree(run.match(MATCH).path, other)
        (other / name).write_text(text)
    path = rebuild_index(run)
    with closing(sqlite3.connect(path)) as base:
        assert base.execute("SELECT match FROM matches").fetchall() == [(MATCH,)]


def test_an_index_that_cannot_be_written_is_one_line_and_leaves_no_draft(tmp_path: Path) -> None:
    run = make_run(tmp_path / "run")
    (run.path / "index.sqlite").mkdir()
    before = sorted(path.name for path in run.path.iterdir())
    with pytest.raises(RecordError, match=r"cannot write .*index\.sqlite'"):
        rebuild_index(run)
    assert sorted(path.name for path in run.path.iterdir()) == before


@pytest.mark.parametrize("name", ["index.draft", "index.draft-journal", "index.sqlite-journal"])
def test_a_link_beside_the_index_leads_no_write_outside(tmp_path: Path, name: str) -> None:
    run, outside = make_run(tmp_path / "run"), tmp_path / "precious"
    outside.write_text("precious")
    (run.path / name).symlink_to(outside)
    (run.path / "index.sqlite").symlink_to(outside)
    rebuild_index(run)
    assert outside.read_text() == "precious"
    assert not (run.path / "index.sqlite").is_symlink()
