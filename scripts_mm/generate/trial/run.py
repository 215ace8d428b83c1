"""The parts of the trial: cases made, drawn, and read by those who only count words."""

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from scripts_mm.drawing.fonts import Fonts, some_fonts
from scripts_mm.facts.files import load_facts
from scripts_mm.facts.proof import prove
from scripts_mm.files import load_script
from scripts_mm.generate.case import Case, cast_of, make_case
from scripts_mm.generate.draw import draw_world
from scripts_mm.generate.options import ROLES, options_of
from scripts_mm.generate.told import tell
from scripts_mm.generate.trial.bags import candidate_bag, whole_bag
from scripts_mm.generate.trial.leak import Bag, Vocabulary, hits, train
from scripts_mm.generate.trial.measures import Tally, count_case, note_repeats
from scripts_mm.generate.trial.report import Guess
from scripts_mm.generate.trial.statistics import wilson
from scripts_mm.generate.world import Difficulty, Options
from scripts_mm.generate.writing import write_case
from scripts_mm.linting import lint
from scripts_mm.script import LANGUAGES, Language

_DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


def options_for(seed: int) -> Options:
    """Return the options of the trial's case of `seed`: all sizes and difficulties in turn."""
    roles = ROLES[seed % len(ROLES)]
    return options_of(_DIFFICULTIES[seed // len(ROLES) % len(_DIFFICULTIES)], roles)


def count_cases(tally: Tally, seeds: Iterable[int]) -> float:
    """Make and count the cases of `seeds`, no picture drawn; return the seconds that one takes."""
    start, before = time.perf_counter(), tally.cases
    for seed in seeds:
        count_case(tally, make_case(seed, options_for(seed)))
    return (time.perf_counter() - start) / max(tally.cases - before, 1)


def draw_cases(tally: Tally, seeds: Sequence[int]) -> tuple[int, float, tuple[str, ...]]:
    """Draw, write and read again the cases of `seeds`, their languages in turn.

    Pictures of equal bytes are noted in `tally`. Returns the pictures, the seconds that writing
    took for each, and what was wrong: findings of lint that are more than information, and proofs
    of what was read that fail.
    """
    fonts: dict[Language, Fonts] = {one: some_fonts(one) for one in LANGUAGES if seeds}
    pictures, seconds, errors = 0, 0.0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            case = make_case(seed, options_for(seed), (LANGUAGES[seed % len(LANGUAGES)],))
            start = time.perf_counter()
            written = write_case(case, Path(folder), fonts)
            seconds += time.perf_counter() - start
            found = [path.read_bytes() for path in sorted(written.rglob("*.png"))]
            note_repeats(tally, (("bytes", data) for data in found))
            pictures += len(found)
            errors += _faults(case, written)
            shutil.rmtree(written)
    return pictures, seconds / max(pictures, 1), tuple(errors)


def guesses(language: Language, roles: int, first: int, count: int) -> Iterator[Guess]:
    """Yield how well word counters, trained on the first half of `count` cases, do on the rest."""
    words, whole = Vocabulary(), Vocabulary()
    near: list[Bag] = []
    far: list[Bag] = []
    for seed in range(first, first + count):
        drawn = draw_world(seed, options_of("medium", roles))
        told = tell(drawn, cast_of(drawn, language), language, ())
        near.append(candidate_bag(told, drawn.world, words))
        far.append(whole_bag(told, drawn.world, whole))
    cut = count // 2
    for reader, bags in (("candidate", near), ("whole text", far)):
        model = train(bags[:cut])
        share = wilson(hits(model, bags[cut:]), count - cut)
        yield Guess(reader=reader, language=language, roles=roles, trained=cut, share=share)


def _faults(case: Case, folder: Path) -> Iterator[str]:
    table = load_facts(folder)
    if table is None:
        yield f"{folder.name}: no fact table"
        return
    yield from (f"{folder.name}: {one}" for one in prove(table).problems)
    for language in case.told:
        for one in lint(load_script(folder / language)):
            if one.severity != "info":
                yield f"{folder.name}/{language}: {one.code} at {one.place}: {one.detail}"
