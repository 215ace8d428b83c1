"""Options of the player."""

from dataclasses import dataclass

from arena.players.methods.search_options import SearchOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class OCotOptions(SearchOptions):
    """Options of `o-cot`."""

    parallel_notes: bool = False
    """Whether the notes on all objectives are written concurrently; else each sees the earlier
    ones."""
