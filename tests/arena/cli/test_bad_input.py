"""Whatever the user gets wrong is one line, exit status 2, and nothing written."""

import json
import os
import shutil
import socket
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.cli import main
from arena.core.options import option_choices
from arena.games.whodunit.options import WhodunitOptions
from tests.arena.run.stage import save_case

Spoil = Callable[[Path], None]
HUGE = "99999999999"
NUMBERS = [name for name, kind in option_choices(WhodunitOptions).items() if "whole number" in kind]
"""Options of the game that are numbers."""


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour").folder


@pytest.fixture
def arena(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Run a command that must fail; return the one line that it says."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        monkeypatch.setattr("sys.argv", ["arena", *words])
        with pytest.raises(SystemExit) as ended:
            main.run()
        out, err = capsys.readouterr()
        assert ended.value.code == 2, err
        assert out == ""
        [line] = err.splitlines()
        assert line.startswith("error: ")
        assert not (tmp_path / "runs").exists()
        assert line.isprintable()
        return line

    return run


def match(script: Path | str, *more: str) -> tuple[str, ...]:
    return ("match", "--civ", "random", "--murderer", "naive", "--script", str(script), *more)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--civ", "gwen"), "gwen", id="model"),
        pytest.param(("--civ", "randm"), "did you mean 'random'", id="player-for-model"),
        pytest.param(("--civ", "random+cot"), "no model and no method", id="method-for-random"),
        pytest.param(("--civ", "qwen+cto"), "did you mean 'cot'", id="player"),
        pytest.param(("--civ", "naive:confes=on"), "no option 'confes'", id="player-option"),
        pytest.param(("--civ", "naive:confess=maybe"), "one of on, off, always", id="player-value"),
        pytest.param(("--civ", "naive:top_k=many"), "wants a number", id="player-number"),
        pytest.param(("--civ", "qwen+naive"), "needs no model", id="model-for-naive"),
        pytest.param(("--civ", ""), "a contestant is needed", id="nobody"),
        pytest.param(("--civ", "http://127.0.0.1:9/v1"), "connection refused", id="unreachable"),
        pytest.param(("--civ", "http://u:pw@127.0.0.1/v1"), "", id="password-in-url"),
        pytest.param(("--script", "first-nihgt"), "first-nihgt", id="script"),
        pytest.param(("--language", "fr"), "one of en, zh", id="language"),
        pytest.param(("--game", "chess"), "there are: whodunit", id="game"),
        pytest.param(("--preset", "fast"), "no preset 'fast'", id="preset"),
        pytest.param(("--option", "vote=loud"), "secret | open", id="option-value"),
        pytest.param(("--option", "votes=open"), "did you mean 'vote'", id="option-name"),
        pytest.param(("--option", "vote"), "NAME=VALUE", id="option-form"),
        pytest.param(("-o", "rounds=0"), "'rounds' must be >= 1", id="rounds"),
        pytest.param(("-o", "rounds=two"), "'rounds' must be a whole", id="rounds-word"),
        pytest.param(("-n", "0"), "must be >= 1", id="matches"),
        pytest.param(("--concurrency", "0"), "must be >= 1", id="concurrency"),
        pytest.param(("--admission", "maybe"), "one of on, off", id="admission"),
        pytest.param(("--deadline", "0"), "must be > 0", id="deadline"),
        pytest.param(("--quiz", "never"), "one of none, before", id="quiz"),
        pytest.param(("--rounds", "2"), "No such option", id="option-of-a-game"),
        pytest.param(("--colour",), "No such option", id="flag"),
        pytest.param(("-n", "-1"), "must be >= 1", id="matches-below-zero"),
        pytest.param(("-n", HUGE), "at most 100000 matches", id="matches-for-ever"),
        pytest.param(("-n", "60000", "--swap"), "at most 100000 matches", id="matches-doubled"),
        pytest.param(("--seed", "-1"), "seeds must be >= 0", id="seed-below-zero"),
        pytest.param(("--seed", str(2**63)), "< 2**63", id="seed-of-65-bits"),
        pytest.param(("--seed", str(2**63 - 1), "-n", "2"), "< 2**63", id="last-seed-of-65-bits"),
        pytest.param(("-c", "-1"), "must be >= 1", id="concurrency-below-zero"),
        pytest.param(("-c", HUGE), "must be <= 100000", id="concurrency-for-ever"),
        pytest.param(("--deadline", "-1"), "must be > 0", id="deadline-below-zero"),
        pytest.param(("--deadline", "inf"), "must be > 0", id="deadline-without-end"),
        pytest.param(("--deadline", "1e400"), "must be > 0", id="deadline-beyond-numbers"),
        pytest.param(("--deadline", "nan"), "got nan", id="deadline-that-is-no-number"),
        pytest.param(("--out", "taken"), "is a file", id="file-for-folder"),
        pytest.param(("--out", "taken/below"), "is a file", id="below-a-file"),
        pytest.param(("--out", "x" * 300), "too long", id="folder-of-300-characters"),
        pytest.param(("--out", "\udcff\udcfe"), "UTF-8", id="folder-that-is-not-utf-8"),
        pytest.param(("--out", "nul\0byte"), "null byte", id="folder-with-nul"),
        pytest.param(("--out", ""), "no name", id="folder-without-a-name"),
        pytest.param(("--out", "."), "no name", id="folder-here"),
        pytest.param(("--out", ".."), "no name", id="folder-above"),
        pytest.param(("--out", "/"), "no name", id="root"),
    ],
)
def test_a_wrong_word_is_answered_in_one_line(
    arena: Callable[..., str], good: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "taken").write_text("here already")
    line = arena(*match(good, *words))
    assert said in line
    assert "pw@" not in line


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [HUGE, "9" * 5000, "-1", "1e3"])
def test_no_option_of_the_game_makes_a_match_that_never_ends(
    arena: Callable[..., str], good: Path, name: str, value: str
) -> None:
    assert repr(name) in arena(*match(good, "-o", f"{name}={value}"))


def test_a_port_of_pages_that_is_in_use_names_its_user_and_another_port(
    arena: Callable[..., str], tmp_path: Path
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        line = arena("web", str(tmp_path), "--port", str(port))
    assert f"port {port} cannot be used: Address already in use by process {os.getpid()} " in line
    assert "; choose another port, or 0 for a free one" in line


def test_words_are_checked_before_a_script_is_read(arena: Callable[..., str]) -> None:
    assert "at most" in arena(*match("nowhere", "-n", HUGE))


def written(change: Callable[[dict[str, Any]], None]) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "script.json"
        content = json.loads(path.read_text("utf-8"))
        change(content)
        path.write_text(json.dumps(content), "utf-8")

    return spoil


def twins(content: dict[str, Any]) -> None:
    content["roles"][1]["name"] = content["roles"][0]["name"]


def stranger(content: dict[str, Any]) -> None:
    content["truth"]["culprits"] = ["Nobody Known"]


def picture(data: Callable[[bytes], bytes] | None) -> Spoil:
    def spoil(folder: Path) -> None:
        path = folder / "pictures" / "1.png"
        if data is None:
            path.unlink()
        else:
            path.write_bytes(data(path.read_bytes()))

    return spoil


def huge(data: bytes) -> bytes:
    """Return a PNG whose header claims 10,000 x 10,000 pixels."""
    head = b"IHDR" + struct.pack(">II", 10_000, 10_000) + data[24:29]
    return data[:12] + head + struct.pack(">I", zlib.crc32(head)) + data[33:]


def broken(folder: Path) -> None:
    (folder / "script.json").write_text('{"id": "harbour",\n "title": }', "utf-8")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        pytest.param(broken, "script.json", id="broken-json"),
        pytest.param(written(twins), "Ada Quill", id="two-roles-of-one-name"),
        pytest.param(written(stranger), "Nobody Known", id="culprit-is-nobody"),
        pytest.param(picture(None), "1.png", id="picture-missing"),
        pytest.param(picture(lambda data: data[:60]), "1.png", id="picture-truncated"),
        pytest.param(picture(lambda _: b""), "1.png", id="picture-empty"),
        pytest.param(picture(huge), "1.png", id="picture-of-100-megapixels"),
        pytest.param(picture(lambda _: b"GIF89a..."), "1.png", id="picture-of-another-kind"),
        pytest.param(shutil.rmtree, "does not exist", id="no-folder"),
    ],
)
def test_a_script_that_cannot_be_played_is_refused_with_the_place(
    arena: Callable[..., str], good: Path, tmp_path: Path, spoil: Spoil, said: str
) -> None:
    folder = tmp_path / "harbour"
    shutil.copytree(good, folder)
    spoil(folder)
    assert said in arena(*match(folder))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("resume", "nowhere"), "no run at 'nowhere'", id="resume"),
        pytest.param(("replay", "nowhere"), "no run at 'nowhere'", id="replay"),
        pytest.param(("resume", "taken"), "no run at 'taken'", id="resume-file"),
        pytest.param(("resume", "/dev/zero"), "no run at", id="resume-device"),
        pytest.param(("resume", "x" * 300), "no run at", id="resume-long"),
        pytest.param(("resume", "nul\0byte"), "null byte", id="resume-nul"),
        pytest.param(("resume", "\udcff"), "no run at", id="resume-not-utf-8"),
        pytest.param(("resume", "\x1b[2J"), "no run at", id="resume-escape"),
        pytest.param(("resume", ""), "no run at", id="resume-empty"),
        pytest.param(("replay", "taken"), "no run at 'taken'", id="replay-file"),
        pytest.param(("replay", "/proc/self"), "no run at", id="replay-strange-folder"),
        pytest.param(("replay", "x" * 300), "no run at", id="replay-long"),
        pytest.param(("replay", "nul\0byte"), "null byte", id="replay-nul"),
        pytest.param(("replay", "\udcff", "m"), "no run at", id="replay-not-utf-8"),
        pytest.param(("plan", "qwen2.5-vl-7b", "h200", "first-night", "-n", HUGE), "<= 100000"),
        pytest.param(("bench", "overhead", "-n", HUGE), "--matches must be <= 100000"),
        pytest.param(("bench", "overhead", "--words", HUGE), "--words must be <= 100000"),
        pytest.param(("bench", "overhead", "--live", HUGE), "--live must be <= 100000"),
        pytest.param(("bench", "throughput", "--repeat", HUGE), "--repeat must be <= 1000"),
        pytest.param(("bench", "throughput", "--static", HUGE), "--static must be <= 100000"),
        pytest.param(("bench", "throughput", "-n", HUGE), "--matches must be <= 100000"),
        pytest.param(("bench", "throughput", "--kv-blocks", HUGE), "--kv-blocks must be <="),
        pytest.param(("scripts", "generate", "out", "--seed", "1", "-n", HUGE), "'-n'"),
        pytest.param(("scripts", "generate", "out", "--seed", HUGE), "0 to 1000000000"),
        pytest.param(("dance",), "No such command", id="command"),
        pytest.param(("serve", "gwen"), "gwen", id="serve"),
        pytest.param(("scripts", "show", "gwen"), "gwen", id="show"),
        pytest.param(("scripts", "import", "whodunit", "nowhere", "out"), "nowhere", id="import"),
    ],
)
def test_other_commands_say_what_is_wrong_in_one_line(
    arena: Callable[..., str], tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "taken").write_text("here already")
    assert said in arena(*words)
