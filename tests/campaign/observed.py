"""What a run folder holds, read for comparison: nothing here changes it."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from arena.errors import ArenaError
from arena.models.chat import CallId, ChoiceConstraint
from arena.models.recording import RecordedCall
from arena.records.run_record import RunRecord
from tests.campaign.journal import digest_of_messages

_TIMES: Final = frozenset({"seconds", "record", "run", "flags", "cached_tokens"})
"""Fields of a summary that no two runs share."""
Slack = Literal["none", "counts", "choices"]
"""What may differ from the undisturbed run, times apart.

`counts`: what servers count. `choices`: what it cost to choose an option. A choice that is asked
for as a whole has the tokens of its words, and no probabilities; the words are the same.
"""
_BLANKS: Final[Mapping[Slack, Mapping[str, Any]]] = MappingProxyType(
    {
        "none": {},
        "counts": {"prompt_tokens": 0, "output_tokens": 0, "ids": (), "repairs": ()},
        "choices": {"output_tokens": 0, "ids": (), "probabilities": ()},
    }
)
"""Fields of a completion that may differ."""
_SUMS: Final[Mapping[Slack, frozenset[str]]] = MappingProxyType(
    {
        "none": frozenset(),
        "counts": frozenset({"prompt_tokens", "output_tokens"}),
        "choices": frozenset({"output_tokens"}),
    }
)
"""Fields of a summary that may differ."""


@dataclass(frozen=True, kw_only=True)
class ObservedMatch:
    """The record of one match."""

    events: bytes
    probes: bytes
    done: bytes
    """Empty: the match is not over."""
    calls: Mapping[CallId, RecordedCall]

    @property
    def summary(self) -> Mapping[str, Any]:
        """What done.json says; empty without one."""
        return json.loads(self.done) if self.done else {}

    @property
    def is_whole(self) -> bool:
        """Whether the match is over, and not as an error."""
        return self.summary.get("outcome", "error") != "error"

    @property
    def seats(self) -> set[str]:
        """The seats that a model plays."""
        return {call_id.seat for call_id in self.calls}

    @cached_property
    def digests(self) -> Counter[str]:
        """How often each request is recorded."""
        return Counter(digest_of_messages(call.request.messages) for call in self.calls.values())


def observe_run(path: Path) -> dict[str, ObservedMatch]:
    """Return the matches that have a folder, by their ids. Raises what the records raise."""
    folder = path / "matches"
    if not folder.is_dir():
        return {}
    record = RunRecord(path=path)
    return {
        one.name: ObservedMatch(
            events=_read(one / "events.jsonl"),
            probes=_read(one / "probes.jsonl"),
            done=_read(one / "done.json"),
            calls=record.match(one.name).calls(),
        )
        for one in sorted(folder.iterdir())
    }


def find_differences(
    wanted: ObservedMatch, found: ObservedMatch | None, *, slack: Slack = "none"
) -> list[str]:
    """Return what differs between the record of a match and that of the undisturbed run."""
    if found is None:
        return ["it has no record"]
    if not found.done:
        return ["it has no done.json"]
    differences: list[str] = []
    if found.events != wanted.events:
        differences.append(f"events.jsonl {_first_difference(wanted.events, found.events)}")
    if found.probes != wanted.probes:
        differences.append(f"probes.jsonl {_first_difference(wanted.probes, found.probes)}")
    ignored = _TIMES | _SUMS[slack]
    for name, value in wanted.summary.items():
        if name not in ignored and found.summary.get(name) != value:
            differences.append(f"done.json: {name} {value!r} became {found.summary.get(name)!r}")
    differences.extend(_call_differences(wanted.calls, found.calls, slack))
    return differences


def count_whole_choices(wanted: ObservedMatch, found: ObservedMatch) -> int:
    """Return how many choices were asked for as a whole, and not so in the undisturbed run."""
    return sum(
        isinstance(call.request.constraint, ChoiceConstraint)
        and _lasting(call, "none") != _lasting(found.calls.get(call_id, call), "none")
        for call_id, call in wanted.calls.items()
    )


def find_repeated_calls(path: Path) -> list[str]:
    """Return the ids of calls that the files of a run hold twice."""
    repeated: list[str] = []
    for file in sorted(path.glob("matches/*/calls.jsonl")):
        lines = file.read_bytes().split(b"\n")[:-1]
        ids = Counter(json.dumps(json.loads(line)["call_id"], sort_keys=True) for line in lines)
        repeated += [f"{file.parent.name}: {one}" for one, times in ids.items() if times > 1]
    return repeated


def find_unreadable(path: Path, names: Iterable[str]) -> list[str]:
    """Return the matches whose record cannot be read and replayed to its end."""
    faults: list[str] = []
    run = RunRecord(path=path)
    for name in sorted(names):
        match = run.match(name)
        try:
            events = match.events()
            if events:
                match.state_at(len(events))
            match.probes()
        except ArenaError as error:
            faults.append(f"{name}: {error}")
    return faults


def find_index_faults(path: Path, plan: Mapping[str, str]) -> list[str]:
    """Return how the index differs from the outcomes in `plan`, by match."""
    index = path / "index.sqlite"
    if not index.is_file():
        return ["there is no index.sqlite"]
    try:
        with closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True)) as base:
            rows = dict(base.execute("SELECT match, outcome FROM matches"))
    except sqlite3.Error as error:
        return [f"index.sqlite cannot be read: {error}"]
    return [
        f"index: {match} is {rows.get(match)!r}, not {plan.get(match)!r}"
        for match in sorted({*rows, *plan})
        if rows.get(match) != plan.get(match)
    ]


def _call_differences(
    wanted: Mapping[CallId, RecordedCall],
    found: Mapping[CallId, RecordedCall],
    slack: Slack,
) -> list[str]:
    differences: list[str] = []
    for call_id in dict.fromkeys((*wanted, *found)):
        before, now = wanted.get(call_id), found.get(call_id)
        if before is None or now is None:
            what = "is new" if before is None else "is missing"
            differences.append(f"calls.jsonl: {call_id.request} ({call_id.kind}) {what}")
        elif _lasting(before, slack) != _lasting(now, slack):
            differences.append(
                f"calls.jsonl: {call_id.request} ({call_id.kind}) "
                f"{_changed_fields(_lasting(before, slack), _lasting(now, slack))}"
            )
    return differences[:3]


def _lasting(call: RecordedCall, slack: Slack) -> RecordedCall:
    """Return the call without its times, and without what else may differ."""
    if call.completion is None:
        return call
    completion = replace(call.completion, seconds=0.0, retries=0, cached_tokens=None)
    if slack != "choices" or isinstance(call.request.constraint, ChoiceConstraint):
        completion = replace(completion, **_BLANKS[slack])
    return replace(call, completion=completion)


def _changed_fields(before: RecordedCall, now: RecordedCall) -> str:
    old, new = _flatten(before), _flatten(now)
    changed = [name for name in old if old[name] != new.get(name)]
    return "; ".join(f"{name}: {old[name]:.80} became {new.get(name)!s:.80}" for name in changed)


def _flatten(call: RecordedCall) -> dict[str, str]:
    completion = asdict(call.completion) if call.completion is not None else {}
    found: dict[str, Any] = {**asdict(call.request), **completion, "error": call.error}
    return {name: repr(value) for name, value in found.items()}


def _first_difference(wanted: bytes, found: bytes) -> str:
    old, new = wanted.split(b"\n"), found.split(b"\n")
    line = next(
        (n for n, (one, other) in enumerate(zip(old, new, strict=False)) if one != other),
        min(len(old), len(new)),
    )

    before = old[line] if line < len(old) else b""
    now = new[line] if line < len(new) else b""
    pairs = enumerate(zip(before, now, strict=False))
    start = max(0, next((n for n, (one, other) in pairs if one != other), 0) - 40)

    def shown(text: bytes) -> str:
        return repr(text[start : start + 160].decode(errors="replace"))

    return f"line {line + 1}: {shown(before)} became {shown(now)}"


def _read(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""
