"""The trial's figures as one value to write, and as lines to read."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from scripts_mm.generate.trial.measures import LETTERS, Tally, clock_shares, positions
from scripts_mm.generate.trial.statistics import Evenness, Share, evenness


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """How often a reader that only counts words names the culprit of cases it was not shown."""

    reader: str
    language: str
    roles: int
    trained: int
    share: Share

    @property
    def is_chance(self) -> bool:
        """Whether the interval contains one in so many roles."""
        return self.share.holds(1 / self.roles)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All figures of a trial."""

    tally: Tally
    seconds: float
    """A case made, told in all languages asked for and measured; nothing drawn."""
    drawn: int
    """Cases whose pictures were drawn."""
    pictures: int
    seconds_drawing: float
    """A picture."""
    errors: tuple[str, ...]
    """What lint has against the drawn cases."""
    guesses: tuple[Guess, ...]


def as_json(report: Report) -> Mapping[str, Any]:
    """Return the figures for a file; a part of the trial that was left out has none."""
    told: dict[str, Any] = {"cases": report.tally.cases}
    if report.tally.cases:
        told |= _of_cases(report.tally, report.seconds)
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


def _of_cases(tally: Tally, seconds: float) -> Mapping[str, Any]:
    return {
        "seconds_a_case": round(seconds, 4),
        "worlds_drawn": dict(tally.tries),
        "unproved": tally.unproved,
        "solved_with_all": tally.solved,
        "solved_without_pictures": tally.solved_blind,
        "culprit_positions": {roles: asdict(one) for roles, one in positions(tally).items()},
        "clock_reader": {
            roles: {**asdict(one), "is_chance": one.holds(1 / roles)}
            for roles, one in clock_shares(tally).items()
        },
        "answer_letters": asdict(_letters(tally.letters)),
        "length_ranks": asdict(_letters(tally.ranks)),
        "drawn_answer_letters": asdict(_letters(tally.drawn_letters)),
        "drawn_length_ranks": asdict(_letters(tally.drawn_ranks)),
        "right_alone_longest": tally.longest,
        "right_alone_shortest": tally.shortest,
        "questions": dict(tally.questions),
        "option_lengths_apart": dict(sorted(tally.apart.items())),
        "hops": dict(sorted(tally.hops.items())),
        "seats": dict(sorted(tally.seats.items())),
        "texts": tally.texts,
    }


def case_lines(tally: Tally, seconds: float) -> Iterator[str]:
    """Yield the figures of the cases that were made as lines; none where none was made."""
    if not tally.cases:
        return
    yield f"{tally.cases} cases, {seconds:.4f} s each; worlds drawn {_told(tally.tries)}"
    yield f"unproved: {len(tally.unproved)} {tally.unproved[:3]}"
    yield f"solved with everything: {tally.solved}; without pictures: {tally.solved_blind}"
    for roles, one in positions(tally).items():
        yield f"culprit's position, {roles} roles: {_even(one)}"
    for roles, share in clock_shares(tally).items():
        yield f"who drops all whom the first reading fits, {roles} roles: {_beside(share, roles)}"
    count = sum(tally.questions.values())
    yield f"{count} questions: {_told(tally.questions)}"
    yield f"letters of right options: {_shares(tally.letters)}"
    yield f"right option by length: {_shares(tally.ranks)}"
    yield f"letters, one question drawn of each script: {_even(_letters(tally.drawn_letters))}"
    yield f"by length, one question drawn of each script: {_even(_letters(tally.drawn_ranks))}"
    yield f"right option alone longest {tally.longest / count:.3f}, shortest " + (
        f"{tally.shortest / count:.3f}; characters apart {_told(tally.apart)}"
    )
    yield f"hops: {_told(tally.hops)}; seats: {_told(tally.seats)}"
    yield f"{tally.texts} texts and pictures, repeated: {_repeated(tally)}"


def picture_line(tally: Tally, drawn: int, pictures: int, seconds: float, errors: object) -> str:
    """Return the figures of the cases that were drawn, as a line."""
    return f"{pictures} pictures of {drawn} cases drawn, {seconds:.3f} s each; " + (
        f"repeated: {_repeated(tally)}; errors: {errors or 'none'}"
    )


def guess_line(guess: Guess) -> str:
    """Return how well a reader did, as a line."""
    return f"{guess.reader} reader, {guess.language}, trained on {guess.trained}: " + (
        _beside(guess.share, guess.roles)
    )


def _repeated(tally: Tally) -> str:
    found = {what: number for what, number in tally.repeated.items() if number}
    return str(found or "none")


def _beside(share: Share, roles: int) -> str:
    """Tell a share of culprits named beside that of mere guesses."""
    verdict = "chance" if share.holds(1 / roles) else "NOT chance"
    return f"{share.value:.4f} [{share.low:.4f}, {share.high:.4f}] of {share.of}, " + (
        f"chance {1 / roles:.4f}: {verdict}"
    )


def _letters(counts: Counter[int]) -> Evenness:
    return evenness([counts[at] for at in range(LETTERS)])


def _shares(counts: Counter[int]) -> str:
    whole = sum(counts.values())
    return " ".join(f"{counts[at] / whole:.4f}" for at in range(LETTERS))


def _even(one: Evenness) -> str:
    return f"{list(one.counts)}, chi-square {one.square:.2f}, p {one.p:.3f}"


def _told(counts: Mapping[Any, int]) -> str:
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items()))
