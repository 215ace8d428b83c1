"""`arena scripts` as a person and a program use it."""

import json
from dataclasses import replace
from errno import EACCES
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from scripts_mm.cli import add_commands
from scripts_mm.script import Truth
from scripts_mm.script_folder import load_script
from tests.scripts_mm.making import (
    a_case,
    a_script,
    png,
    png_claiming,
    published,
    saved,
)
from tests.scripts_mm.publishing import (
    ROLES,
    mirage,
    wellplay,
    wellplay_role,
)


def run(*words: str | Path) -> Result:
    app = typer.Typer()
    add_commands(app)
    return CliRunner().invoke(app, ["scripts", *map(str, words)])


def refused(*words: str | Path) -> str:
    """Run a command that must be refused; return its one line."""
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


def objects(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two published folders, a stray file and a folder of something else."""
    published(tmp_path / "data" / "lake_10", None, {"1.png": png(), "2.png": b""})
    published(tmp_path / "data" / "lake_2", a_case(ju_name="lake_2"))
    (tmp_path / "data" / "other").mkdir()
    (tmp_path / "data" / "README.md").write_text("x")
    return tmp_path / "data"


def test_a_data_set_comes_in_with_a_table_and_a_report(data: Path, tmp_path: Path) -> None:
    result = run("import", "whodunit", data, tmp_path / "out")
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "script roles pics clues stages victims LSU TIU MIU MMR all err warn info" in lines
    assert "lake_2 3 1 3 1 1 6 1 1 2 10 0 1 0" in lines
    assert "2 scripts 6 2 6 2 2 12 2 2 4 20 1 2 1" in lines
    assert "'README.md'" in result.stderr
    assert "'other'" in result.stderr
    report = json.loads((tmp_path / "out" / "findings.json").read_text("utf-8"))
    assert list(report) == ["lake_10/zh", "lake_2/zh"]
    assert report["lake_10/zh"][0]["code"] == "picture-unusable"
    assert load_script(tmp_path / "out" / "lake_2" / "zh").script.id == "lake_2"


def test_the_json_of_an_import_is_one_object_a_script_and_nothing_else(
    data: Path, tmp_path: Path
) -> None:
    found = objects(run("import", "whodunit", data, tmp_path / "out", "--json"))
    assert [sorted(one) for one in found] == [
        [
            *("clues", "findings", "language", "pictures", "places", "points", "questions"),
            *("roles", "script", "source", "stages", "victims"),
        ]
    ] * 2
    assert [one["script"] for one in found] == ["lake_2", "lake_10"]
    assert found[0]["questions"] == {"lsu": 6, "tiu": 1, "miu": 1, "mmr": 2}
    assert found[0]["roles"] == 3
    assert set(found[1]["findings"][0]) == {"code", "severity", "place"}


def test_pictures_that_two_scripts_share_are_told(data: Path, tmp_path: Path) -> None:
    found = objects(run("import", "whodunit", data, tmp_path / "out", "--json"))
    assert all(
        "pictures-of-another-script" in {one["code"] for one in script["findings"]}
        for script in found
    )


def test_a_single_folder_comes_in_and_is_not_replaced_unless_told(
    data: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert run("import", "whodunit", data / "lake_2", out).exit_code == 0
    before = (out / "lake_2" / "zh" / "script.json").stat().st_mtime_ns
    assert "already contains a script; --force replaces it" in refused(
        "import", "whodunit", data, out
    )
    assert not (out / "lake_10").exists()
    assert (out / "lake_2" / "zh" / "script.json").stat().st_mtime_ns == before
    assert run("import", "whodunit", data, out, "--force").exit_code == 0
    assert [entry["script"] for entry in objects(run("list", "--library", out, "--json"))][-2:] == [
        "lake_10",
        "lake_2",
    ]


def test_one_bad_folder_among_several_is_told_and_the_others_come_in(
    data: Path, tmp_path: Path
) -> None:
    published(data / "broken", raw=b"{")
    result = run("import", "whodunit", data, tmp_path / "out")
    assert result.exit_code == 2
    assert "broken" in result.stderr
    assert (tmp_path / "out" / "lake_2" / "zh" / "script.json").exists()


def test_bad_words_of_an_import_are_one_line_and_write_nothing(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (tmp_path / "file").write_text("x")
    assert "no format 'wellplayed'; known: whodunit, wellplay, mirage, all" in refused(
        "import", "wellplayed", data, out
    )
    assert "does not exist" in refused("import", "whodunit", tmp_path / "nowhere", out)
    assert "is a file" in refused("import", "whodunit", tmp_path / "file", out)
    assert "contains no env_p_all.json" in refused("import", "whodunit", data / "other", out)
    published(tmp_path / "broken", raw=b"{")
    assert "not JSON" in refused("import", "whodunit", tmp_path / "broken", out)
    assert not out.exists()
    assert "cannot write" in refused("import", "whodunit", data, tmp_path / "file")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A data set of all three formats, two languages and two scripts of one name."""
    root = tmp_path / "library"
    published(root / "whodunit" / "Dataset" / "lake_2")
    wellplay(root / "wellplay" / "chinese" / "湖心灯（5人）")
    mirage(root / "mirage" / "dataset" / "En" / "The Pump")
    mirage(root / "mirage" / "dataset" / "Zh" / "The Pump")
    (root / "mirage" / "README.md").write_text("x")
    return root


def test_all_formats_come_in_with_one_table_and_totals_of_each(
    library: Path, tmp_path: Path
) -> None:
    result = run("import", "all", library, tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    lines = [" ".join(line.split()).rsplit(" ", 3)[0] for line in result.stdout.splitlines()]
    kinds = "LSU TIU MIU MMR OBJ REA REL all points"
    assert f"script roles pics clues stages victims {kinds}" in lines
    assert "lake_2 3 1 3 1 1 6 1 1 2 0 0 0 10 0" in lines
    assert "湖心灯-5人 5 0 0 1 2 0 0 0 0 5 15 5 25 135" in lines
    assert "The-Pump-en 3 0 6 1 0 0 0 0 0 0 0 0 0 0" in lines
    assert "mirage en: 1 3 0 6 1 0 0 0 0 0 0 0 0 0 0" in lines
    assert "mirage zh: 1 3 0 6 1 0 0 0 0 0 0 0 0 0 0" in lines
    assert "4 scripts 14 1 15 4 3 6 1 1 2 5 15 5 35 135" in lines
    assert "not read, not a script of the format: 'mirage/README.md'" in result.stderr
    assert "Truth.json" not in result.stderr
    listed = objects(run("list", "--library", tmp_path / "out", "--json"))
    assert [entry["script"] for entry in listed][-4:] == [
        *("The-Pump-en", "The-Pump-zh", "lake_2", "湖心灯-5人")
    ]
    shown = run("show", "The-Pump-zh", "--library", tmp_path / "out")
    assert shown.exit_code == 0, shown.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("import", "wellplay", "library", "again"),
        ("list", "--library", "out"),
        ("show", "湖心灯-5人", "--library", "out"),
        ("show", "湖心灯-5人", "--library", "out", "--secrets"),
        ("lint", "湖心灯-5人", "--library", "out"),
    ],
)
def test_an_output_that_takes_only_ascii_gets_codes_for_the_rest(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("import", "wellplay", library, "out").exit_code == 0
    app = typer.Typer()
    add_commands(app)
    result = CliRunner(charset="ascii").invoke(app, ["scripts", *words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "\\u6e56" in result.output


@pytest.mark.parametrize(
    ("form", "where", "scripts"),
    [
        ("wellplay", ".", 1),
        ("wellplay", "wellplay/chinese", 1),
        ("wellplay", "wellplay/chinese/湖心灯（5人）", 1),
        ("mirage", ".", 2),
        ("mirage", "mirage", 2),
        ("mirage", "mirage/dataset/En", 1),
        ("mirage", "mirage/dataset/En/The Pump", 1),
        ("whodunit", "whodunit", 1),
    ],
)
def test_a_format_is_found_from_one_script_up_to_the_whole_data_set(
    library: Path, tmp_path: Path, form: str, where: str, scripts: int
) -> None:
    found = objects(run("import", form, library / where, tmp_path / "out", "--json"))
    assert [one["source"] for one in found] == [form] * scripts
    assert sorted((tmp_path / "out").glob("*/*/script.json"))


def test_culprits_are_given_by_a_file_and_those_of_no_script_are_told(
    library: Path, tmp_path: Path
) -> None:
    told = tmp_path / "culprits.json"
    told.write_text(json.dumps({"the pump": ["Corin Dale", "A Miller"], "The Mill": "Ilse"}))
    result = run("import", "mirage", library, tmp_path / "out", "--culprits", told)
    assert result.exit_code == 0, result.stderr
    assert "culprits not used, no script has this title: 'The Mill'" in result.stderr
    truth = load_script(tmp_path / "out" / "The-Pump-en" / "en").script.truth
    assert (truth.culprits, truth.not_playable) == (("Corin Dale", "A Miller"), ("A Miller",))
    out = tmp_path / "other"
    assert "does not apply to 'wellplay'" in refused(
        "import", "wellplay", library, out, "--culprits", told
    )
    for text, part in (("[]", "wanted an object"), ('{"a": [3]}', "list of names"), ("{", "JSON")):
        told.write_text(text)
        assert part in refused("import", "mirage", library, out, "--culprits", told)
    assert "cannot read" in refused(
        "import", "mirage", library, out, "--culprits", tmp_path / "none.json"
    )
    assert not out.exists()


def test_show_tells_stages_places_weights_and_killings(library: Path, tmp_path: Path) -> None:
    run("import", "all", library, tmp_path / "out")
    shown = run("show", tmp_path / "out" / "湖心灯-5人", "--secrets").stdout
    assert "135 points in all" in shown
    assert "温庄主: killed by 许墨言" in shown
    (plain,) = objects(run("show", tmp_path / "out" / "The-Pump-en", "--json"))
    assert plain["clues"][0]["place"] == "The mill"
    assert plain["clues"][-1]["trigger"] is None
    assert plain["clues"][-1]["owner"] == "Ilse Varga"
    assert (plain["stages"], plain["ending"], plain["points"]) == (1, "closed", 0)
    assert plain["innocents_truthful"] is False
    assert plain["roles"][0]["parts"][0] == {"name": "story", "stage": 1, "length": 6}
    (whole,) = objects(run("show", tmp_path / "out" / "The-Pump-en", "--json", "--secrets"))
    assert whole["clues"][-1]["trigger"] == "pump"
    assert "when said" in run("show", tmp_path / "out" / "The-Pump-en", "--secrets").stdout


def test_a_report_that_is_no_report_is_not_overwritten(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "findings.json").write_text("[]")
    assert "is not a report of findings" in refused("import", "whodunit", data, out)
    assert (out / "findings.json").read_text() == "[]"
    assert not (out / "lake_2").exists()


def test_show_tells_sizes_and_tokens_and_keeps_the_truth(tmp_path: Path) -> None:
    saved(tmp_path / "en")
    shown = run("show", tmp_path / "en").stdout
    assert "Ilse Varga" in shown
    assert "60x48" in shown
    assert "1024" in shown
    for secret in ("culprit", "debt", "The dog", "forty crowns", "key roles", "k1"):
        assert secret not in shown
    told = run("show", tmp_path / "en", "--secrets").stdout
    assert "culprits: Corin Dale" in told
    assert "The dog" in told
    assert "k1 (hops 1): Corin wrote the letter." in told


def test_the_json_of_show_has_the_truth_only_with_secrets(tmp_path: Path) -> None:
    saved(tmp_path / "en")
    (plain,) = objects(run("show", tmp_path / "en", "--json"))
    (whole,) = objects(run("show", tmp_path / "en", "--json", "--secrets"))
    assert "truth" not in plain
    assert "Corin struck" not in json.dumps(plain)
    assert plain["clues"][1]["title"] is None
    assert whole["truth"]["culprits"] == ["Corin Dale"]
    assert plain["pictures"][0]["tokens"]["yi-vl"] == 1024
    assert plain["questions"] == {"tiu": 1}


def test_markup_in_a_script_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    clues = (replace(a_script().clues[0], title="[Ilse] [/bold]"), *a_script().clues[1:])
    saved(tmp_path / "en", a_script(title="[red]The[/nothing] Pump [link=x]", clues=clues))
    result = run("show", tmp_path / "en")
    assert result.exit_code == 0
    assert "[red]The[/nothing] Pump [link=x]" in result.stdout
    assert "[Ilse] [/bold]" in result.stdout


def test_lint_ends_with_1_only_where_a_match_is_impossible(tmp_path: Path) -> None:
    saved(tmp_path / "en")
    assert run("lint", tmp_path / "en").exit_code == 0
    (told,) = objects(run("lint", tmp_path / "en", "--json"))
    assert (told["script"], told["language"]) == ("the-pump-house", "en")
    nobody = a_script(truth=Truth(culprits=()))
    saved(tmp_path / "odd", nobody)
    result = run("lint", tmp_path / "odd")
    assert result.exit_code == 1
    assert "no-culprit" in result.stdout


@pytest.fixture
def small_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library of two scripts in the place of the bundled one."""
    library = tmp_path / "library"
    saved(library / "pump" / "en")
    saved(library / "well" / "en", a_script(id="the-well"))
    monkeypatch.setattr("scripts_mm.lint_command.LIBRARY", library)
    return library


def test_lint_without_a_script_looks_at_every_one_and_at_all_together(small_library: Path) -> None:
    told = objects(run("lint", "--json"))
    assert [one.get("script", "all") for one in told] == ["the-pump-house", "the-well", "all"]
    assert told[-1] == {"library": 2, "findings": []}
    assert "all scripts together" in run("lint").stdout
    assert [one.get("library") for one in objects(run("lint", "--json", "--language", "zh"))] == [0]
    saved(small_library / "odd" / "en", a_script(id="odd", truth=Truth(culprits=())))
    assert run("lint").exit_code == 1


def test_lint_of_a_library_with_a_broken_script_reports_the_others_first(
    small_library: Path,
) -> None:
    (small_library / "well" / "en" / "script.json").write_text('{"id": ')
    result = run("lint", "--json")
    assert result.exit_code == 2
    assert "the-pump-house" in result.stdout
    assert "not JSON" in result.stderr


@pytest.mark.parametrize("command", ["show", "lint"])
def test_a_script_that_cannot_be_played_is_refused_in_one_line(
    command: str, tmp_path: Path
) -> None:
    picture = saved(tmp_path / "en").folder / "pictures" / "letter.png"
    assert "no script 'nothing-like-it'" in refused(command, "nothing-like-it")
    assert "no language 'fr'; known: en, zh" in refused(
        command, tmp_path / "en", "--language", "fr"
    )
    for data, part in (
        (b"", "is empty (0 bytes)"),
        (png()[:-9], "is truncated"),
        (png_claiming(10_000, 10_000), "100 megapixels"),
    ):
        picture.write_bytes(data)
        assert part in refused(command, tmp_path / "en")
    picture.unlink()
    assert "no such file" in refused(command, tmp_path / "en")
    (tmp_path / "en" / "script.json").write_text('{"id": ')
    assert "not JSON" in refused(command, tmp_path / "en")


def test_a_library_that_is_no_folder_is_refused(tmp_path: Path) -> None:
    assert "is not a folder of scripts" in refused("list", "--library", tmp_path / "nowhere")


def test_a_broken_script_of_a_library_hides_no_other(library: Path, tmp_path: Path) -> None:
    run("import", "all", library, tmp_path / "out")
    (tmp_path / "out" / "lake_2" / "zh" / "script.json").write_text("{")
    result = run("list", "--library", tmp_path / "out", "--json")
    assert result.exit_code == 2
    names = [json.loads(line)["script"] for line in result.stdout.splitlines()]
    assert "lake_2" not in names
    assert names[-3:] == ["The-Pump-en", "The-Pump-zh", "湖心灯-5人"]
    assert result.stderr.count("\n") == 1
    assert "not JSON" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("list", "--library", "NAME"),
        ("show", "NAME"),
        ("show", "NAME/en"),
        ("lint", "en", "--library", "NAME", "--language", "zh"),
        ("prove", "NAME"),
        ("sheet", "first-night", "NAME.png"),
        ("import", "all", "NAME", "OUT"),
        ("import", "all", "data", "NAME"),
        ("import", "mirage", "data", "OUT", "--culprits", "NAME"),
    ],
)
@pytest.mark.parametrize("name", ["x" * 300, "灯" * 120])
def test_a_path_that_cannot_be_is_refused_in_one_line(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert data.is_dir()
    refused(*(word.replace("NAME", name).replace("OUT", "out") for word in words))


@pytest.mark.slow
def test_a_look_that_the_system_refuses_is_one_line(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(tmp_path / "en")

    def closed(path: Path) -> None:
        raise PermissionError(EACCES, "Permission denied", str(path))

    results: list[Result] = []
    for look in ("iterdir", "is_dir", "exists", "is_symlink", "is_file"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, look, closed)
            results += [
                run("import", "all", data, tmp_path / "out", "--force"),
                run("lint", tmp_path / "en"),
                run("list", "--library", tmp_path),
            ]
    for result in results:
        assert isinstance(result.exception, SystemExit | None)
        assert result.exit_code in (0, 2)
        assert result.exit_code == 0 or "error: " in result.stderr
    assert "permission denied" in results[0].stderr


@pytest.mark.parametrize("where", ["data", "data/out", "data/lake_2/out"])
def test_nothing_is_written_into_the_data_that_is_read(
    data: Path, tmp_path: Path, where: str
) -> None:
    before = sorted(data.rglob("*"))
    assert "is in the data" in refused("import", "whodunit", data, tmp_path / where)
    assert sorted(data.rglob("*")) == before


def test_an_import_tells_no_truth_on_the_screen(tmp_path: Path) -> None:
    role = wellplay_role("周小满", is_murderer=1)
    wellplay(tmp_path / "data" / "chinese" / "湖心灯", roles={"周小满": role})
    for tail in ([], ["--json"]):
        result = run("import", "wellplay", tmp_path / "data", tmp_path / "out", "--force", *tail)
        assert "murderer-disagreement" in result.stdout
        assert not any(name in result.output for name in ROLES)
    report = (tmp_path / "out" / "findings.json").read_text("utf-8")
    assert "周小满" in report


def test_one_title_that_two_keys_tell_culprits_of_is_refused(library: Path, tmp_path: Path) -> None:
    told = tmp_path / "culprits.json"
    for text in ('{"The Pump": "Ilse", "the pump": "Corin"}', '{"a": "Ilse", "a": "Corin"}'):
        told.write_text(text)
        line = refused("import", "mirage", library, tmp_path / "out", "--culprits", told)
        assert "twice" in line
