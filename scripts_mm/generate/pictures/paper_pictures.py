"""Pictures of documents: their texts, handwriting and paper."""

from collections.abc import Sequence

from scripts_mm.drawing.documents.checklist import ChecklistEntry, ChecklistSpec
from scripts_mm.drawing.documents.invoice import InvoiceSpec
from scripts_mm.drawing.documents.letter import LetterSpec
from scripts_mm.drawing.documents.printed_log import PrintedLogSpec
from scripts_mm.drawing.documents.receipt import ReceiptSpec
from scripts_mm.drawing.documents.report_form import ReportFormSpec
from scripts_mm.drawing.photos.chat_screen import ChatMessage, ChatScreenSpec
from scripts_mm.generate.pictures.builder import PictureBuilder, PictureDraft
from scripts_mm.generate.pictures.call_list import CallDirection, CallEntry, CallListSpec
from scripts_mm.generate.text.lexicon import pool, setting_book
from scripts_mm.generate.text.templates import format_time
from scripts_mm.generate.world import WorldFact

_WOODS = ((96, 70, 50), (70, 62, 58), (128, 96, 66), (60, 66, 74), (112, 88, 92))
_SLIPS = ((243, 240, 230), (236, 240, 244), (248, 236, 226), (238, 242, 228), (250, 248, 220))
_MIDNIGHT = 24 * 60
_CROWDED = 6
"""From this many names a list is drawn as a printed log, which has more room."""


def build_letter(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return a letter from a member of the staff that states the only fact."""
    said, rng, zh = desk.phrase_fact(facts[0]), desk.rng, desk.language == "zh"
    body = (desk.pick_word("letter", "before"), said, desk.pick_word("letter", "after"))
    name, _ = desk.witness
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
    """Return an invoice for the only fact, with a remark that states it."""
    (fact,), rng = facts, desk.rng
    said = desk.phrase_fact(fact)
    item = (
        pool(desk.language, "life", "herrings", fact.value, "item")[0]
        if fact.form == "herring"
        else desk.pick_word("invoice", "motive-item")
    )
    wares = rng.sample(pool(desk.language, setting_book(desk.frame.setting), "wares"), 2)
    rows: list[tuple[str, str, str, str]] = []
    total = 0
    for name in (*wares[:1], item, *wares[1:]):
        count, price = rng.randint(1, 3), rng.randint(2, 60)
        total += count * price
        rows.append((str(count), name, str(price), str(count * price)))
    street = desk.pick_word("invoice", "streets")
    zh = desk.language == "zh"
    spec = InvoiceSpec(
        firm=desk.pick_word("invoice", "firms"),
        trade=desk.pick_word("invoice", "trades"),
        address=desk.fill_first("invoice", "street", n=str(rng.randint(2, 88)), street=street),
        number=desk.fill_first("invoice", "number", no=str(rng.randint(1000, 99999))),
        date=desk.cast.date,
        customer=tuple(
            desk.fill(line, who=desk.cast.names[fact.who])
            for line in pool(desk.language, "pictures", "invoice", "customer")
        ),
        head=_four_cells(pool(desk.language, "pictures", "invoice", "head")),
        rows=tuple(rows),
        total=(desk.pick_word("invoice", "total"), str(total)),
        received=desk.pick_word("invoice", "received"),
        stamp=desk.fill_lines("invoice", "stamp"),
        remark=(said,),
        remark_size=(29 if zh else 27) + rng.randint(-1, 1),
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
    if len(rows) >= _CROWDED or rng.random() < 1 / 2:
        head = _four_cells(pool(desk.language, "pictures", "roster", "head"))
        marks = [_initials(name) for name, _ in rows]
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


def build_report(desk: PictureBuilder, facts: Sequence[WorldFact]) -> PictureDraft:
    """Return the examiner's report; a finding relates the time of the crime to the reading."""
    rng, cast, frame = desk.rng, desk.cast, desk.frame
    said = desk.phrase_fact(facts[0])
    labels = pool(desk.language, "pictures", "report", "labels")
    entries = (
        cast.names["victim"], cast.places[frame.scene], format_time(frame.found),
        format_time(frame.alive),
        desk.full_date(),
    )  # fmt: skip
    findings = [desk.fill(one) for one in rng.sample(_report_findings(desk), 3)]
    findings.insert(rng.randint(1, 3), said)
    spec = ReportFormSpec(
        office=desk.pick_word("report", "office"),
        title=desk.pick_word("report", "title"),
        fields=tuple(zip(labels, entries, strict=True)),
        heading=desk.pick_word("report", "heading"),
        findings=tuple(findings),
        signed=desk.pick_word("report", "signed"),
        signature=cast.examiner if desk.language == "zh" else _initials(cast.examiner, " "),
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


def _clamp_to_today(start: int, length: int) -> int:
    """Return `start`, moved earlier if `length` minutes after it do not end before midnight."""
    return min(start, _MIDNIGHT - 1 - length)


def _four_cells(head: Sequence[str]) -> tuple[str, str, str, str]:
    one, two, three, four = head
    return one, two, three, four


def _initials(name: str, gap: str = "") -> str:
    """Return a person's initials."""
    parts = name.split(" ")
    if len(parts) == 1:
        return name[:1]
    return f"{parts[0][:1]}.{gap}{parts[1] if gap else parts[1][:1] + '.'}"


def _price(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"
