"""What a trace says of prompts, and how it is written and read."""

from pathlib import Path

import pytest

from arena.bench.content import read_picture, text_of
from arena.bench.peers import volatile
from arena.bench.synthetic import SMALL, synthetic_trace
from arena.bench.trace import (
    Lazy,
    Piece,
    Shown,
    Trace,
    TraceMatch,
    Turn,
    load_trace,
    reply_key,
    save_trace,
)
from arena.errors import RecordError

RULES = Piece(key="rules", tokens=10, role="system", text="The rules.")


def piece(key: str, tokens: int = 5) -> Piece:
    return Piece(key=key, tokens=tokens)


def turn(number: int, *added: Piece, seat: str = "a", **more: object) -> Turn:
    values = {"output": 3, "ask": f"ask-{number}", "number": number, "seat": seat, "added": added}
    return Turn(**{**values, **more})  # pyright: ignore[reportArgumentType]


def match(*turns: Turn) -> TraceMatch:
    return TraceMatch(id="m", script="s", pair=("x", "y"), turns=turns)


def keys(played: TraceMatch, number: int) -> list[str]:
    prompt = Trace(name="t", matches=(played,)).prompt(played, played.turns[number])
    return [piece.key for piece in prompt]


def test_a_prompt_is_the_seats_log_with_its_replies() -> None:
    played = match(
        turn(0, RULES, piece("role-a")),
        turn(1, RULES, piece("role-b"), seat="b", parents=(0,)),
        turn(2, piece("heard-b"), parents=(1,)),
    )
    assert keys(played, 0) == ["rules", "role-a"]
    assert keys(played, 1) == ["rules", "role-b"]
    assert keys(played, 2) == ["rules", "role-a", "m/a/0", "heard-b"]


def test_a_probe_sees_the_log_and_leaves_nothing_in_it() -> None:
    played = match(turn(0, RULES), turn(1, piece("who"), probe=True), turn(2, piece("next")))
    assert keys(played, 1) == ["rules", "m/a/0", "who"]
    assert keys(played, 2) == ["rules", "m/a/0", "next"]


def test_a_whole_prompt_begins_the_log_anew() -> None:
    played = match(
        turn(0, RULES, piece("old")),
        turn(1, RULES, piece("short"), whole=True),
        turn(2, piece("next")),
    )
    assert keys(played, 1) == ["rules", "short"]
    assert keys(played, 2) == ["rules", "short", "m/a/1", "next"]


def test_a_reply_has_the_tokens_that_were_generated() -> None:
    played = match(turn(0, RULES, reply="Hello.", output=7))
    reply = Trace(name="t", matches=(played,)).reply(played, played.turns[0])
    assert reply == Piece(key=reply_key("m", "a", 0), tokens=7, role="assistant", text="Hello.")


@pytest.mark.parametrize(
    ("turns", "words"),
    [
        ((turn(0), turn(0)), "a number of its own"),
        ((turn(0, parents=(1,)), turn(1)), "parents that come before it"),
        ((turn(0, output=0),), "has no output"),
    ],
)
def test_a_match_that_nobody_could_replay_is_refused(turns: tuple[Turn, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        match(*turns)


def test_lazy_matches_are_made_when_they_are_looked_at() -> None:
    made: list[int] = []

    def make(index: int) -> TraceMatch:
        made.append(index)
        return TraceMatch(id=f"m{index}", script="s", pair=("x", "y"), turns=())

    matches = Lazy(1000, make)
    assert len(matches) == 1000
    part = matches[990:]
    assert made == []
    assert [one.id for one in part] == [f"m{n}" for n in range(990, 1000)]
    assert matches[-1].id == "m999"
    assert len(made) == 11
    with pytest.raises(IndexError):
        matches[1000]


def test_a_trace_is_read_as_it_was_written(tmp_path: Path) -> None:
    trace = synthetic_trace(SMALL)
    save_trace(trace, tmp_path / "t.jsonl")
    read = load_trace(tmp_path / "t.jsonl")
    assert (read.name, dict(read.pictures)) == (trace.name, dict(trace.pictures))
    assert tuple(read.matches) == tuple(trace.matches)
    lines = (tmp_path / "t.jsonl").read_text("utf-8").splitlines()
    pieces = [line for line in lines if '"piece"' in line]
    assert len(pieces) == len(set(pieces))


def test_pictures_are_found_where_a_trace_was_moved_with_them(tmp_path: Path) -> None:
    (tmp_path / "a" / "run").mkdir(parents=True)
    (tmp_path / "a" / "run" / "p").write_bytes(b"bytes")
    shown = Shown(width=28, height=28, size=5, path=tmp_path / "a" / "run" / "p")
    save_trace(Trace(name="t", matches=(), pictures={"p": shown}), tmp_path / "a" / "t.jsonl")
    assert str(tmp_path) not in (tmp_path / "a" / "t.jsonl").read_text("utf-8")
    (tmp_path / "a").rename(tmp_path / "b")
    assert read_picture(load_trace(tmp_path / "b" / "t.jsonl"), "p") == b"bytes"


def test_every_kind_of_turn_survives_the_file(tmp_path: Path) -> None:
    played = match(
        turn(3, RULES, reply="言", whole=True),
        turn(5, piece("b"), parents=(3,), choice=True, probe=True),
    )
    save_trace(Trace(name="t", matches=(played,)), tmp_path / "t.jsonl")
    assert tuple(load_trace(tmp_path / "t.jsonl").matches) == (played,)


def spoil(lines: list[str], how: str) -> list[str]:
    match how:
        case "no header":
            return ["{}", *lines[1:]]
        case "other version":
            return [lines[0].replace('"version":1', '"version":2'), *lines[1:]]
        case "piece missing":
            return [lines[0], *lines[2:]]
        case _:
            return [*lines[:-1], lines[-1][:-9]]


@pytest.mark.parametrize(
    ("how", "where"),
    [
        ("no header", "line 1 "),
        ("other version", "line 1 "),
        ("piece missing", "line 2 "),
        ("torn", "line 3 "),
    ],
)
def test_a_spoilt_trace_names_the_line(how: str, where: str, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    save_trace(Trace(name="t", matches=(match(turn(0, RULES)),)), path)
    path.write_text("\n".join(spoil(path.read_text("utf-8").splitlines(), how)), "utf-8")
    with pytest.raises(RecordError, match=where):
        load_trace(path)


def test_a_missing_trace_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read the trace"):
        load_trace(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match="cannot write the trace"):
        save_trace(Trace(name="t", matches=()), tmp_path / "none" / "t.jsonl")


def test_the_layout_of_the_peers_has_the_same_tokens_in_another_order() -> None:
    trace = synthetic_trace(SMALL)
    peers = volatile(trace)
    assert len(peers.matches) == len(trace.matches)
    for ours, theirs in zip(trace.matches, peers.matches, strict=True):
        assert (ours.id, ours.pair, len(ours.turns)) == (theirs.id, theirs.pair, len(theirs.turns))
        for mine, other in zip(ours.turns, theirs.turns, strict=True):
            grown, whole = trace.prompt(ours, mine), peers.prompt(theirs, other)
            assert sorted(p.tokens for p in grown) == sorted(p.tokens for p in whole)
            assert sum(bool(p.picture) for p in grown) == sum(bool(p.picture) for p in whole)
            assert (mine.output, mine.parents, mine.choice) == (
                other.output,
                other.parents,
                other.choice,
            )
            assert {p.role for p in whole} == {"user"}


def test_the_peers_put_the_history_after_what_was_shown_and_the_rulebook_after_it() -> None:
    trace = synthetic_trace(SMALL)
    peers = volatile(trace)
    played = peers.matches[0]
    last = next(t for t in reversed(played.turns) if t.seat == "seat-1")
    prompt = peers.prompt(played, last)
    names = [piece.key for piece in prompt]
    script = played.script
    assert names[0] == f"{script}/seat-1"
    assert [bool(piece.picture) for piece in prompt[:4]] == [False, True, True, False]
    assert names[-2:] == ["rules-0/rulebook", f"{script}/seat-1/vote"]
    assert any(name.endswith("/quoted") for name in names[3:-2])


def test_recorded_words_are_used_and_others_are_made() -> None:
    assert text_of(RULES) == "The rules."
    assert text_of(piece("k", 25)).split() == text_of(piece("k", 25)).split()
    assert len(text_of(piece("k", 25)).split()) == 20
    assert text_of(piece("k", 25)) != text_of(piece("l", 25))
    assert text_of(piece("k", 25)).startswith(text_of(piece("k", 15)))


def test_an_unknown_or_lost_picture_is_one_line(tmp_path: Path) -> None:
    lost = Shown(width=28, height=28, size=1, path=tmp_path / "lost")
    trace = Trace(name="t", matches=(), pictures={"lost": lost})
    with pytest.raises(RecordError, match="trace 't' has no picture 'other'"):
        read_picture(trace, "other")
    with pytest.raises(RecordError, match="cannot read picture"):
        read_picture(trace, "lost")
