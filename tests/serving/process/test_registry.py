"""The list of servers in the state folder: its keys, and files that somebody else put there."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pytest

from serving.errors import EngineError
from serving.host.private_files import private_folder, read_private
from serving.process.engine_log import new_log, read_failed_starts
from serving.process.server_registry import (
    RunningServer,
    find_shared_key,
    is_current,
    key_path,
    list_servers,
    new_key,
    read_key,
    register,
    unregister,
)
from serving.resolution.endpoints import NamedEndpoint
from tests.serving import listing

ROOT = Path(__file__).parents[3]
NOBODY = 65534
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def entry(port: int = 8001, *, shared: bool = True) -> RunningServer:
    return listing.entry("tiny", port, shared=shared)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "murder-arena"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_key_of_a_shared_server_lies_where_only_its_user_can_read_it(state: Path) -> None:
    register(entry(), "secret")
    assert key_path(8001) == state / "servers" / "8001.key"
    assert read_key(8001) == "secret"
    assert mode(key_path(8001)) == mode(state / "servers" / "8001.json") == 0o600
    assert mode(state) == mode(state / "servers") == 0o700
    assert "secret" not in (state / "servers" / "8001.json").read_text(encoding="utf-8")
    unregister(8001)
    assert list((state / "servers").iterdir()) == []


def test_the_key_of_a_match_s_own_server_is_in_no_file(state: Path) -> None:
    register(entry(shared=False), "secret")
    assert [path.name for path in (state / "servers").iterdir()] == ["8001.json"]
    assert find_shared_key("http://127.0.0.1:8001/v1") == ""


def test_folders_that_others_may_enter_are_closed(state: Path) -> None:
    (state / "servers").mkdir(parents=True)
    for folder in (state, state / "servers"):
        folder.chmod(0o777)
    register(entry(), "secret")
    assert mode(state) == mode(state / "servers") == 0o700


def test_keys_are_long_and_new_each_time() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    assert min(map(len, keys)) >= 43


def test_each_url_of_an_endpoint_has_the_key_of_the_server_that_this_user_runs_there() -> None:
    register(entry(8001), "one")
    register(entry(8002), "two")
    mine = NamedEndpoint(
        name="mine", url="http://127.0.0.1:8001/v1", replicas=("http://localhost:8002/v1",)
    )
    assert [mine.key_of(url) for url in mine.urls] == ["one", "two"]
    assert mine.key_of("http://127.0.0.1:8003/v1") == ""
    assert replace(mine, key="named").key_of(mine.url) == "named"
    for elsewhere in ("http://there:8001/v1", "http://127.0.0.1.there:8001/v1", "http://[x/v1"):
        assert find_shared_key(elsewhere) == "", "only the server that has a key receives it"


def test_a_server_is_known_again_after_the_clock_has_jumped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    register(entry(), "secret")
    real = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda self: real(self) + 3600)  # pyright: ignore
    assert list_servers() == [entry()]
    assert is_current(entry())


def test_what_an_ended_owner_left_is_removed_with_its_key(state: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    register(replace(entry(), owner=gone.pid), "secret")
    assert list_servers() == []
    assert list((state / "servers").iterdir()) == []


NOT_ENTRIES = [
    *("", "{", "[]", "null", '"x"', "[" * 100_000, "\x00", json.dumps({"port": 1})),
    *(json.dumps({**asdict(entry()), "owner": owner}) for owner in (-1, 0, 10**30, "x")),
    json.dumps(asdict(entry(8009))),
    json.dumps({**asdict(entry()), "log": "x" * 2_000_000}),
]


@pytest.mark.parametrize("text", NOT_ENTRIES, ids=range(len(NOT_ENTRIES)))
def test_what_is_no_entry_is_removed_and_others_are_found(state: Path, text: str) -> None:
    register(entry(8002), "secret")
    (state / "servers" / "8001.json").write_text(text, encoding="utf-8")
    assert list_servers() == [entry(8002)]
    assert sorted(path.name for path in (state / "servers").iterdir()) == ["8002.json", "8002.key"]


LOOK = """
from serving.process.engine_log import new_log, read_failed_starts
from serving.process.server_registry import list_servers, read_key
new_log("tiny", 1)
print([entry.port for entry in list_servers()], read_failed_starts(), read_key(8003) or "no key")
"""


def test_links_pipes_and_folders_are_neither_followed_nor_waited_for(
    state: Path, tmp_path: Path
) -> None:
    register(entry(8002), "secret")
    outside = tmp_path / "outside.json"
    outside.write_text(json.dumps(asdict(entry(8001))), encoding="utf-8")
    servers, logs = state / "servers", private_folder("logs")
    (servers / "8001.json").symlink_to(outside)
    (servers / "8003.key").symlink_to(servers / "8002.key")
    os.mkfifo(servers / "8004.json")
    os.mkfifo(servers / "8005.key")
    (servers / "8006.json").mkdir()
    os.mkfifo(logs / "tiny-20261121-100000-1.log")
    (logs / "small-20261121-100000-1.log").symlink_to(tmp_path / "nowhere")
    for number in range(25):
        (logs / f"old-20261121-100000-{number}.log").symlink_to(outside)
    told = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.stdout == "[8002] {} no key\n", told.stderr
    assert outside.is_file()


@AS_ROOT
def test_the_files_of_another_user_are_not_believed(state: Path) -> None:
    register(entry(8001), "secret")
    register(entry(8002), "secret")
    os.chown(state / "servers" / "8001.json", NOBODY, NOBODY)
    os.chown(key_path(8002), NOBODY, NOBODY)
    assert [one.port for one in list_servers()] == [8002]
    assert read_key(8002) == ""


@AS_ROOT
def test_a_state_folder_of_another_user_is_refused_in_one_line(state: Path) -> None:
    state.mkdir()
    os.chown(state, NOBODY, NOBODY)
    with pytest.raises(EngineError, match=r"belongs to another user; set XDG_STATE_HOME"):
        register(entry(), "secret")
    with pytest.raises(EngineError, match="belongs to another user"):
        new_log("tiny", 1)
    assert read_failed_starts() == {}


@pytest.mark.parametrize("name", ["murder-arena", "murder-arena/servers"])
def test_a_state_folder_that_is_a_file_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    place.write_text("", encoding="utf-8")
    with pytest.raises(
        EngineError, match=f"{name}' cannot be used: .*; set XDG_STATE_HOME"
    ) as caught:
        register(entry(), "secret")
    assert "\n" not in str(caught.value)
    assert list_servers() == []


def test_an_entry_that_cannot_be_written_is_one_line_and_leaves_nothing_half(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(EngineError, match="cannot be used: no space left on device"):
        register(entry(), "secret")
    assert list((state / "servers").iterdir()) == []


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * 2_000_000)
    assert read_private(tmp_path / "large") is None
    assert read_private(tmp_path / "none") is None
    assert read_private(tmp_path) is None
