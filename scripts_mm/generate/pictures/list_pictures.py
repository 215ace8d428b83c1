"""Pictures of lists of the suspects with a trait of each: printed, in a register, on a board."""

from collections.abc import Sequence

from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.register_page import Pen, RegisterPageSpec
from scripts_mm.drawing.primitives.paper import Colour
from scripts_mm.generate.pictures.builder import (
    PictureBuilder,
    PictureDraft,
    four_cells,
    initials,
)
from scripts_mm.generate.text.lexicon import pool
from scripts_mm.generate.world import WorldFact

_CROWDED = 6
"""From this many names a list is drawn as a printed log, which has more room."""
_PAPERS: tuple[Colour, ...] = ((240, 234, 214), (232, 236, 230), (244, 238, 226), (236, 226, 204))
_INKS: tuple[Colour, ...] = ((34, 42, 92), (44, 40, 40), (70, 40, 84))


def build_roster(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a list of all suspects with the value of one trait."""
    rng, trait = desk.rng, facts[0].trait
    title = pool(desk.language, "pictures", "roster", "titles", trait)[0]
    owner = desk.pick_word("roster", "owner")
    rows = [
        (desk.cast.names[one.who],
         pool(desk.language, "traits", trait, "values", one.value, "cell")[0])
        for one in facts
    ]  # fmt: skip
    told = desk.join_parts(f"{name} - {cell}" for name, cell in rows)
    head = four_cells(pool(desk.language, "pictures", "roster", "head"))
    look = rng.choice(("print", "book", "list"))
    if look == "book":
        return _build_register(desk, (title, owner), head, rows)
    if len(rows) >= _CROWDED or look == "print":
        marks = [initials(name) for name, _ in rows]
        table = tuple(
            (str(at), name, cell, mark)
            for at, ((name, cell), mark) in enumerate(zip(rows, marks, strict=True), 1)
        )
        spec = PrintedLogSpec(
            title=title,
            subtitle=owner,
            head=head,
            rows=table,
            columns=(84, 150, 460, 640),
            size=(800 + rng.randint(-6, 30), 330 + 44 * len(rows) + rng.randint(0, 60)),
            angle=round(rng.uniform(-3, 3), 2),
        )
        texts = (title, owner, "  ".join(head), *("  ".join(row) for row in table))
        return desk.make_draft("text", texts, "roster", spec, title=title, rows=told)
    listed = ChecklistSpec(
        title=title,
        owner=owner,
        entries=tuple(
            ChecklistEntry(time=f"{at}.", text=f"{name}: {cell}")
            for at, (name, cell) in enumerate(rows, 1)
        ),
        text_size=29 + rng.randint(-1, 2),
        size=(780 + rng.randint(-20, 40), 470 + 62 * len(rows) + rng.randint(0, 80)),
        angle=round(rng.uniform(-3, 3), 2),
    )
    texts = (title, owner, *(f"{one.time} {one.text}" for one in listed.entries))
    return desk.make_draft("text", texts, "roster", listed, title=title, rows=told)


def _build_register(
    desk: PictureBuilder,
    titles: tuple[str, str],
    head: Sequence[str],
    rows: Sequence[tuple[str, str]],
) -> PictureDraft:
    """Return the list as a page of a register, filled in by two hands."""
    rng, (title, owner) = desk.rng, titles
    inks = rng.sample(_INKS, 2)
    table = tuple((str(at), name, cell) for at, (name, cell) in enumerate(rows, 1))
    spec = RegisterPageSpec(
        title=title,
        subtitle=owner,
        head=tuple(head[:3]),
        rows=table,
        columns=(40, 110, 440),
        pens=tuple(Pen(ink=ink, slant=round(rng.uniform(-0.1, 0.25), 2)) for ink in inks),
        kind=rng.choice(("form", "book")),
        paper=rng.choice(_PAPERS),
        size=(800 + rng.randint(-6, 30), 330 + 50 * len(rows) + rng.randint(0, 60)),
        angle=round(rng.uniform(-3, 3), 2),
    )
    texts = (title, owner, "  ".join(spec.head), *("  ".join(row) for row in table))
    told = desk.join_parts(f"{name} - {cell}" for name, cell in rows)
    return desk.make_draft("text", texts, "roster", spec, title=title, rows=told)
