"""Comparison of the plugin's results with the reference's. Imports torch.

In float32 the greedy tokens must be the same, and no log-probability of any token at any step may
differ by more than `TOLERANCE`. In bfloat16 both sides round, each in its own order, so the scale
is the rounding error of the reference: its distance from itself in float32 along the same tokens.
Two such errors add up to about twice one of them: the mean and the largest difference must be
within `SPREAD` times the reference's own, and a different likeliest token is accepted only at a
near tie, where the reference has the two tokens within `SPREAD` times its largest error.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import torch

from serving.yi_vl.parity.parity_spec import ParitySpec

TOLERANCE: Final = 2e-2
"""Limit of differences of log-probabilities in float32 (natural logarithms).

Measured (BENCHMARKS.md): 2.3e-5 for the plugin, 0.05 or more for most planted mistakes.
"""

SPREAD: Final = 2.0
"""Limit of differences in bfloat16, in units of the reference's own rounding error."""

_IMAGE_TOKENS: Final = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """Row of the printed table."""

    layout: str
    dtype: str
    what: str
    prompts: int
    pictures: int
    same: int
    """Prompts for which both sides have the same tokens."""
    largest: float | None = None
    """Largest difference of log-probabilities, over every token at every step."""
    mean: float | None = None
    """Mean difference of log-probabilities."""
    bound: str = ""
    """Limits, as text."""
    passed: bool

    def as_dict(self) -> dict[str, object]:
        """Return the fields for JSON."""
        return asdict(self)


def compare_results(spec: ParitySpec) -> tuple[ComparisonRow, ...]:
    """Compare the results that the two sides of a comparison have written."""
    reference: list[dict[str, Any]] = torch.load(spec.results_file("reference"), weights_only=True)
    engine: list[dict[str, Any]] = torch.load(spec.results_file("engine"), weights_only=True)
    pairs = tuple(zip(reference, engine, strict=True))
    return (
        _compare_plugin(spec, pairs),
        _compare_control(spec, pairs),
        _compare_prompts(spec, pairs),
        _compare_cache(spec, pairs),
    )


_Pairs = Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
"""Results of the reference and of the engine for each prompt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Distance:
    """Distance between two lists of rows, and whether it is within its limits."""

    largest: float
    mean: float
    bound: str
    within: bool


def _compare_plugin(spec: ParitySpec, pairs: _Pairs) -> ComparisonRow:
    """Compare the plugin with the reference."""
    same = sum(one["tokens"] == other["cold"] for one, other in pairs)
    distance = _measure_distance(spec, pairs, "rows")
    passed = distance.within and (same == len(pairs) or spec.dtype != "float32")
    return _make_row(spec, pairs, "plugin", same=same, distance=distance, passed=passed)


def _compare_control(spec: ParitySpec, pairs: _Pairs) -> ComparisonRow:
    """Compare the plugin with a reference without the projector's LayerNorms, which must fail."""
    pairs = [pair for pair in pairs if _count_pictures(pair[0])]
    same = sum(one["control"].argmax(1).tolist() == other["cold"] for one, other in pairs)
    distance = _measure_distance(spec, pairs, "control")
    passed = not distance.within and same < len(pairs)
    row = _make_row(spec, pairs, "no LayerNorms", same=same, distance=distance, passed=passed)
    return replace(row, bound="must fail")


def _compare_prompts(spec: ParitySpec, pairs: _Pairs) -> ComparisonRow:
    """Compare the tokens of the prompts, image tokens included."""
    same = sum(one["prompt"] == other["prompt"] for one, other in pairs)
    return _make_row(spec, pairs, "prompt tokens", same=same, passed=same == len(pairs))


def _compare_cache(spec: ParitySpec, pairs: _Pairs) -> ComparisonRow:
    """Compare the plugin's replies with and without the prefix cache."""
    same = sum(other["cold"] == other["warm"] for _, other in pairs)
    cached = sum(other["cached"] for _, other in pairs)
    tokens = sum(len(other["prompt"]) for _, other in pairs)
    passed = cached > 0 and (same == len(pairs) or spec.dtype != "float32")
    row = _make_row(spec, pairs, "warm prefix cache", same=same, passed=passed)
    return replace(row, bound=f"same; {cached / tokens:.0%} cached")


def _measure_distance(spec: ParitySpec, pairs: _Pairs, key: str) -> _Distance:
    """Measure the distance of the engine's rows from the rows of the reference under `key`."""
    differences = _differences([(one[key], other["rows"]) for one, other in pairs])
    largest, mean = float(differences.max()), float(differences.mean())
    if spec.dtype == "float32":
        within = largest <= TOLERANCE
        return _Distance(largest=largest, mean=mean, bound=f"max <= {TOLERANCE:g}", within=within)
    own = _differences([(one["rows"], one["exact"]) for one, _ in pairs])
    max_bound, mean_bound = SPREAD * float(own.max()), SPREAD * float(own.mean())
    ties = all(_has_near_ties(one["rows"], other["rows"], max_bound) for one, other in pairs)
    within = largest <= max_bound and mean <= mean_bound and ties
    bound = f"max, mean <= {max_bound:.2g}, {mean_bound:.2g}"
    return _Distance(largest=largest, mean=mean, bound=bound, within=within)


def _differences(pairs: Sequence[tuple[Any, Any]]) -> Any:
    """Return all absolute differences; infinite if one side gives a token no probability."""
    return torch.cat([(one - other).abs().flatten() for one, other in pairs])


def _has_near_ties(expected: Any, actual: Any, bound: float) -> bool:
    """Return whether the likeliest tokens of `actual` are within `bound` of `expected`'s.

    Both have the shape (steps, tokens of the vocabulary).
    """
    chosen = expected.gather(1, actual.argmax(1, keepdim=True))[:, 0]
    return bool((expected.max(1).values - chosen <= bound).all())


def _count_pictures(result: Mapping[str, Any]) -> int:
    """Count the pictures of a prompt by its image tokens, which have the highest id."""
    tokens: list[int] = result["prompt"]
    return tokens.count(max(tokens)) // _IMAGE_TOKENS


def _make_row(
    spec: ParitySpec,
    pairs: _Pairs,
    what: str,
    *,
    same: int,
    passed: bool,
    distance: _Distance | None = None,
) -> ComparisonRow:
    return ComparisonRow(
        layout=spec.layout,
        dtype=spec.dtype,
        what=what,
        prompts=len(pairs),
        pictures=sum(_count_pictures(one) for one, _ in pairs),
        same=same,
        largest=distance.largest if distance else None,
        mean=distance.mean if distance else None,
        bound=distance.bound if distance else "all the same",
        passed=passed,
    )
