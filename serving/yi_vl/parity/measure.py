"""How far the plugin is from the reference, and what is near enough. Imports torch.

In float32 the greedy tokens are the same and no log-probability of any token at any step differs
by more than `TOLERANCE`. In bfloat16 both sides round, each in its own order, so the measure is
what rounding does to the reference itself: `own`, its distance from itself in float32 along the
same tokens. Two such roundings are at most about twice as far apart: the mean and the largest
difference are to be within `SPREAD` times those of `own`, and where the likeliest token is another
one, the reference has the two within `SPREAD` times the largest of `own`: a near tie.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import torch

from serving.yi_vl.parity.job import Job

TOLERANCE: Final = 2e-2
"""The largest difference of log-probabilities in float32, natural logarithms."""

SPREAD: Final = 2.0
"""How many times its own rounding the reference may be from the plugin in bfloat16."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table."""

    layout: str
    dtype: str
    what: str
    prompts: int
    pictures: int
    same: int
    """Prompts with the same tokens."""
    largest: float | None = None
    """Of all differences of log-probabilities, of every token at every step."""
    mean: float | None = None
    bound: str = ""
    """What was wanted."""
    passed: bool

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        return asdict(self)


def measure(job: Job) -> tuple[Row, ...]:
    """Compare what the two sides of a job have written."""
    reference: list[dict[str, Any]] = torch.load(job.results("reference"), weights_only=True)
    engine: list[dict[str, Any]] = torch.load(job.results("engine"), weights_only=True)
    pairs = tuple(zip(reference, engine, strict=True))
    return (_plugin(job, pairs), _control(job, pairs), _prompts(job, pairs), _cache(job, pairs))


_Pairs = Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Distance:
    """Of two lists of rows: how far apart, and whether it is near enough."""

    largest: float
    mean: float
    bound: str
    near: bool


def _plugin(job: Job, pairs: _Pairs) -> Row:
    """Compare the plugin with the reference."""
    same = sum(one["tokens"] == other["cold"] for one, other in pairs)
    distance = _distance(job, pairs, "rows")
    passed = distance.near and (same == len(pairs) or job.dtype != "float32")
    return _row(job, pairs, "plugin", same=same, distance=distance, passed=passed)


def _control(job: Job, pairs: _Pairs) -> Row:
    """Compare the plugin with a reference without the projector's norms, which must fail."""
    shown = [pair for pair in pairs if _pictures(pair[0])]
    same = sum(one["control"].argmax(1).tolist() == other["cold"] for one, other in shown)
    distance = _distance(job, shown, "control")
    passed = not distance.near and same < len(shown)
    row = _row(job, shown, "no LayerNorms", same=same, distance=distance, passed=passed)
    return replace(row, bound="must fail")


def _prompts(job: Job, pairs: _Pairs) -> Row:
    """Compare the tokens of the prompts, pictures' places included."""
    same = sum(one["prompt"] == other["prompt"] for one, other in pairs)
    return _row(job, pairs, "prompt tokens", same=same, passed=same == len(pairs))


def _cache(job: Job, pairs: _Pairs) -> Row:
    """Compare the plugin with itself from the prefix cache."""
    same = sum(other["cold"] == other["warm"] for _, other in pairs)
    cached = sum(other["cached"] for _, other in pairs)
    whole = sum(len(other["prompt"]) for _, other in pairs)
    share = f"same; {cached / whole:.0%} cached"
    passed = cached > 0 and (same == len(pairs) or job.dtype != "float32")
    row = _row(job, pairs, "warm prefix cache", same=same, passed=passed)
    return replace(row, bound=share)


def _distance(job: Job, pairs: _Pairs, against: str) -> _Distance:
    apart = _apart([(one[against], other["rows"]) for one, other in pairs])
    largest, mean = float(apart.max()), float(apart.mean())
    if job.dtype == "float32":
        near = largest <= TOLERANCE
        return _Distance(largest=largest, mean=mean, bound=f"max <= {TOLERANCE:g}", near=near)
    own = _apart([(one["rows"], one["exact"]) for one, _ in pairs])
    most, usual = SPREAD * float(own.max()), SPREAD * float(own.mean())
    ties = all(_ties(one["rows"], other["rows"], most) for one, other in pairs)
    near = largest <= most and mean <= usual and ties
    bound = f"max, mean <= {most:.2g}, {usual:.2g}"
    return _Distance(largest=largest, mean=mean, bound=bound, near=near)


def _apart(pairs: Sequence[tuple[Any, Any]]) -> Any:
    """Return all differences; a token that one side rules out altogether is infinitely far."""
    return torch.cat([(one - other).abs().flatten() for one, other in pairs])


def _ties(wanted: Any, found: Any, most: float) -> bool:
    """Tell whether each token that is the likeliest in `found` nearly is in `wanted`."""
    chosen = wanted.gather(1, found.argmax(1, keepdim=True))[:, 0]
    return bool((wanted.max(1).values - chosen <= most).all())


def _pictures(one: Mapping[str, Any]) -> int:
    """Return how many pictures a prompt shows: runs of 1,024 equal tokens."""
    tokens: list[int] = one["prompt"]
    return tokens.count(max(tokens)) // 1_024


def _row(
    job: Job,
    pairs: _Pairs,
    what: str,
    *,
    same: int,
    passed: bool,
    distance: _Distance | None = None,
) -> Row:
    return Row(
        layout=job.layout,
        dtype=job.dtype,
        what=what,
        prompts=len(pairs),
        pictures=sum(_pictures(one) for one, _ in pairs),
        same=same,
        largest=distance.largest if distance else None,
        mean=distance.mean if distance else None,
        bound=distance.bound if distance else "all the same",
        passed=passed,
    )
