"""`arena tournament` as a person sees it: plans, standings, status, and what is refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.console.run_progress import RunProgress
from arena.cluster.merge import merge_shards
from arena.records.match_summary import MatchSummary
from arena.records.run_record import RunRecord
from arena.tournament.folder import TournamentFolder
from scripts_mm.script_folder import LoadedScript
from tests.arena.cli.conftest import Told
from tests.arena.cluster.test_workers import work
from tests.arena.run.stage import save_case
from tests.arena.tournament.made import planned, play

Program = Callable[..., Told]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


@pytest.fixture
def folder(loaded: LoadedScript, tmp_path: Path) -> TournamentFolder:
    return planned(tmp_path / "out", [loaded], ("naive", "random"))


@pytest.mark.parametrize(
    "option",
    [
        ("--seeds", "8"),
        ("--preset", "short"),
        ("--rotations", "2"),
        ("--language", "zh"),
        ("--opponent", "naive"),
    ],
)
@pytest.mark.parametrize("source", [("--suite", "library"), ("--file", "t.toml")])
def test_a_suite_and_a_file_name_their_own(
    program: Program, source: tuple[str, str], option: tuple[str, str]
) -> None:
    Path("t.toml").write_text('contestants = ["naive"]\n[[games]]\nscripts = [{id="first-night"}]')
    told = program("tournament", "plan", "out", *source, "-p", "first", *option)
    assert told.status == 2
    assert f"preset and language: leave out {option[0]}, or plan from --script" in told.err
    assert not Path("out").exists()


def test_a_plan_counts_in_words_and_gives_no_interval_of_one_script(program: Program) -> None:
    words = ("--script", "first-night", "--seeds", "1", "--preset", "short")
    told = program("tournament", "plan", "out", "-p", "naive", *words)
    first, second, third = told.out.splitlines()
    assert first.startswith("1 contestant, 1 script, whodunit: 1 match in 1 block (")
    assert second == (
        "win rate of a contestant as civilians: 1 match, too few scripts for an interval: it "
        "needs 5 with different stories, here is 1"
    )
    assert third == "play it with `arena tournament run out`"


def test_a_plan_without_a_file_has_opponents_rotations_and_a_language(program: Program) -> None:
    words = ("--opponent", "naive", "--opponent", "random", "--rotations", "2", "--language", "zh")
    told = program("tournament", "plan", "out", "-p", "first", "--script", "first-night", *words)
    assert told.out.startswith("1 contestant and 2 fixed opponents, 1 script, whodunit: 20 matches")
    plan = json.loads(Path("out/tournament.json").read_text())
    assert plan["opponents"] == ["naive", "random"]
    [game] = plan["games"]
    assert (game["rotations"], game["scripts"][0]["language"]) == (2, "zh")


@pytest.mark.slow
def test_half_widths_are_points_and_none_where_they_say_nothing(program: Program) -> None:
    told = program("tournament", "plan", "out", "-p", "first", "--suite", "library")
    assert "+- 10 percentage points; +- 17 if matches of a script end alike" in told.out
    five = [x for one in ("first-night", "glass-loft", "last-tram", "mill-meadow", "two-tides")
            for x in ("--script", one)]  # fmt: skip
    told = program("tournament", "plan", "few", "-p", "first", *five, "--seeds", "1", "--json")
    [found] = json.loads(told.out)["games"]
    assert (found["works"], found["half_width"]) == (5, None)
    assert found["half_width_if_matches_of_a_script_end_alike"] is None


@pytest.mark.slow
def test_gpu_hours_name_what_is_not_estimated(program: Program) -> None:
    words = ("-p", "qwen2.5-vl-7b", "-p", "sim", "--script", "first-night", "--gpus", "8xh200")
    told = program("tournament", "plan", "out", *words, "--preset", "short", "--seeds", "1")
    lines = told.out.splitlines()[2:-1]
    assert "with the costs of the player direct" in lines[0]
    assert lines[1].startswith("qwen2.5-vl-7b: its seats amount to 2 matches, ")
    assert lines[2] == (
        "sim: its seats amount to 2 matches, not estimated: no hardware profile of this name"
    )
    assert lines[3].startswith("whole tournament without sim: ")


def test_suites_are_listed(program: Program) -> None:
    lines = program("tournament", "suites").out.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "library-zh 5",
        "library 5",
        "whodunitbench 1",
    ]
    assert "11 scripts, 44 n (n + 4) matches with n contestants" in lines[1]


def test_standings_say_what_is_missing_and_why_no_interval_is_shown(
    program: Program, folder: TournamentFolder
) -> None:
    out = str(folder.path)
    told = program("tournament", "standings", out)
    assert told.out.splitlines() == [
        "no result yet: 8 matches missing",
        f"play them with `arena tournament run {out}`",
    ]
    play(folder)
    told = program("tournament", "standings", out)
    assert "missing: all" not in told.out
    assert "no intervals: they need 5 scripts with different stories" in told.out
    assert "one-sided" not in told.out
    [record] = folder.load_started_runs().values()
    for match in record.matches()[:2]:
        (match.path / "done.json").unlink()
    told = program("tournament", "standings", out)
    assert told.out.startswith("2 of 8 matches are missing: all ratings are provisional\n")


@pytest.mark.slow
def test_a_rating_that_nothing_fits_is_explained(
    program: Program, loaded: LoadedScript, tmp_path: Path
) -> None:
    folder = planned(tmp_path / "out", [loaded], ("first",), seeds=1)
    play(folder)
    told = program("tournament", "standings", str(folder.path))
    assert "-: no finite rating fits the matches" in told.out


@pytest.mark.slow
def test_the_line_of_every_run_is_closed_before_the_next_and_before_the_end(
    program: Program, loaded: LoadedScript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []

    class Noted(RunProgress):
        def on_match_end(self, summary: MatchSummary) -> None:
            told.append("ended")

        def close(self) -> None:
            super().close()
            told.append("closed")

    monkeypatch.setattr("arena.cli.commands.tournament.RunProgress", Noted)
    games = ("whodunit", "werewolf5")
    folder = planned(tmp_path / "out", [loaded], ("first",), seeds=1, games=games)
    assert program("tournament", "run", str(folder.path)).status == 0
    assert told == ["ended", "closed", "ended", "closed"]


def test_a_quiet_run_names_the_contestants_of_each_match(
    program: Program, folder: TournamentFolder
) -> None:
    told = program("tournament", "run", str(folder.path), "--quiet", "-c", "1")
    lines = told.out.splitlines()
    assert len(lines) == 8
    assert re.match(r"\d\d:\d\d:\d\d 1/8 \w+ \(civilians\) against \w+ \(murderer\); ", lines[0])


@pytest.mark.slow
def test_status_shows_what_is_played_and_what_is_not_merged(
    program: Program, folder: TournamentFolder
) -> None:
    out = str(folder.path)
    path = folder.run_path("whodunit")
    path.mkdir(parents=True)
    with RunRecord(path=path).lock():
        assert "in progress: run whodunit\n" in program("tournament", "status", out).out
    assert "being played" not in program("tournament", "status", out).out
    work(folder, 0, count=2)
    told = program("tournament", "status", out)
    assert told.out.splitlines()[-2:] == [
        "0 of 8 matches have a result",
        "shards have played 8 more matches, not merged yet: `arena cluster status "
        f"{out}` shows them, `arena cluster merge {out}` merges them",
    ]
    assert json.loads(program("tournament", "status", out, "--json").out.splitlines()[-1]) == {
        "planned": 8,
        "missing": 8,
        "playing": [],
        "unmerged": 8,
    }
    merge_shards(folder)
    assert "shards have" not in program("tournament", "status", out).out


@pytest.mark.slow
def test_a_merge_names_the_next_step(program: Program, folder: TournamentFolder) -> None:
    out = str(folder.path)
    work(folder, 0, count=2)
    [done] = sorted(folder.path.glob("shards/0/whodunit/matches/*/done.json"))[:1]
    text = done.read_text()
    done.unlink()
    told = program("cluster", "merge", out)
    assert told.out.splitlines()[-1].startswith("matches are missing; `arena cluster status ")
    done.write_text(text)
    told = program("cluster", "merge", out)
    assert told.out.splitlines()[-1] == (
        f"nothing is missing; next: `arena tournament standings {out}`"
    )


@pytest.mark.parametrize("text", ['{"a": 1}', '{"schema": 3, "plan": []}'])
def test_a_file_that_is_no_result_is_called_so(program: Program, text: str) -> None:
    Path("r.json").write_text(text)
    told = program("tournament", "check", "r.json")
    assert told.status == 2
    assert "'r.json' is not a result file" in told.err


def test_a_result_file_needs_a_folder(program: Program, folder: TournamentFolder) -> None:
    told = program("tournament", "result", str(folder.path), "no/r.json")
    assert told.status == 2
    assert "the folder 'no' of the result file does not exist" in told.err
    assert "reading" not in told.err


def test_a_name_that_nothing_is_called_is_noted_and_can_be_taken_back(
    program: Program, folder: TournamentFolder
) -> None:
    told = program("tournament", "add", str(folder.path), "qwne")
    assert told.status == 0
    assert "note: no model 'qwne', did you mean 'qwen'" in told.err
    assert "yi-vl-34b" not in told.err
    told = program("tournament", "add", str(folder.path), "randm")
    assert "note: no model 'randm', did you mean 'random'" in told.err
    assert program("tournament", "remove", str(folder.path), "randm").status == 0
    told = program("tournament", "remove", str(folder.path), "qwne")
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("2 contestants")
    assert TournamentFolder(path=folder.path).runs == folder.runs


@pytest.mark.slow
def test_a_result_is_checked_with_its_records_and_a_forged_score_is_found(
    program: Program,
    loaded: LoadedScript,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    suites = tmp_path / "suites"
    suites.mkdir()
    (suites / "mine.toml").write_text(
        'name = "mine"\nversion = 1\nopponents = ["random"]\nscores = ["win_rate"]\n'
        f'[[games]]\npreset = "short"\nscripts = [{{id = {json.dumps(str(loaded.folder))}, '
        f'sha256 = "{loaded.sha256}"}}]\n'
    )
    monkeypatch.setattr("arena.tournament.description.SUITES", suites)
    out, file = str(tmp_path / "out"), tmp_path / "result.json"
    assert program("tournament", "plan", out, "--suite", "mine", "-p", "naive").status == 0
    play(TournamentFolder(path=Path(out)))
    made = program("tournament", "result", out, str(file))
    assert made.status == 0, made.err
    told = program("tournament", "check", str(file), "--records", out)
    assert told.out.strip().endswith("3 matches, as its records say"), told.err
    forged = json.loads(file.read_text())
    forged["scores"][0]["value"] = 9
    file.write_text(json.dumps(forged))
    assert program("tournament", "check", str(file)).status == 0
    told = program("tournament", "check", str(file), "--records", out)
    assert told.status == 1
    assert told.out.splitlines() == ["the scores do not follow from the records"]


@pytest.mark.slow
def test_a_result_overwrites_nothing_but_a_result(program: Program, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    program("tournament", "plan", out, "--suite", "library", "-p", "first")
    before = (tmp_path / "out" / "tournament.json").read_bytes()
    told = program("tournament", "result", out, f"{out}/tournament.json")
    assert (told.status, "is not a result file" in told.err) == (2, True)
    assert (tmp_path / "out" / "tournament.json").read_bytes() == before
