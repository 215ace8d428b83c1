"""Setups: the runs that faults are put into, as words of the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

MODEL: Final = "campaign"
"""The name of the served model in ARENA_ENDPOINTS."""
REPLICATED: Final = "campaign-twice"
"""The same with two replicas."""
DEADLINE: Final = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A run: who plays what, and how much at once."""

    words: tuple[str, ...]
    civilians: str = MODEL
    murderer: str = "naive"
    concurrency: int | None = None

    def match_words(self, out: str, *, deadline: float) -> Sequence[str]:
        """Return the words after `arena` that start the run."""
        return (
            "match",
            "--civ",
            self.civilians,
            "--murderer",
            self.murderer,
            *self.words,
            "--deadline",
            f"{deadline:g}",
            "--out",
            out,
            "--json",
            *self._concurrency(),
        )

    def resume_words(self, out: str) -> Sequence[str]:
        """Return the words that continue the run."""
        return ("resume", out, "--json", *self._concurrency())

    def _concurrency(self) -> Sequence[str]:
        return () if self.concurrency is None else ("--concurrency", f"{self.concurrency}")


def _scripts(*names: str) -> tuple[str, ...]:
    return tuple(word for name in names for word in ("--script", name))


SETUPS: Mapping[str, Setup] = MappingProxyType(
    {
        "english": Setup(
            words=(
                *_scripts("first-night", "last-tram", "two-tides", "ward-nine", "glass-loft"),
                *("-n", "2", "--preset", "short"),
            ),
            concurrency=4,
        ),
        "chinese": Setup(
            words=(
                *_scripts("osmanthus-feast", "quiet-harvest", "white-season", "first-night"),
                *("--language", "zh", "-n", "2", "--preset", "short"),
            ),
            murderer=f"{MODEL}+cot",
        ),
        "sides": Setup(
            words=(
                *_scripts("glass-loft", "mill-meadow", "last-tram", "quiet-harvest"),
                *("--swap", "--preset", "short", "-o", "vote=open"),
            ),
            murderer=f"{MODEL}:temperature=0.2",
            concurrency=3,
        ),
        "probes": Setup(
            words=(
                *_scripts("last-tram"),
                *("--swap", "--preset", "short", "--ballots", "--quiz", "after"),
            ),
            murderer=f"{MODEL}:temperature=0.2",
        ),
        "tight": Setup(
            words=(*_scripts("two-tides", "ward-nine", "first-night"), "--preset", "short"),
            civilians=f"{MODEL}:context_budget=5000,overflow=summarise,picture_mode=notes",
        ),
        "small": Setup(words=(*_scripts("last-tram", "first-night"), "--preset", "short")),
        "replicas": Setup(
            words=(
                *_scripts("first-night", "last-tram", "two-tides", "ward-nine"),
                *("-n", "2", "--preset", "short"),
            ),
            civilians=REPLICATED,
        ),
    }
)
"""Every setup by its name."""
