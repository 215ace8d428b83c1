"""`--json`: one JSON object per line on standard output, and nothing else there."""

import json
import re
from collections.abc import Mapping
from typing import TextIO

from arena.records.match_summary import MatchSummary
from arena.run.observer import BaseObserver

KEYS = (
    "match",
    "script",
    "game",
    "civilians",
    "murderer",
    "model_served",
    "outcome",
    "uncounted",
    "votes",
    "victim_votes",
    "killers",
    "truth",
    "turns",
    "rejected",
    "fallbacks",
    "steps",
    "prompt_tokens",
    "cached_tokens",
    "output_tokens",
    "seconds",
    "record",
    "forfeit_seat",
    "error_cause",
    "seed",
    "language",
    "run",
    "flags",
)
"""Keys of a match, in this order. `model_served` maps `civilians` and `murderer` to the served
model or the player, `votes` a seat to its last vote, and `victim_votes` each of several victims to
such votes, `killers` each of them to the seats that killed it; `uncounted` is why the outcome is
excluded from win rates, empty if it is not; `cached_tokens` is null if no server reports it;
`flags` are qualifiers of the results, such as `untrained stand-in` or `bundled mini`.
"""

_UNSAFE = re.compile(
    "[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Characters that are legal in JSON, but unsafe for a terminal or an encoder."""


class JsonOut(BaseObserver):
    """Writer of one line for every finished match."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def on_match_end(self, summary: MatchSummary) -> None:
        """Write the match."""
        self.write(summary_object(summary))

    def write(self, value: Mapping[str, object]) -> None:
        """Write any object as a line, and flush it."""
        self._stream.write(f"{encode_line(value, self._stream.encoding)}\n")
        self._stream.flush()


def summary_object(summary: MatchSummary) -> dict[str, object]:
    """Return a match as the object of `KEYS`; seconds in thousandths."""
    value: dict[str, object] = {key: getattr(summary, key) for key in KEYS}
    value["seconds"] = round(summary.seconds, 3)
    return value


def encode_line(value: Mapping[str, object], encoding: str | None = "utf-8") -> str:
    """Return an object as one line of JSON that `encoding` can carry."""
    plain = not (encoding or "").lower().replace("-", "").startswith("utf8")
    text = json.dumps(value, ensure_ascii=plain, allow_nan=False)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
