"""Pictures of documents: their texts, handwriting and paper."""

from collections.abc import Sequence

from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec
from scripts_mm.drawing.documents.typescript import TypescriptSpec
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec
from scripts_mm.generate.pictures.builder import PictureBuilder, PictureDraft, four_cells
from scripts_mm.generate.pictures.call_list import CallDirection, CallEntry, CallListSpec
from scripts_mm.generate.pictures.finding_pictures import SHEETS, WHOLE_TYPE
from scripts_mm.generate.text.lexicon import load_book, pairs, pool, setting_book
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.world import WorldFact

_WOODS = ((96, 70, 50), (70, 62, 58), (128, 96, 66), (60, 66, 74), (112, 88, 92))
_SLIPS = ((243, 240, 230), (236, 240, 244), (248, 236, 226), (238, 242, 228), (250, 248, 220))
_MIDNIGHT = 24 * 60
_TYPED = 0.35
"""Share of typed letters."""


def build_letter(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a letter from a member of the staff that states the only fact."""
    said, rng, zh = desk.phrase_fact(facts[0]), desk.rng, desk.language == "zh"
    body = (desk.pick_word("letter", "before"), said, desk.pick_word("letter", "after"))
    name, _ = desk.witness
    if rng.random() < _TYPED:
        return _build_typed_letter(desk, body, said)
    spec = LetterSpec(
        greeting=desk.pick_word("letter", "greeting"),
        body=body,
        signature=name if zh else name[:1] + ". " + name.split(" ")[-1],
        mark=desk.pick_word("letter", "mark"),
        text_size=(38 if zh else 36) + rng.randint(-2, 1),
        leading=(62 if zh else 52) + rng.randint(-2, 2),
        slant=round(rng.uniform(-0.42, 0.28), 2),
        size=(760 + rng.randint(-20, 40), 960 + rng.randint(-20, 40)),
        angle=round(rng.uniform(-3.4, 3.4), 2),
    )
    texts = (spec.mark, spec.greeting, *body, spec.signature)
    return desk.make_draft("text", texts, "letter", spec, fact=said)


def _build_typed_letter(
    desk: PictureBuilder, body: tuple[str, str, str], said: str
) -> PictureDraft:
    rng, (name, _) = desk.rng, desk.witness
    spec = TypescriptSpec(
        heading=desk.pick_word("letter", "greeting"),
        body=body,
        worn=WHOLE_TYPE,
        signature=name,
        corner=desk.pick_word("letter", "mark"),
        text_size=28 + rng.randint(-2, 2),
        colour=rng.choice(SHEETS),
        age=round(rng.uniform(0.1, 0.8), 2),
        creases=rng.choice(((), (0.5,), (0.34, 0.67))),
        size=(780 + rng.randint(-20, 40), 860 + rng.randint(-20, 60)),
        angle=round(rng.uniform(-3, 3), 2),
        table=rng.choice(_WOODS),
    )
    texts = (spec.corner, spec.heading, *body, spec.signature)
    return desk.make_draft("text", texts, "letter", spec, fact=said)


def build_note(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return an unsigned message with the only fact."""
    rng, said = desk.rng, desk.phrase_fact(facts[0])
    body = (desk.pick_word("note", "before"), said, desk.pick_word("note", "after"))
    spec = TypescriptSpec(
        heading="",
        body=body,
        worn=WHOLE_TYPE,
        text_size=32 + rng.randint(-2, 2),
        colour=rng.choice(SHEETS),
        age=round(rng.uniform(0.5, 0.9), 2),
        creases=(0.34, 0.67),
        size=(760 + rng.randint(-20, 40), 620 + rng.randint(-20, 60)),
        angle=round(rng.uniform(-6, 6), 2),
        table=rng.choice(_WOODS),
    )
    return desk.make_draft("text", body, "note", spec, fact=said)


def build_chat(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a chat of two members of the staff; the telephone's owner states the only fact."""
    said, rng = desk.phrase_fact(facts[0]), desk.rng
    lines = (
        (desk.pick_word("chat", "open"), True),
        (desk.pick_word("chat", "reply"), False),
        (said, True),
        (desk.pick_word("chat", "react"), False),
        (desk.pick_word("chat", "end"), True),
    )
    pauses = [rng.randint(1, 3) for _ in lines]
    later = rng.randint(2, 40)
    start = _clamp_to_today(desk.frame.found + rng.randint(15, 90), sum(pauses) + later)
    messages: list[ChatMessage] = []
    for (text, own), pause in zip(lines, pauses, strict=True):
        start += pause
        messages.append(ChatMessage(time=format_time(start), text=text, own=own))
    spec = ChatScreenSpec(
        clock=format_time(start + later),
        contact=desk.cast.staff[-1][0] if desk.witness != desk.cast.staff[-1] else desk.cast.caller,
        day=desk.pick_word("chat", "day"),
        messages=tuple(messages),
        field=desk.pick_word("chat", "field"),
        size=(620 + rng.randint(-20, 30), 860 + rng.randint(-10, 60)),
    )
    texts = (spec.clock, spec.contact, spec.day, *(f"{m.time} {m.text}" for m in messages))
    return desk.make_draft("text", (*texts, spec.field), "chat", spec, fact=said)


def build_invoice(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return the bill of a shop or laundry that the only fact, a red herring, left behind.

    What is written on it below is what such a firm would note on its bill.
    """
    (fact,), rng, language = facts, desk.rng, desk.language
    who = {"who": desk.cast.names[fact.who], **desk.cast.pronouns[fact.who]}
    book = load_book(language, "life")["herrings"][fact.value]
    said = desk.fill(rng.choice(pool(language, "life", "herrings", fact.value, "bill")), **who)
    firm, trade = rng.choice(pairs(language, "pictures", "invoice", "firms", book["trade"]))
    wares = rng.sample(pool(language, "pictures", "invoice", "wares", book["trade"]), 2)
    rows: list[tuple[str, str, str, str]] = []
    total = 0
    for name in (*wares[:1], book["item"], *wares[1:]):
        count, price = rng.randint(1, 3), rng.randint(2, 60)
        total += count * price
        rows.append((str(count), name, str(price), str(count * price)))
    street = desk.pick_word("invoice", "streets")
    spec = InvoiceSpec(
        firm=firm,
        trade=trade,
        address=desk.fill_first("invoice", "street", n=str(rng.randint(2, 88)), street=street),
        number=desk.fill_first("invoice", "number", no=str(rng.randint(1000, 99999))),
        date=desk.cast.date,
        customer=desk.fill_lines("invoice", "customer", **who),
        head=four_cells(pool(language, "pictures", "invoice", "head")),
        rows=tuple(rows),
        total=(desk.pick_word("invoice", "total"), str(total)),
        received=desk.pick_word("invoice", "received"),
        stamp=desk.fill_lines("invoice", "stamp"),
        remark=(said,),
        remark_size=(29 if language == "zh" else 27) + rng.randint(-1, 1),
        size=(780 + rng.randint(-20, 30), 1090 + rng.randint(-10, 40)),
        angle=round(rng.uniform(-2.6, 2.6), 2),
    )
    texts = (
        spec.firm, spec.trade, spec.address, spec.number, spec.date, *spec.customer,
        " | ".join(spec.head), *(" | ".join(row) for row in rows), " ".join(spec.total),
        spec.received, *spec.stamp, *spec.remark,
    )  # fmt: skip
    return desk.make_draft("text", texts, "invoice", spec, fact=said)


def build_receipt(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a receipt; its time is the fact."""
    rng, time = desk.rng, format_time(facts[0].start)
    wares = rng.sample(pool(desk.language, setting_book(desk.frame.setting), "wares"), 3)
    prices = [rng.randint(20, 990) for _ in wares]
    till = desk.cast.till
    known = {"time": time, "till_no": str(rng.randint(1, 9)), "no": str(desk.cast.number)}
    spec = ReceiptSpec(
        head=(till if desk.language == "zh" else till.upper(), desk.pick_word("receipt", "head")),
        lines=desk.fill_lines("receipt", "lines", **known),
        rows=tuple((name, _price(cents)) for name, cents in zip(wares, prices, strict=True)),
        total=(desk.pick_word("receipt", "total"), _price(sum(prices))),
        foot=tuple(rng.sample(pool(desk.language, "pictures", "receipt", "foot"), 2)),
        colour=rng.choice(_SLIPS),
        table=rng.choice(_WOODS),
        bars=rng.random() < 1 / 2,
        torn=rng.random() < 2 / 3,
        wide=430 + rng.randint(-20, 20),
        angle=round(rng.uniform(-7, 7), 2),
        size=(600 + rng.randint(-20, 30), 840 + rng.randint(-20, 60)),
    )
    rows = (f"{name}  {value}" for name, value in (*spec.rows, spec.total or ("", "")))
    texts = (*spec.head, *spec.lines, *rows, *spec.foot)
    return desk.make_draft("text", texts, "receipt", spec, time=time, no=known["no"])


def build_call_list(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a call list; the time of the only outgoing call is the fact."""
    rng, at = desk.rng, facts[0].start
    names = [name for name, _ in desk.cast.staff]
    rows: list[tuple[int, str, CallDirection]] = [(at, desk.cast.caller, "out")]
    for name in rng.sample(names, len(names)):
        ways: tuple[CallDirection, ...] = ("in", "missed")
        rows.append((at - rng.randint(40, 300), name, rng.choice(ways)))
    rows.append((_clamp_to_today(at + rng.randint(60, 120), 0), rng.choice(names), "missed"))
    found = sorted(rows, reverse=True)
    spec = CallListSpec(
        title=desk.pick_word("calls", "title"),
        owner=desk.fill_first("calls", "owner"),
        day=desk.pick_word("calls", "today"),
        calls=tuple(
            CallEntry(name=name, time=format_time(when), way=way, note=desk.pick_word("calls", way))
            for when, name, way in found
        ),
        dark=rng.random() < 1 / 2,
        table=rng.choice(_WOODS),
        angle=round(rng.uniform(-5, 5), 2),
        size=(620 + rng.randint(-20, 20), 900 + rng.randint(-20, 40)),
    )
    rows_read = (f"{one.name}  {one.note}  {one.time}" for one in spec.calls)
    texts = (spec.title, spec.owner, spec.day, *rows_read)
    return desk.make_draft("text", texts, "calls", spec, time=format_time(at))


def _clamp_to_today(start: int, length: int) -> int:
    """Return `start`, moved earlier if `length` minutes after it do not end before midnight."""
    return min(start, _MIDNIGHT - 1 - length)


def _price(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
