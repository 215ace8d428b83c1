"""A batch of generated cases of consecutive seeds, written as scripts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from scripts_mm.atomic_folder import check_target
from scripts_mm.drawing.primitives.fonts import Fonts, find_any_fonts
from scripts_mm.facts.facts_file import FACTS_FILE
from scripts_mm.generate.case import GeneratedCase, make_case
from scripts_mm.generate.case_writer import write_case
from scripts_mm.generate.render import case_id
from scripts_mm.generate.world import GeneratorOptions
from scripts_mm.script import Language
from scripts_mm.seed_splits import split_of


def write_cases(
    out: Path,
    seeds: range,
    options: GeneratorOptions,
    languages: tuple[Language, ...],
    pictures: Literal["all", "small", "none"],
    *,
    force: bool,
) -> Iterator[dict[str, Any]]:
    """Write one case per seed and yield a summary of each, without its solution.

    Raises ScriptError before the first case if a target folder is refused or a font is missing.
    """
    fonts: dict[Language, Fonts] | None = None
    if pictures != "none":
        fonts = {one: find_any_fonts(one) for one in languages}
    for seed in seeds:
        check_target(out / case_id(seed), FACTS_FILE, force)
    for seed in seeds:
        case = make_case(seed, options, languages)
        write_case(case, out, fonts, small=pictures == "small", force=force)
        yield _summarise(case, is_drawn=fonts is not None)


def _summarise(case: GeneratedCase, *, is_drawn: bool) -> dict[str, Any]:
    proof, frame = case.sampled.proof, case.sampled.world.frame
    return {
        "script": case.id,
        "split": split_of(frame.seed),
        "plot": frame.plot,
        "languages": list(case.rendered),
        "roles": len(frame.suspects),
        "clues": len(frame.clues),
        "pictures": sum(is_drawn and clue.medium != "text" for clue in frame.clues),
        "hops": proof.hops_needed,
        "seats": proof.seats_needed,
    }
