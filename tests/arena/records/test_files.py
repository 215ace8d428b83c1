"""Files of records: lines that a crash tore off, links, and files that cannot be written."""

from pathlib import Path

import pytest

from arena.errors import RecordError
from arena.records.record_files import (
    atomic_write,
    check_dir,
    make_dirs,
    open_jsonl_append,
    read_grown,
    read_jsonl,
    read_last_line,
    read_text,
)


def lines(path: Path) -> tuple[str, ...]:
    return read_jsonl(path, str)


def test_lines_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for text in ("one", "zwei", "三"):
        with open_jsonl_append(path) as append:
            append(text)
    assert lines(path) == ("one", "zwei", "三")


def test_a_line_is_in_the_file_before_the_next_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with open_jsonl_append(path) as append:
        append("one")
        assert lines(path) == ("one",)


def test_a_file_cut_at_any_byte_loses_only_what_was_torn(tmp_path: Path) -> None:
    path, whole = tmp_path / "a.jsonl", "one\n三四\n\nfour\n".encode()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = tuple(whole[:cut].decode(errors="ignore").split("\n")[: whole[:cut].count(b"\n")])
        assert lines(path) == kept
        with open_jsonl_append(path) as append:
            append("next")
        assert lines(path) == (*kept, "next")


def test_lines_are_read_on_from_where_an_earlier_reading_ended(tmp_path: Path) -> None:
    path, place, found = tmp_path / "a.jsonl", 0, list[str]()
    assert read_grown(path, 0, str) == ((), 0)
    for text in ("one\n", "two\nthr", "ee\n", ""):
        with path.open("a") as file:
            file.write(text)
        some, place = read_grown(path, place, str)
        found += some
    assert found == ["one", "two", "three"]
    assert place == path.stat().st_size
    assert read_grown(path, place + 9, str) == ((), place + 9)


@pytest.mark.parametrize("text", ["one\n", "zero\none\n", "zero\none\ntorn"])
def test_the_last_complete_line_is_read_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    assert read_last_line(path, str) == "one"


def test_missing_folders_are_made_below_one_that_is_there(tmp_path: Path) -> None:
    for _ in range(2):
        make_dirs(tmp_path, tmp_path / "a" / "b" / "c")
        assert (tmp_path / "a" / "b" / "c").is_dir()
    with pytest.raises(OSError, match="gone"):
        make_dirs(tmp_path / "gone", tmp_path / "gone" / "a")


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_a_folder_that_cannot_be_looked_at_is_named(tmp_path: Path, name: str) -> None:
    assert check_dir(tmp_path / "missing") == tmp_path / "missing"
    with pytest.raises(RecordError, match="cannot read"):
        check_dir(tmp_path / name)


def test_no_file_has_no_lines_and_no_text(tmp_path: Path) -> None:
    assert lines(tmp_path / "none") == ()
    assert read_text(tmp_path / "none") is None


def test_a_line_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n\xff\xfe\n")
    with pytest.raises(RecordError, match=r"a\.jsonl', line 2: this is not UTF-8"):
        lines(path)
    with pytest.raises(RecordError, match="is not UTF-8"):
        read_text(path)


def test_a_line_that_cannot_be_decoded_is_named(tmp_path: Path) -> None:
    def decode(line: str) -> str:
        if line == "bad":
            raise RecordError("it is bad")
        return line

    path = tmp_path / "a.jsonl"
    path.write_text("good\nbad\n")
    with pytest.raises(RecordError, match=r"a\.jsonl', line 2: it is bad"):
        read_jsonl(path, decode)


def test_links_and_folders_are_no_records(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("one\n")
    for name, target in (("link", "real"), ("dangling", "nowhere"), ("folder", ".")):
        (tmp_path / name).symlink_to(target)
    (tmp_path / "dir").mkdir()
    for name in ("link", "dangling", "folder", "dir"):
        with pytest.raises(RecordError):
            lines(tmp_path / name)
        with pytest.raises(RecordError), open_jsonl_append(tmp_path / name):
            pass
    assert (tmp_path / "real").read_text() == "one\n"
    assert not (tmp_path / "nowhere").exists()


def test_a_file_appears_complete_or_not_at_all(tmp_path: Path) -> None:
    atomic_write(tmp_path / "a", "text")
    atomic_write(tmp_path / "a", b"other")
    assert (tmp_path / "a").read_bytes() == b"other"
    (tmp_path / "dir").mkdir()
    with pytest.raises(RecordError, match="cannot write"):
        atomic_write(tmp_path / "dir", "text")
    with pytest.raises(RecordError, match="cannot write"):
        atomic_write(tmp_path / "missing" / "a", "text")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "dir"]
