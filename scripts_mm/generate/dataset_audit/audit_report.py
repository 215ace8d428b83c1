"""The trial's figures as one value to write, and as lines to read."""

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
    """How often a reader that only counts words names the culprit of cases it was not shown."""

    reader: str
    language: str
    roles: int
    trained: int
    share: Proportion

    @property
    def is_chance(self) -> bool:
        """Whether the interval contains one in so many roles."""
        return self.share.holds(1 / self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditReport:
    """All figures of a trial."""

    tally: AuditCounts
    seconds: float
    """A case made, told in all languages asked for and measured; nothing drawn."""
    drawn: int
    """Cases whose pictures were drawn."""
    pictures: int
    seconds_drawing: float
    """A picture."""
    errors: tuple[str, ...]
    """What lint has against the drawn cases."""
    guesses: tuple[LeakResult, ...]


def report_json(report: AuditReport) -> Mapping[str, Any]:
    """Return the figures for a file; a part of the trial that was left out has none."""
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
    """Yield the figures of the cases that were made as lines; none where none was made."""
    if not tally.cases:
        return
    yield f"{tally.cases} cases, {seconds:.4f} s each; worlds drawn {_count_list(tally.tries)}"
    yield f"unproved: {len(tally.unproved)} {tally.unproved[:3]}"
    yield f"solved with everything: {tally.solved}; without pictures: {tally.solved_blind}"
    for roles, one in culprit_positions(tally).items():
        yield f"culprit's position, {roles} roles: {_evenness_line(one)}"
    for roles, share in clock_shares(tally).items():
        share_line = _share_line(share, roles)
        yield f"who drops all whom the first reading fits, {roles} roles: {share_line}"
    count = sum(tally.questions.values())
    yield f"{count} questions: {_count_list(tally.questions)}"
    yield f"letters of right options: {_share_list(tally.letters)}"
    yield f"right option by length: {_share_list(tally.ranks)}"
    letters, ranks = (_letter_evenness(one) for one in (tally.drawn_letters, tally.drawn_ranks))
    yield f"letters, one question drawn of each script: {_evenness_line(letters)}"
    yield f"by length, one question drawn of each script: {_evenness_line(ranks)}"
    yield f"right option alone longest {tally.longest / count:.3f}, shortest " + (
        f"{tally.shortest / count:.3f}; characters apart {_count_list(tally.apart)}"
    )
    yield f"hops: {_count_list(tally.hops)}; seats: {_count_list(tally.seats)}"
    yield f"{tally.texts} texts and pictures, repeated: {_repeat_counts(tally)}"


def picture_line(
    tally: AuditCounts, drawn: int, pictures: int, seconds: float, errors: object
) -> str:
    """Return the figures of the cases that were drawn, as a line."""
    return f"{pictures} pictures of {drawn} cases drawn, {seconds:.3f} s each; " + (
        f"repeated: {_repeat_counts(tally)}; errors: {errors or 'none'}"
    )


def guess_line(guess: LeakResult) -> str:
    """Return how well a reader did, as a line."""
    return f"{guess.reader} reader, {guess.language}, trained on {guess.trained}: " + (
        _share_line(guess.share, guess.roles)
    )


def _repeat_counts(tally: AuditCounts) -> str:
    found = {what: number for what, number in tally.repeated.items() if number}
    return str(found or "none")


def _share_line(share: Proportion, roles: int) -> str:
    """Tell a share of culprits named beside that of mere guesses."""
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
