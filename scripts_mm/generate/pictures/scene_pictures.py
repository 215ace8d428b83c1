"""Pictures of scenes: the stopped clock, a trace, a camera still."""

from collections.abc import Sequence
from random import Random

from scripts_mm.drawing.photos.cctv import CctvSetting, CctvSpec
from scripts_mm.drawing.primitives.cctv_figure import CctvFigure
from scripts_mm.drawing.primitives.paper import Colour
from scripts_mm.generate.id_pools import OUTDOORS
from scripts_mm.generate.pictures.builder import PictureBuilder, PictureDraft
from scripts_mm.generate.pictures.stopped_clock import ClockShape, ClockSpec
from scripts_mm.generate.pictures.trace_photo import TraceSpec
from scripts_mm.generate.text.cast import SKIRTS
from scripts_mm.generate.text.fact_sentences import act_fills
from scripts_mm.generate.text.lexicon import load_book, plot_pool, pool, setting_book
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.world import Sex, WorldFact
from scripts_mm.script import Language

_GROUNDS: tuple[Colour, ...] = (
    (150, 120, 90), (120, 124, 130), (90, 70, 58), (186, 178, 162), (104, 96, 84), (132, 104, 96),
    (96, 108, 100),
)  # fmt: skip
_FACES: tuple[Colour, ...] = (
    (240, 236, 222), (30, 34, 40), (250, 250, 250), (222, 214, 190), (60, 30, 34), (214, 224, 228),
)  # fmt: skip
_CASES: tuple[Colour, ...] = (
    (120, 80, 50), (150, 50, 46), (196, 160, 80), (60, 64, 70), (44, 80, 92), (170, 172, 176),
)  # fmt: skip
_SHOWS: dict[str, tuple[str, ...]] = {
    "heel": ("star", "ring", "cross", "diamond", "bars", "triangle", "crescent", "square"),
    "nails": ("4", "5", "6", "7", "8", "9"),
    "paper": ("swan", "anchor", "lyre", "horseshoe", "crescent", "sun", "bell", "fish"),
    "dust": ("clover", "ring", "heart", "triangle", "square", "eight"),
    "button": ("oak", "anchor", "crown", "rose", "fish", "bell", "sun", "horseshoe"),
    "foot": ("hexagon", "studs", "clover", "square", "star", "ring"),
    "strokes": ("split", "broad", "thin", "blots", "ragged"),
}
"""The drawing for each token of a trace, in the order of the book of traits."""
_SHELVES = {"tall": "6", "middling": "5", "short": "4"}
_STATES = {"cabinet": {"yes": "whole", "no": "bent"}, "notebook": {"yes": "one", "no": "half"}}
_DRESS: tuple[Colour, ...] = (
    (52, 92, 168), (196, 150, 60), (120, 78, 150), (122, 84, 56), (226, 226, 222), (38, 38, 42),
    (70, 170, 176), (220, 130, 60), (34, 46, 84), (226, 160, 176), (232, 220, 190), (82, 58, 44),
)  # fmt: skip
_STRIPED = (6, 11)
_INDOORS: tuple[CctvSetting, ...] = ("corridor", "door")


def build_clock(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return the stopped clock; its reading is the fact."""
    rng = desk.rng
    named = load_book(desk.language, setting_book(desk.frame.setting))["shapes"]
    shapes: list[ClockShape] = named[desk.cast.clocks[0]]
    figures = rng.choice(("arabic", "roman", "bars"))
    askew = 8 if figures == "bars" else 24
    spec = ClockSpec(
        minutes=facts[0].start % 720,
        second=rng.randrange(60),
        shape=rng.choice(shapes),
        figures=figures,
        face=rng.choice(_FACES),
        case=rng.choice(_CASES),
        floor=rng.choice(_GROUNDS),
        boards=rng.random() < 1 / 2,
        turn=round(rng.uniform(-askew, askew), 1),
        cracks=rng.randint(2, 6),
        size=(740 + rng.randint(-20, 20), 740),
    )
    time = format_time(facts[0].start)
    return desk.make_draft("media", (), "clock", spec, time=time, clock=desk.cast.clocks[0])


def build_trace(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a trace at the scene; the mark is the fact."""
    (fact,), rng = facts, desk.rng
    look = desk.cast.looks[fact.trait]
    token = look.tokens.get(fact.value, "")
    label = token if look.form == "wall" else ""
    spec = TraceSpec(
        look=look.form,
        show=trace_token(fact.trait, look.form, (fact.value, token), desk.language),
        label=label,
        card=rng.choice("ABCDEFGHKLMNPRSTUVWX"),
        caption=desk.fill(
            rng.choice(plot_pool(desk.language, desk.frame.plot, "pictures", "trace", "caption")),
            n=str(rng.randint(2, 99)),
        ),
        ground=rng.choice(_GROUNDS),
        boards=rng.random() < 1 / 2,
        turn=round(rng.uniform(-20, 20), 1),
        seed=rng.randrange(1 << 30),
        size=(820 + rng.randint(-20, 20), 680 + rng.randint(-10, 20)),
    )
    more = {
        "mark": desk.phrase_fact(fact),
        **act_fills(fact.crime, desk.frame, desk.cast, desk.language),
    }
    return desk.make_draft("media", (spec.card, label, spec.caption), "trace", spec, **more)


def build_cctv(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a camera still of a person and the times in view; others are out of view."""
    (fact,), rng, cast = facts, desk.rng, desk.cast
    dress = cast.dress[fact.who]
    sex: Sex = next(one.sex for one in desk.frame.suspects if one.id == fact.who)
    outside = fact.place in OUTDOORS.get(desk.frame.setting, ())
    where: CctvSetting = "yard" if outside else rng.choice(_INDOORS)
    vanish = (round(rng.uniform(0.42, 0.6), 3), round(rng.uniform(0.3, 0.36), 3))
    label = cast.labels[fact.place]
    camera = desk.fill_first(
        "cctv", "camera", n=str(rng.randint(1, 24)), label=f"{label} {desk.full_date()}"
    )
    span = desk.fact_hours(fact)
    spec = CctvSpec(
        camera=camera,
        stamp=desk.fill_first("cctv", "stamp", **span),
        note=desk.fill_first("cctv", "note", who=cast.names[fact.who]),
        figures=(_sample_figure((dress, sex), where, Random(f"{cast.file}/{fact.who}"), rng),),
        setting=where,
        wall=_vary_colour((150, 152, 146), rng),
        floor=_vary_colour((104, 98, 92), rng),
        door=_vary_colour((110, 84, 62), rng),
        tint=_vary_colour((206, 222, 214), rng),
        grey=round(rng.uniform(0.12, 0.3), 2),
        grain=round(rng.uniform(0.14, 0.24), 2),
        vanish=vanish,
    )
    words = pool(desk.language, "pictures", "dress")[dress]
    more = {**span, "who": cast.names[fact.who], "at": cast.at[fact.place], "dress": words}
    return desk.make_draft("media", (camera, "REC", spec.note, spec.stamp), "cctv", spec, **more)


def trace_token(trait: str, look: str, found: tuple[str, str], language: Language) -> str:
    """Return the language-independent token of the drawing of a trait's trace.

    `found` is the value of the trait and the mark of the trace; the mark is empty if the look has
    none.
    """
    value, token = found
    if look in _SHOWS:
        tokens = load_book(language, "traits")[trait]["looks"][look]["t"]
        return _SHOWS[look][list(tokens).index(token)]
    if look in _STATES:
        return _STATES[look][value]
    if look == "shelf":
        return _SHELVES[value]
    return "".join(filter(str.isdigit, token)) if look == "wall" else value


def _sample_figure(
    who: tuple[int, Sex], where: CctvSetting, person: Random, rng: Random
) -> CctvFigure:
    """Return a figure of medium height with empty hands, in its clothes."""
    dress, sex = who
    low = 0.85 if where == "door" else rng.uniform(0.78, 0.9)
    hair: Colour = person.choice(((46, 38, 34), (96, 74, 50), (150, 146, 140), (30, 28, 30)))
    return CctvFigure(
        at=(round(rng.uniform(0.36, 0.62), 3), round(low, 3)),
        height=round(rng.uniform(0.5, 0.6), 3),
        coat=_DRESS[dress],
        trousers=person.choice(((52, 54, 64), (84, 74, 62), (40, 44, 60), (100, 98, 92))),
        skirt=dress in SKIRTS,
        stripe=(236, 234, 220) if dress in _STRIPED else None,
        hair=person.choice(("long", "bun")) if sex == "f" else "short",
        hair_colour=hair,
        away=rng.random() < 1 / 3,
    )


def _vary_colour(colour: Colour, rng: Random) -> Colour:
    red, green, blue = (max(0, min(255, part + rng.randint(-18, 18))) for part in colour)
    return red, green, blue
