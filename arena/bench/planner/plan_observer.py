"""Observer of a simulated plan: lengths of prompts, and when matches began and ended."""

import asyncio
from dataclasses import dataclass, field
from typing import Final

from arena.core.events import Adjustment, Event, PromptAdjusted
from arena.core.state import MatchState
from arena.models.chat import Completion, Request
from arena.records.match_summary import MatchSummary
from arena.run.observer import BaseObserver

_OVERFLOW_ADJUSTMENTS: Final[frozenset[Adjustment]] = frozenset(
    {
        "log_summarised",
        "log_retrieved",
        "log_dropped",
        "summary_dropped",
        "script_summarised",
        "script_retrieved",
        "script_dropped",
    }
)
"""Phrases for how a prompt that does not fit the context is shortened."""


@dataclass(slots=True)
class PlanObserver(BaseObserver):
    """Recorder of a simulated run, in seconds of virtual time."""

    begun: dict[str, float] = field(default_factory=dict[str, float])
    over: dict[str, float] = field(default_factory=dict[str, float])
    calls: list[float] = field(default_factory=list[float])
    """Times of the completions."""
    longest: int = 0
    ends: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    """Tokens of the last prompt and its reply, by match and seat."""
    cuts: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Match and request of each prompt that did not fit."""
    summaries: list[MatchSummary] = field(default_factory=list[MatchSummary])

    @property
    def spans(self) -> list[tuple[float, float]]:
        """Return the start and end time of each match."""
        return [(self.begun[match], over) for match, over in self.over.items()]

    def on_event(self, match: str, state: MatchState, event: Event) -> None:
        """Record the start of a match, and how a prompt was shortened."""
        if match not in self.begun:
            self.begun[match] = asyncio.get_running_loop().time()
        if isinstance(event, PromptAdjusted) and event.adjustment in _OVERFLOW_ADJUSTMENTS:
            self.cuts.add((match, event.request))

    def on_call(self, match: str, request: Request, completion: Completion) -> None:
        """Record the length of a prompt and its reply."""
        tokens = completion.prompt_tokens + completion.output_tokens
        self.calls.append(asyncio.get_running_loop().time())
        self.longest = max(self.longest, tokens)
        if request.call_id.kind == "reply":
            self.ends[match, request.call_id.seat] = tokens

    def on_match_end(self, summary: MatchSummary) -> None:
        """Record the end of a match."""
        self.over[summary.match] = asyncio.get_running_loop().time()
        self.summaries.append(summary)
