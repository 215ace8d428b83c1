"""Pictures of findings: the examiner's report, and typed sheets of a laboratory."""

from collections.abc import Sequence

from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec, WornLetter
from scripts_mm.drawing.primitives.ink import Stamp
from scripts_mm.drawing.primitives.paper import Colour
from scripts_mm.generate.pictures.builder import PictureBuilder, PictureDraft, initials
from scripts_mm.generate.text.lexicon import pool
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.world import WorldFact
from scripts_mm.script import Language

WHOLE_TYPE = WornLetter(sign="", cut=(0, 0, 0, 0))
"""A typewriter without a broken letter."""
SHEETS: tuple[Colour, ...] = ((236, 228, 206), (228, 232, 228), (240, 236, 224), (224, 216, 200))
_CAUSE: dict[Language, str] = {"en": "{Victim} {method}.", "zh": "{victim}{method}。"}
"""The first finding."""
_STAMPS: tuple[Colour, ...] = ((150, 30, 40), (40, 70, 130), (60, 90, 60))


def build_report(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return the examiner's report; a finding relates the time of the crime to the reading."""
    rng, cast, frame = desk.rng, desk.cast, desk.frame
    said = desk.phrase_fact(facts[0])
    labels = pool(desk.language, "pictures", "report", "labels")
    entries = (
        cast.names["victim"], cast.places[frame.body], format_time(frame.found),
        format_time(frame.alive),
        desk.full_date(),
    )  # fmt: skip
    more = [desk.fill(one) for one in rng.sample(_report_findings(desk), 2)]
    findings = [desk.fill(_CAUSE[desk.language]), desk.fill("{finding}"), *more]
    findings.insert(rng.randint(2, 4), said)
    spec = ReportFormSpec(
        office=desk.pick_word("report", "office"),
        title=desk.pick_word("report", "title"),
        fields=tuple(zip(labels, entries, strict=True)),
        heading=desk.pick_word("report", "heading"),
        findings=tuple(findings),
        signed=desk.pick_word("report", "signed"),
        signature=cast.examiner if desk.language == "zh" else initials(cast.examiner, " "),
        stamp=desk.fill_lines("report", "stamp"),
        text_size=(23 if desk.language == "zh" else 20) + rng.randint(-1, 1),
        size=(800 + rng.randint(-10, 30), 940 + rng.randint(-10, 50)),
        angle=round(rng.uniform(-2.4, 2.4), 2),
    )
    texts = (
        spec.office, spec.title, *(f"{label}: {entry}" for label, entry in spec.fields),
        spec.heading, *(f"{at}. {one}" for at, one in enumerate(findings, 1)), spec.signed,
        spec.signature, *spec.stamp,
    )  # fmt: skip
    return desk.make_draft("text", texts, "report", spec, tie=said)


def _report_findings(desk: PictureBuilder) -> tuple[str, ...]:
    return pool(desk.language, "pictures", "report", "findings")


def build_lab(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a laboratory's sheet with the only fact as one of its results."""
    rng, said = desk.rng, desk.phrase_fact(facts[0])
    others = rng.sample(pool(desk.language, "pictures", "lab", "results"), 2)
    results = [desk.fill(one) for one in others]
    results.insert(rng.randint(0, 2), said)
    numbered = tuple(f"{at}. {one}" for at, one in enumerate(results, 1))
    spec = TypescriptSpec(
        heading=desk.pick_word("lab", "heading"),
        body=(desk.pick_word("lab", "intro"), *numbered),
        worn=WHOLE_TYPE,
        signature=desk.cast.examiner
        if desk.language == "zh"
        else initials(desk.cast.examiner, " "),
        stamp=Stamp(
            lines=desk.fill_lines("report", "stamp"),
            colour=rng.choice(_STAMPS),
            angle=round(rng.uniform(-12, 12), 1),
        ),
        text_size=26 + rng.randint(-2, 1),
        colour=rng.choice(SHEETS),
        age=round(rng.uniform(0.2, 0.7), 2),
        creases=(0.5,) if rng.random() < 1 / 2 else (),
        size=(800 + rng.randint(-20, 30), 940 + rng.randint(-20, 30)),
        angle=round(rng.uniform(-2.4, 2.4), 2),
    )
    texts = (spec.heading, *spec.body, spec.signature, *desk.fill_lines("report", "stamp"))
    return desk.make_draft("text", texts, "lab", spec, fact=said)
