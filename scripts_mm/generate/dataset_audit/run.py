"""The parts of the audit: count cases, draw cases, run leak probes."""

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import get_args

from scripts_mm.drawing.primitives.fonts import Fonts, find_any_fonts
from scripts_mm.facts.facts_file import load_facts
from scripts_mm.facts.proof import prove
from scripts_mm.generate.case import GeneratedCase, make_case, make_cast
from scripts_mm.generate.case_writer import write_case
from scripts_mm.generate.dataset_audit.audit_counts import AuditCounts, count_case, count_repeats
from scripts_mm.generate.dataset_audit.audit_report import LeakResult
from scripts_mm.generate.dataset_audit.features import candidate_features, whole_case_features
from scripts_mm.generate.dataset_audit.leak_probe import (
    CaseFeatures,
    FeatureVocabulary,
    count_hits,
    train_probe,
)
from scripts_mm.generate.dataset_audit.statistics import wilson_interval
from scripts_mm.generate.options import ROLES, make_options
from scripts_mm.generate.render import render_case
from scripts_mm.generate.sampler import sample_world
from scripts_mm.generate.world import Difficulty, GeneratorOptions
from scripts_mm.linting import lint
from scripts_mm.script import LANGUAGES, Language
from scripts_mm.script_folder import load_script

_DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)


def options_for(seed: int, plot: str | None = None) -> GeneratorOptions:
    """Return the options of the audit's case of `seed`: all sizes and difficulties in turn."""
    roles = ROLES[seed % len(ROLES)]
    return make_options(_DIFFICULTIES[seed // len(ROLES) % len(_DIFFICULTIES)], roles, plot=plot)


def count_cases(tally: AuditCounts, seeds: Iterable[int], plot: str | None = None) -> float:
    """Make and count the cases of `seeds` without drawing; return the seconds per case."""
    start, before = time.perf_counter(), tally.cases
    for seed in seeds:
        count_case(tally, make_case(seed, options_for(seed, plot)))
    return (time.perf_counter() - start) / max(tally.cases - before, 1)


def draw_cases(
    tally: AuditCounts, seeds: Sequence[int], plot: str | None = None
) -> tuple[int, float, tuple[str, ...]]:
    """Draw, write and read again the cases of `seeds`, in alternating languages.

    Pictures of equal bytes are counted in `tally`. Returns the number of pictures, the seconds of
    writing per picture, and the errors: findings above `info`, and failed proofs.
    """
    fonts: dict[Language, Fonts] = {one: find_any_fonts(one) for one in LANGUAGES if seeds}
    pictures, seconds, errors = 0, 0.0, list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            case = make_case(seed, options_for(seed, plot), (LANGUAGES[seed % len(LANGUAGES)],))
            start = time.perf_counter()
            written = write_case(case, Path(folder), fonts)
            seconds += time.perf_counter() - start
            found = [path.read_bytes() for path in sorted(written.rglob("*.png"))]
            count_repeats(tally, (("bytes", data) for data in found))
            pictures += len(found)
            errors += _case_faults(case, written)
            shutil.rmtree(written)
    return pictures, seconds / max(pictures, 1), tuple(errors)


def run_leak_probes(
    language: Language, roles: int, seeds: range, plot: str | None = None
) -> Iterator[LeakResult]:
    """Yield the results of leak probes trained on the first half of the cases of `seeds`."""
    words, whole = FeatureVocabulary(), FeatureVocabulary()
    near: list[CaseFeatures] = []
    far: list[CaseFeatures] = []
    count = len(seeds)
    for seed in seeds:
        drawn = sample_world(seed, make_options("medium", roles, plot=plot))
        told = render_case(drawn, make_cast(drawn, language), language, ())
        near.append(candidate_features(told, drawn.world, words))
        far.append(whole_case_features(told, drawn.world, whole))
    cut = count // 2
    for reader, bags in (("candidate", near), ("whole text", far)):
        model = train_probe(bags[:cut])
        share = wilson_interval(count_hits(model, bags[cut:]), count - cut)
        yield LeakResult(reader=reader, language=language, roles=roles, trained=cut, share=share)


def _case_faults(case: GeneratedCase, folder: Path) -> Iterator[str]:
    table = load_facts(folder)
    if table is None:
        yield f"{folder.name}: no fact table"
        return
    yield from (f"{folder.name}: {one}" for one in prove(table).problems)
    for language in case.rendered:
        for one in lint(load_script(folder / language)):
            if one.severity != "info":
                yield f"{folder.name}/{language}: {one.code} at {one.place}: {one.detail}"
