"""Ways to spoil a run's folder: what a crash, a bad disk, an editor or an attacker may leave."""

import json
import os
import shutil
import socket
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from random import Random
from typing import Any, cast

DEEP = "[" * 100_000
LONG = "9" * 5_000
VALUES: tuple[str, ...] = (
    "null",
    "[]",
    "{}",
    "true",
    "-1",
    "0",
    "1.5",
    "1e999",
    "NaN",
    "-Infinity",
    str(10**30),
    str(2**63),
    LONG,
    '""',
    '"x"',
    '"\\u0000"',
    '"\\ud83d"',
    '"../../../outside/precious"',
    json.dumps("x" * 100_000),
    json.dumps("𝕏\u202e\x1b[2J\n"),
    "[" * 150 + "]" * 150,
    DEEP,
    "[" + "1," * 200_000 + "1]",
    '{"a": {"b": [1, "2", null]}}',
)
"""JSON that takes the place of a value, as it is written."""
_MARK = "@HERE@"


def spoil(run: Path, outside: Path, chance: Random) -> str:
    """Spoil one thing in the folder `run` and return what was done.

    Links lead to `outside`, where nothing may be touched.
    """
    places: dict[str, list[Path]] = {}
    for path in sorted(run.rglob("*")):
        kind = path.parent.name if len(path.name) >= 64 else path.name
        places.setdefault(kind, []).append(path)
    path = chance.choice(places[chance.choice(sorted(places))])
    ways = FOLDER_WAYS if path.is_dir() else FILE_WAYS
    way = chance.choice(ways)
    if way in LINKS:
        LINKS[way](path, outside)
    else:
        _CONTENTS[way](path, chance)
    return f"{way.replace('_', ' ')}: {path.relative_to(run)}"


def _truncate(path: Path, chance: Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data) + 1)])


def _flip(path: Path, chance: Random) -> None:
    data = bytearray(path.read_bytes() or b"\0")
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def _insert(path: Path, chance: Random) -> None:
    data = path.read_bytes()
    at = chance.randrange(len(data) + 1)
    more = chance.choice((b"\0", b"\xff\xfe", b"\n", b"\r\n", b"{}", b'"', b"}\n{", b"\x80" * 99))
    path.write_bytes(data[:at] + more + data[at:])


def _lines(change: Callable[[list[bytes], Random], list[bytes]]) -> Callable[[Path, Random], None]:
    def spoil_lines(path: Path, chance: Random) -> None:
        path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True), chance)))

    return spoil_lines


def _delete_line(lines: list[bytes], chance: Random) -> list[bytes]:
    at = chance.randrange(len(lines) + 1)
    return [*lines[:at], *lines[at + 1 :]]


def _cut_lines(lines: list[bytes], chance: Random) -> list[bytes]:
    return lines[: chance.randrange(len(lines) + 1)]


def _repeat_line(lines: list[bytes], chance: Random) -> list[bytes]:
    at = chance.randrange(len(lines) + 1)
    return [*lines[: at + 1], *lines[at:]]


def _shuffle_lines(lines: list[bytes], chance: Random) -> list[bytes]:
    return chance.sample(lines, len(lines))


def _write_over(path: Path, chance: Random) -> None:
    path.write_text(chance.choice(("", "\n", *VALUES)), "utf-8")


def _change_value(path: Path, chance: Random) -> None:
    """Put another value in the place of one of a JSON object, or remove it, or add one."""
    text = path.read_bytes().decode(errors="replace")
    lines = text.splitlines() if path.suffix == ".jsonl" else [text]
    at = chance.randrange(len(lines)) if lines else 0
    try:
        found: Any = json.loads(lines[at])
    except (IndexError, ValueError):
        _flip(path, chance)
        return
    holders: list[tuple[Any, Any]] = []
    _collect(found, holders)
    if not holders:
        return
    holder, key = chance.choice(holders)
    what = chance.random()
    if what < 0.1 and isinstance(holder, dict):
        del holder[key]
    elif what < 0.2 and isinstance(holder, dict):
        holder["another"] = _MARK
    else:
        holder[key] = _MARK
    text = json.dumps(found, ensure_ascii=False).replace(f'"{_MARK}"', chance.choice(VALUES))
    lines[at] = text
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def _collect(value: Any, holders: list[tuple[Any, Any]]) -> None:
    """Add each place in JSON, as what holds it and its key or index there."""
    holder, inner = value, dict[Any, Any]()
    if isinstance(value, dict):
        inner = cast("dict[Any, Any]", value)
    elif isinstance(value, list):
        inner = dict(enumerate(cast("list[Any]", value)))
    for key, one in inner.items():
        holders.append((holder, key))
        _collect(one, holders)


def _remove(path: Path, outside: Path) -> None:
    del outside
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def _link_out(path: Path, outside: Path) -> None:
    """Move what is there outside, and leave a link to it."""
    shutil.move(path, outside / "moved")
    path.symlink_to(outside / "moved")


def _hard_link_out(path: Path, outside: Path) -> None:
    os.link(path, outside / "second name")


def _link_to(target: str) -> Callable[[Path, Path], None]:
    def link(path: Path, outside: Path) -> None:
        _remove(path, outside)
        path.symlink_to(outside / target)

    return link


def _make_fifo(path: Path, outside: Path) -> None:
    _remove(path, outside)
    os.mkfifo(path)


def _make_socket(path: Path, outside: Path) -> None:
    _remove(path, outside)
    with chdir(path.parent), socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def _make_folder(path: Path, outside: Path) -> None:
    _remove(path, outside)
    path.mkdir()


def _make_file(path: Path, outside: Path) -> None:
    _remove(path, outside)
    path.write_text("a file\n")


_CONTENTS: dict[str, Callable[[Path, Random], None]] = {
    "truncate": _truncate,
    "flip": _flip,
    "insert": _insert,
    "delete_line": _lines(_delete_line),
    "cut_lines": _lines(_cut_lines),
    "repeat_line": _lines(_repeat_line),
    "shuffle_lines": _lines(_shuffle_lines),
    "write_over": _write_over,
    "change_value": _change_value,
}
LINKS: dict[str, Callable[[Path, Path], None]] = {
    "remove": _remove,
    "link_out": _link_out,
    "link_to_precious": _link_to("precious"),
    "link_to_folder": _link_to("folder"),
    "link_to_nothing": _link_to("nothing"),
    "link_to_zeros": _link_to("../../../../../../../../../dev/zero"),
    "fifo": _make_fifo,
    "socket": _make_socket,
    "folder": _make_folder,
}
FOLDER_WAYS = (*LINKS, "file")
LINKS["hard_link_out"] = _hard_link_out
LINKS["file"] = _make_file
FILE_WAYS = (*_CONTENTS, *("change_value",) * 8, *LINKS)
