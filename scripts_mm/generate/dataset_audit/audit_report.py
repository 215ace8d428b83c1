"""The report of the audit, as JSON and as lines."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scripts_mm.generate.dataset_audit.audit_counts import (
    LETTERS,
    AuditCounts,
    clock_shares,
    culprit_positions,
)
from scripts_mm.generate.dataset_audit.statistics import Evenness, Proportion, measure_evenness


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakResult:
    """The hit rate of a leak probe on cases that it was not trained on."""

    reader: str
    language: str
    roles: int
    trained: int
    share: Proportion

    @property
    def is_chance(self) -> bool:
        """Whether the interval contains chance, 1 / roles."""
        return self.share.holds(1 / self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """All results of an audit."""

    tally: AuditCounts
    seconds: float
    """Seconds per case, made in all requested languages and measured, without drawing."""
    drawn: int
    """Number of cases whose pictures were drawn."""
    pictures: int
    seconds_drawing: float
    """Seconds per picture."""
    errors: tuple[str, ...]
    """Findings of the linter, and failed proofs, of the drawn cases."""
    guesses: tuple[LeakResult, ...]


def report_json(report: AuditReport) -> Mapping[str, Any]:
    """Return the results for a file, without skipped parts of the audit."""
    told: dict[str, Any] = {"cases": report.tally.cases}
    if report.tally.cases:
        told |= _case_json(report.tally, report.seconds)
    told["repeated"] = {what: count for what, count in report.tally.repeated.items() if count}
    if report.drawn:
        told |= {
            "drawn_cases": report.drawn,
            "drawn_pictures": report.pictures,
            "seconds_a_picture": round(report.seconds_drawing, 4),
            "lint_errors": report.errors,
        }
    if report.guesses:
        told["guesses"] = [{**asdict(one), "is_chance": one.is_chance} for one in report.guesses]
    return told


def _case_json(tally: AuditCounts, seconds: float) -> Mapping[str, Any]:
    return {
        "seconds_a_case": round(seconds, 4),
        "worlds_drawn": dict(tally.tries),
        "unproved": tally.unproved,
        "solved_with_all": tally.solved,
        "solved_without_pictures": tally.solved_blind,
        "culprit_positions": {
            roles: asdict(one) for roles, one in culprit_positions(tally).items()
        },
        "clock_reader": {
            roles: {**asdict(one), "is_chance": one.holds(1 / roles)}
            for roles, one in clock_shares(tally).items()
        },
        "answer_letters": asdict(_letter_evenness(tally.letters)),
        "length_ranks": asdict(_letter_evenness(tally.ranks)),
        "drawn_answer_letters": asdict(_letter_evenness(tally.drawn_letters)),
        "drawn_length_ranks": asdict(_letter_evenness(tally.drawn_ranks)),
        "right_alone_longest": tally.longest,
        "right_alone_shortest": tally.shortest,
        "questions": dict(tally.questions),
        "option_lengths_apart": dict(sorted(tally.apart.items())),
        "hops": dict(sorted(tally.hops.items())),
        "seats": dict(sorted(tally.seats.items())),
        "texts": tally.texts,
    }


def case_lines(tally: AuditCounts, seconds: float) -> Iterator[str]:
    """Yield the results of the cases as lines; none without cases."""
    if not tally.cases:
        return
    yield f"{tally.cases} cases, {seconds:.4f} s each; worlds drawn {_count_list(tally.tries)}"
    yield f"unproved: {len(tally.unproved)} {tally.unproved[:3]}"
    yield f"solved with everything: {tally.solved}; without pictures: {tally.solved_blind}"
    for roles, one in culprit_positions(tally).items():
        yield f"culprit's position, {roles} roles: {_evenness_line(one)}"
    for roles, share in clock_shares(tally).items():
        share_line = _share_line(share, roles)
        yield f"guess that excludes all whom the first reading fits, {roles} roles: {share_line}"
    count = sum(tally.questions.values())
    yield f"{count} questions: {_count_list(tally.questions)}"
    yield f"letters of correct options: {_share_list(tally.letters)}"
    yield f"correct option by length: {_share_list(tally.ranks)}"
    letters, ranks = (_letter_evenness(one) for one in (tally.drawn_letters, tally.drawn_ranks))
    yield f"letters, one random question per script: {_evenness_line(letters)}"
    yield f"by length, one random question per script: {_evenness_line(ranks)}"
    yield f"correct option the only longest {tally.longest / count:.3f}, shortest " + (
        f"{tally.shortest / count:.3f}; characters apart {_count_list(tally.apart)}"
    )
    yield f"hops: {_count_list(tally.hops)}; seats: {_count_list(tally.seats)}"
    yield f"{tally.texts} texts and pictures, repeated: {_repeat_counts(tally)}"


def picture_line(
    tally: AuditCounts, drawn: int, pictures: int, seconds: float, errors: object
) -> str:
    """Return the results of the drawn cases, as a line."""
    return f"{pictures} pictures of {drawn} cases drawn, {seconds:.3f} s each; " + (
        f"repeated: {_repeat_counts(tally)}; errors: {errors or 'none'}"
    )


def guess_line(guess: LeakResult) -> str:
    """Return the result of a leak probe, as a line."""
    return f"{guess.reader} reader, {guess.language}, trained on {guess.trained}: " + (
        _share_line(guess.share, guess.roles)
    )


def _repeat_counts(tally: AuditCounts) -> str:
    found = {what: number for what, number in tally.repeated.items() if number}
    return str(found or "none")


def _share_line(share: Proportion, roles: int) -> str:
    """Return the share of culprits named, compared with chance, as text."""
    verdict = "chance" if share.holds(1 / roles) else "NOT chance"
    return f"{share.value:.4f} [{share.low:.4f}, {share.high:.4f}] of {share.of}, " + (
        f"chance {1 / roles:.4f}: {verdict}"
    )


def _letter_evenness(counts: Counter[int]) -> Evenness:
    return measure_evenness([counts[at] for at in range(LETTERS)])


def _share_list(counts: Counter[int]) -> str:
    whole = sum(counts.values())
    return " ".join(f"{counts[at] / whole:.4f}" for at in range(LETTERS))


def _evenness_line(one: Evenness) -> str:
    return f"{list(one.counts)}, chi-square {one.square:.2f}, p {one.p:.3f}"


def _count_list(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))
