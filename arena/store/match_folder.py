"""One folder a match: events and calls grow, `done.json` comes last and says that it is whole."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from arena.core.events import Event
from arena.errors import StoreError
from arena.models.chat import Label
from arena.models.recording import Call
from arena.store.codec import CallCodec, decode_event, encode_event
from arena.store.lines import appending, make_folder, read_lines, write_whole
from arena.store.probes import ProbeAnswer, decode_probe, encode_probe
from arena.store.summary import MatchSummary

_SUMMARY = TypeAdapter(MatchSummary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pens:
    """What may be written of a match that is being played."""

    event: Callable[[Event], None]
    call: Callable[[Call], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFolder:
    """A match as it lies on disk (DESIGN section 5)."""

    path: Path
    run: str

    @contextmanager
    def writing(self) -> Generator[Pens]:
        """Yield what appends to the match's files; each line is flushed at once."""
        make_folder(self.path)
        codec = CallCodec()
        self._read_calls(codec)
        with (
            appending(self.path / "events.jsonl") as event,
            appending(self.path / "calls.jsonl") as call,
        ):
            yield Pens(
                event=lambda it: event(encode_event(it)),
                call=lambda it: call(codec.encode(it)),
            )

    def write_probes(self, answers: Sequence[ProbeAnswer]) -> None:
        """Write what the silent probes found, all at once."""
        text = "".join(f"{encode_probe(answer)}\n" for answer in answers)
        write_whole(self.path / "probes.jsonl", text)

    def probes(self) -> tuple[ProbeAnswer, ...]:
        """Return what the silent probes found; none where none were put."""
        return tuple(decode_probe(line) for line in read_lines(self.path / "probes.jsonl"))

    def finish(self, summary: MatchSummary) -> None:
        """Mark the match as whole: the last thing that is written."""
        text = _SUMMARY.dump_json(summary, indent=1).decode()
        write_whole(self.path / "done.json", text + "\n")

    def events(self) -> tuple[Event, ...]:
        """Return the events, whole match or not."""
        lines = read_lines(self.path / "events.jsonl")
        try:
            return tuple(decode_event(line) for line in lines)
        except StoreError as error:
            raise StoreError(f"{self.path / 'events.jsonl'}: {error}") from error

    def calls(self) -> Mapping[Label, Call]:
        """Return the model calls that were answered, by their labels."""
        return {call.request.label: call for call in self._read_calls(CallCodec())}

    def _read_calls(self, codec: CallCodec) -> tuple[Call, ...]:
        return tuple(codec.decode(line) for line in read_lines(self.path / "calls.jsonl"))

    def is_whole(self) -> bool:
        """Tell whether the match came to an end that is not an error."""
        done = self.summary()
        return done is not None and done.outcome != "error"

    def summary(self) -> MatchSummary | None:
        """Return what is told of the match; None while it is not whole."""
        path = self.path / "done.json"
        try:
            return _SUMMARY.validate_json(path.read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            raise StoreError(f"cannot read {str(path)!r}: {error}") from error
