"""Usage of a run so far, for the live status line."""

from dataclasses import dataclass, field

from arena.cli.rendering.formatting import format_percent
from arena.models.chat import Completion, Request
from arena.run.match.match_usage import MatchUsage


@dataclass(slots=True, kw_only=True)
class UsageCounter:
    """Usage counter of all matches together. `MatchUsage` decides what counts as a turn."""

    turns: int = 0
    """Requests of the game that a model has answered at least once."""
    readings: int = 0
    """Picture readings for a seat's notes: not turns."""
    summaries: int = 0
    """Shortened texts: not turns."""
    steps: int = 0
    """Steps of a method: not turns."""
    prompt_tokens: int = 0
    measured_tokens: int = 0
    """Prompt tokens of the calls whose server reports cached tokens."""
    cached_tokens: int = 0
    output_tokens: int = 0
    _live: dict[str, MatchUsage] = field(default_factory=dict[str, MatchUsage])

    def add(self, match: str, request: Request, completion: Completion) -> None:
        """Count a call."""
        usage = self._live.setdefault(match, MatchUsage())
        before = len(usage.turns)
        if not usage.add(request, completion):
            return
        self.turns += len(usage.turns) - before
        self.readings += request.call_id.kind == "reading"
        self.summaries += request.call_id.kind == "summary"
        self.steps += request.call_id.kind == "step" and not request.call_id.off_path
        self.prompt_tokens += completion.prompt_tokens
        self.output_tokens += completion.output_tokens
        if completion.cached_tokens is not None:
            self.measured_tokens += completion.prompt_tokens
            self.cached_tokens += completion.cached_tokens

    def finish(self, match: str) -> None:
        """Forget the answered requests of a match; its counts stay."""
        self._live.pop(match, None)

    @property
    def hit_rate(self) -> str:
        """Return the cached share of the prompt tokens that servers report."""
        return format_percent(self.cached_tokens, self.measured_tokens)
