"""Tournaments from the plan to the standings, played by players that need no server."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli.rendering.tournament_table import pair_notes
from arena.core.events import Said
from arena.core.observation import observe
from arena.core.playouts.playout import start_state
from arena.errors import ConfigError, RecordError
from arena.games.game_registry import find_game
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from arena.players.prompts import header
from arena.records.run_config import RunConfig, make_pairs
from arena.records.run_manifest import RunManifest, ServerRecord
from arena.records.run_record import RunRecord
from arena.tournament.description import SUITES, make_plan, read_suite, suite_path
from arena.tournament.folder import (
    add_contestants,
    create_tournament,
    open_tournament,
    remove_contestant,
)
from arena.tournament.play_runs import find_unfinished
from arena.tournament.run_agreement import check_agreement
from eval.standings import count_results, make_standings
from scripts_mm.script_folder import LoadedScript
from tests.arena.records.made import REF
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import events_of, planned, play
from tests.table import setup


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@pytest.mark.slow
def test_a_tournament_is_played_whole_and_a_second_time_plays_nothing(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded])
    assert [one.missing for one in count_results(folder.runs, folder.load_started_runs())] == [
        2
    ] * 9
    play(folder)
    pairs = count_results(folder.runs, folder.load_started_runs())
    assert [one.missing for one in pairs] == [0] * 9
    assert sum(one.outcomes.total() for one in pairs) == 18
    assert list(find_unfinished(folder)) == []
    before = events_of(folder)
    play(open_tournament(folder.path))
    assert events_of(folder) == before


@pytest.mark.slow
def test_a_contestant_that_enters_later_leaves_all_other_matches_as_they_are(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive", "random"))
    play(folder)
    before = events_of(folder)
    grown = add_contestants(folder, ("first",))
    play(grown)
    after = events_of(grown)
    assert {name: after[name] for name in before} == before
    assert len(after) == 18
    whole = planned(tmp_path / "whole", [loaded], ("naive", "random", "first"))
    play(whole)
    outcomes = {
        (one.civilians, one.murderer): one.outcomes
        for one in count_results(whole.runs, whole.load_started_runs())
    }
    assert outcomes == {
        (one.civilians, one.murderer): one.outcomes
        for one in count_results(grown.runs, grown.load_started_runs())
    }


def test_rotations_let_every_seat_speak_first(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",), seeds=1, rotations=5)
    play(folder)
    [record] = folder.load_started_runs().values()
    speeches = (
        next(event for event in match.events() if isinstance(event, Said))
        for match in record.matches()
    )
    assert {one.seat for one in speeches} == {role.name for role in loaded.script.roles}


def test_rotations_do_not_change_how_prompts_begin(loaded: LoadedScript) -> None:
    def headers(rotation: int) -> dict[str, object]:
        wanted = replace(setup(script=loaded.script), rotation=rotation)
        state = start_state(WHODUNIT, wanted)
        return {seat: header(observe(state, seat)) for seat in state.started.seats}

    assert headers(0) == headers(3)


@pytest.mark.slow
def test_games_weigh_the_same_in_the_ratings(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(
        tmp_path / "out", [loaded], ("random", "first"), games=("whodunit", "werewolf5")
    )
    play(folder)
    found = make_standings(folder.runs, folder.load_started_runs(), resamples=0)
    weights: dict[str, float] = {}
    for part in found.ratings.components:
        for one in part.ratings:
            if one.side != "both":
                weights[one.side] = weights.get(one.side, 0) + one.games
    assert weights["civilians"] == pytest.approx(found.rated)
    assert {one.game for one in found.pairs} == {"whodunit", "werewolf5"}


def test_a_script_that_was_changed_is_refused(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(tmp_path / "out", [loaded])
    [path] = (folder.path / "scripts").glob("*/script.json")
    path.write_text(path.read_text("utf-8").replace("harbour", "Harbour", 1), "utf-8")
    with pytest.raises(RecordError, match="has changed since it was planned"):
        play(folder)


def test_a_suite_pins_its_scripts(loaded: LoadedScript, tmp_path: Path) -> None:
    file = tmp_path / "suite.toml"
    text = f"""
name = "mine"
version = 1
contestants = ["naive"]
[[games]]
preset = "short"
scripts = [{{ id = {json.dumps(str(loaded.folder))}, sha256 = "{loaded.sha256}" }}]
"""
    file.write_text(text)
    made = make_plan(file, ["random"], suite=True)
    assert made.plan.contestants == ("naive", "random")
    assert made.plan.suite is not None
    assert (made.plan.suite.name, made.plan.suite.version) == ("mine", 1)
    file.write_text(text.replace(loaded.sha256, "0" * 64))
    with pytest.raises(ConfigError, match="the suite was made with 000000000000"):
        make_plan(file, [], suite=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["library", "library-zh"])
def test_a_bundled_suite_has_the_scripts_that_it_pins(name: str) -> None:
    made = make_plan(suite_path(name), ["first"], suite=True)
    assert made.plan.opponents == ("naive", "random")
    assert len(made.scripts) == 11


def test_scripts_that_are_not_bundled_are_found_by_their_content(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    file = tmp_path / "suite.toml"
    file.write_text(
        f'name = "mine"\ncontestants = ["naive"]\n[[games]]\n'
        f'scripts = [{{ sha256 = "{loaded.sha256}" }}]\n'
    )
    made = make_plan(file, [], suite=True, scripts_dir=loaded.folder.parent)
    assert set(made.scripts) == {loaded.sha256}
    with pytest.raises(ConfigError, match="name their folder with --scripts-dir"):
        make_plan(file, [], suite=True)
    with pytest.raises(ConfigError, match="has the content hash"):
        make_plan(file, [], suite=True, scripts_dir=tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("games = 3", "games: Input should be a valid list"),
        ("[[games]]\nseeds = 0", "games.0.seeds: Input should be greater than or equal to 1"),
        ("x = 1\n[[games]]", "x: Unexpected keyword argument$"),
        ("[[games]]\nscript = []", r"Unexpected keyword argument \(did you mean 'scripts'\?\)"),
        ("[[games]]\nscripts = [{ids = 'a'}]", r"games.0.scripts.0.ids: .*mean 'id'\?"),
        ("contestant = []\n[[games]]", r"contestant: .*mean 'contestants'\?"),
        ("[[games]]\ngame = 'chess'", "no game 'chess'"),
        ("[[games]]", "played with written scripts; name some"),
        ("[[games", "cannot read the tournament"),
        ("contestants = ['x+y+']\n[[games]]\nscripts = [{id = 'first-night'}]", "x"),
    ],
)
def test_a_description_without_sense_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "t.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=reason):
        create_tournament(tmp_path / "out", make_plan(file, [], suite=False))
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_not_empty_is_refused(loaded: LoadedScript, tmp_path: Path) -> None:
    (tmp_path / "thing").touch()
    with pytest.raises(RecordError, match="is not empty"):
        planned(tmp_path, [loaded])
    with pytest.raises(RecordError, match="no tournament at"):
        open_tournament(tmp_path)


def test_runs_of_different_wordings_are_not_read_together(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    play(folder)
    grown = add_contestants(folder, ("random",))
    play(grown)
    path = grown.run_path("whodunit-2") / "run.json"
    found = json.loads(path.read_text())
    found["versions"]["wordings"] = dict.fromkeys(found["versions"]["wordings"], "0" * 64)
    path.write_text(json.dumps(found))
    records = {name: RunRecord(path=grown.run_path(name)) for name in grown.runs}
    with pytest.raises(RecordError, match="'whodunit' and 'whodunit-2' have different wordings"):
        check_agreement({name: record.manifest for name, record in records.items()})


def test_one_contestant_under_two_names_and_names_that_are_none_are_refused(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=r"'sim' and 'sim\+direct' are the same contestant"):
        planned(tmp_path / "out", [loaded], ("sim", "sim+direct"))
    with pytest.raises(ConfigError, match="printable text of one line"):
        planned(tmp_path / "out", [loaded], ("a\nb",))
    folder = planned(tmp_path / "out", [loaded], (" naive ", "random"))
    assert folder.plan.contestants == ("naive", "random")
    with pytest.raises(ConfigError, match="'random' is named twice"):
        add_contestants(folder, ("random ",))


@pytest.mark.slow
def test_a_run_that_the_tournament_does_not_plan_is_refused(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    first = planned(tmp_path / "one", [loaded])
    play(first)
    second = planned(tmp_path / "two", [loaded], seeds=3)
    shutil.copytree(first.path / "runs", second.path / "runs")
    with pytest.raises(RecordError, match="not the one that the tournament plans"):
        second.load_started_runs()


@pytest.mark.slow
def test_a_contestant_is_taken_back_while_none_of_its_matches_was_begun(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive", "random"))
    play(folder)
    grown = add_contestants(folder, ("smi",))
    assert set(grown.runs) == {"whodunit", "whodunit-2"}
    smaller = remove_contestant(grown, "smi")
    assert smaller.runs == folder.runs
    again = add_contestants(smaller, ("first",))
    play(again)
    assert set(again.load_started_runs()) == {"whodunit", "whodunit-3"}
    with pytest.raises(ConfigError, match=r"'first' has matches in the run 'whodunit-3'"):
        remove_contestant(again, "first")
    with pytest.raises(ConfigError, match="no contestant 'nobody'"):
        remove_contestant(again, "nobody")


def test_a_tournament_that_is_played_in_shards_is_not_played_on_one_host_as_well(
    loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded])
    (folder.path / "shards").mkdir()
    with pytest.raises(ConfigError, match="is played in shards"):
        play(folder)


def test_a_plan_changes_for_one_process_at_a_time(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    names = ["random", "first", "naive-data"]
    with ThreadPoolExecutor(3) as pool:
        for one in names:
            pool.submit(add_contestants, folder, (one,))
    assert sorted(open_tournament(folder.path).plan.contestants) == sorted(["naive", *names])


def manifests(*servers: dict[str, Any]) -> dict[str, RunManifest]:
    """Return the descriptions of runs with one model `m`, each served in its own way."""
    config = RunConfig(pairs=make_pairs("m", "m"), scripts=(REF,))
    return {
        f"run{number}": RunManifest(config=config, servers={"m": ServerRecord(**one)})
        for number, one in enumerate(servers)
    }


def test_another_chat_template_is_another_model() -> None:
    one, two = ({"served": "vl", "identities": ({"template": name},)} for name in ("t1", "t2"))
    check_agreement(manifests(one, one))
    with pytest.raises(RecordError, match="its chat template is t1 and t2"):
        check_agreement(manifests(one, two))


def test_a_run_that_lacks_a_fact_hides_no_difference_of_two_others() -> None:
    bare: dict[str, Any] = {"served": "vl"}
    one, two = ({"served": "vl", "identities": ({"root": name},)} for name in ("/a", "/b"))
    check_agreement(manifests(bare, one, one))
    with pytest.raises(RecordError, match=r"'run1' and 'run2': its weights are /a and /b"):
        check_agreement(manifests(bare, one, two))
    with pytest.raises(RecordError, match=r"'run0' and 'run1': context is 8 and 9"):
        check_agreement(manifests(*({"served": "vl", "limits": {"context": n}} for n in (8, 9))))


def test_matches_that_do_not_count_are_counted_apart(loaded: LoadedScript, tmp_path: Path) -> None:
    folder = planned(tmp_path / "out", [loaded], ("naive",))
    play(folder)
    for number, file in enumerate(sorted((folder.path / "runs").rglob("done.json"))):
        done = json.loads(file.read_text())
        file.write_text(json.dumps(done | ({} if number else {"uncounted": "no vote is held"})))
    found = make_standings(folder.runs, folder.load_started_runs(), resamples=0)
    [pair] = found.pairs
    assert (pair.outcomes.total(), dict(pair.uncounted)) == (1, {"no vote is held": 1})
    assert (pair.missing, found.rated) == (0, 1)
    assert list(pair_notes(found.pairs)) == ["1 match not counted: no vote is held"]


@pytest.mark.slow
def test_a_rating_counts_matches_and_not_their_weight(loaded: LoadedScript, tmp_path: Path) -> None:
    names = ("random", "first")
    games = ("whodunit", "werewolf5")
    folder = planned(tmp_path / "out", [loaded], names, games=games, seeds=3)
    play(folder)
    found = make_standings(folder.runs, folder.load_started_runs(), resamples=0)
    counts = {
        (one["contestant"], one["side"]): one["matches"]
        for one in found.as_objects()
        if "contestant" in one
    }
    rated = [
        match
        for record in folder.load_started_runs().values()
        for match in (one.summary() for one in record.matches())
        if match is not None
        and match.outcome in {"civ_win", "murderer_win", "draw"}
        and not match.uncounted
    ]
    for name in names:
        own = sum(name in {one.civilians, one.murderer} for one in rated)
        assert counts[name, "both"] == own
        assert counts[name, "civilians"] == sum(one.civilians == name for one in rated)


RELEASED = {
    ("library", 1): "0cd0cb528e41899478825982e4062cfdcad2affb10df46f0f224c183b7597160",
    ("library", 2): "b719b2245dc7b61bd8ef948d3f5811ebb9c6810c5e15b67adaccf3063db2a140",
    ("library", 3): "f953e96258ca547c8bf374ec6d181cb405dc8ac931cc4289a2913d671e650858",
    ("library", 4): "35495a9cb8621e039414a4653735590cdc6160b51ed841879e2eecbecd827b6c",
    ("library", 5): "8836cde47b893c785504e404ea9fffd343da1b3832efd66a613ca52b62eeabfc",
    ("library-zh", 1): "4b22f33bdc1c4831ae85768919b564a0020f2a1f25b670670efab47569046d82",
    ("library-zh", 2): "5822852bd8b215534eaba49e6033a7e141b225d1efe8dd490580cec34293dddc",
    ("library-zh", 3): "c8d47944ec6a2340de127054015f8e2914fb31b0e33978e3b9322af327ad057e",
    ("library-zh", 4): "079d4ad2b487e9c382ea72bf9001113963100402c3779c10c2ad59d3e1c715d2",
    ("library-zh", 5): "86f363109d346a0523abab4f51bde1e04ab9ec9dae1f90911061b34abdd480bd",
    ("whodunitbench", 1): "bc9348beb706f20a733ed33e128e86e303fb23872ef8cc77c3ee43fab12f80d1",
}
"""Of the files of all suites that were released: a change of a file is a new version."""


@pytest.mark.parametrize("name", [path.stem for path in sorted(SUITES.glob("*.toml"))])
def test_a_suite_is_frozen(name: str) -> None:
    described, pinned = read_suite(name)
    assert RELEASED[name, described.version] == pinned.sha256
    assert described.anchors
    for game in described.games:
        written = {field.name for field in fields(find_game(game.game).options)}
        assert set(game.options) == written, "a default could change what is played"


def test_a_suite_without_scripts_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "made.toml"
    file.write_text('name = "made"\nversion = 1\n[[games]]\ngame = "werewolf5"\n')
    with pytest.raises(ConfigError, match="a suite pins its scripts; game 'werewolf5' has none"):
        make_plan(file, ["naive"], suite=True)


def test_scripts_of_a_file_are_found_beside_it_and_options_need_no_quotes(
    loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(loaded.folder, tmp_path / "cases" / "mine")
    file = tmp_path / "cases" / "own.toml"
    file.write_text(
        'contestants = ["naive"]\n[[games]]\noptions = { rounds = 2, self_vote = true }\n'
        'scripts = [{ id = "mine" }]\n'
    )
    monkeypatch.chdir(tmp_path)
    [game] = make_plan(file, [], suite=False).plan.games
    assert isinstance(game.options, WhodunitOptions)
    assert (game.options.rounds, game.options.self_vote) == (2, True)
    assert game.scripts[0].sha256 == loaded.sha256
