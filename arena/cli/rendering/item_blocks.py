"""Items of a match on a screen. Pure: an item in, renderables out."""

from typing import assert_never

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from arena.cli.rendering.layout import GREY, Block, UnwrappedLine, fact_row, heading, note
from arena.cli.rendering.render_context import RenderContext
from arena.cli.rendering.terminal_image import TerminalImage
from arena.view.items import (
    ClueItem,
    EndItem,
    HeadItem,
    HostItem,
    Item,
    NoteItem,
    PhaseItem,
    SpeechItem,
    TallyItem,
    VoteItem,
)
from arena.view.sanitize import sanitize_line
from scripts_mm.script import Picture

Rendered = tuple[RenderableType, ...]
"""Lines from top to bottom; empty: nothing."""
HASH_DIGITS = 8
"""Digits of a picture's content hash."""
_GAP = Text("")


def render_item(context: RenderContext, item: Item) -> Rendered:  # noqa: C901, PLR0911 - a case each
    """Return the rendering of an item, without the empty line before it."""
    match item:
        case HeadItem():
            return _render_head(context, item)
        case PhaseItem():
            return (heading(item.title),)
        case SpeechItem():
            return _render_speech(context, item)
        case HostItem():
            remark = f"({item.remark}) " if item.remark else ""
            return (Block(head=Text(), body=f"{remark}{item.text}", indent=0),)
        case NoteItem():
            hint = context.messages.truth_hint if item.hides else ""
            return (note(f"({sanitize_line(item.text)}{hint})"),)
        case ClueItem():
            return _render_clue(context, item)
        case VoteItem():
            return (_render_vote(context, item, cell_len(sanitize_line(item.seat))),)
        case TallyItem():
            return _render_tally(context, item)
        case EndItem():
            return _render_end(context, item)
        case _:
            assert_never(item)


def resume_line(context: RenderContext, events: int) -> Block:
    """Return the line that says how much of a match was recorded before."""
    messages = context.messages
    line = messages.resumed.format(events=messages.count(events, "event"))
    return Block(head=Text(line, style="bold"))


def _render_head(context: RenderContext, item: HeadItem) -> Rendered:
    heads = context.messages.heads
    rows = (
        fact_row(
            heads[name],
            text,
            paint=context.colors if name == "seats" else None,
            style="bold" if name == "flags" else "",
        )
        for name, text in item.facts
    )
    story = (_GAP, Block(head=Text(), body=item.opening)) if item.opening.strip() else ()
    return (heading(item.title), *rows, *story)


def _render_speech(context: RenderContext, item: SpeechItem) -> Rendered:
    """Return a text after its speaker, or several, each after its name in the game's words."""
    colon = context.messages.colon
    addressee = (" -> ", context.name(item.to)) if item.to else ()
    remark = f" ({item.remark})" if item.remark else ""
    head = Text.assemble(context.name(item.seat), *addressee, remark, colon)
    if len(item.parts) == 1 and not item.parts[0][0]:
        [(_, text)] = item.parts
        return (context.block(head, f"{text} {item.cut}" if item.cut else text),)
    head.rstrip()
    rows = (
        context.block(Text(f"{sanitize_line(name)}{colon}"), text, margin=2)
        for name, text in item.parts
    )
    return (Block(head=head), *rows, *((note(item.cut),) if item.cut else ()))


def _render_clue(context: RenderContext, item: ClueItem) -> Rendered:
    audience = f"({item.audience})"
    head = Block(
        head=Text("* ", style="bold"),
        body=f"{sanitize_line(item.title)} {audience}",
        style="bold",
        paint={audience: f"not bold {GREY}"},
    )
    text = (context.block(Text("  "), item.text),) if item.text.strip() else ()
    return (head, *text, *(row for one in item.pictures for row in _render_picture(context, one)))


def _render_picture(context: RenderContext, picture: Picture) -> Rendered:
    messages, view = context.messages, context.view
    facts = (
        f"{messages.heads['picture']} {sanitize_line(picture.file)}".strip(),
        f"{picture.width} x {picture.height}",
        f"#{picture.sha256[:HASH_DIGITS]}",
    )
    row = note(messages.join(facts), margin=4)
    data = view.read(picture) if view.read else None
    drawing = (TerminalImage(data=data, margin=4),) if data else ()
    path = (UnwrappedLine(text=view.locate(picture), margin=4),) if view.locate else ()
    described = picture.description or picture.transcript
    text = (context.block(Text(), described, style=GREY, margin=4),) if described else ()
    return (row, *path, *drawing, *text)


def _render_tally(context: RenderContext, item: TallyItem) -> Rendered:
    width = max((cell_len(sanitize_line(one.seat)) for one in item.ballots), default=0)
    rows = tuple(_render_vote(context, one, width) for one in item.ballots)
    return (*rows, Block(head=Text("  "), body=item.line, style="bold"))


def _render_vote(context: RenderContext, item: VoteItem, width: int) -> Block:
    name = context.name(item.seat)
    name.pad_right(width - name.cell_len)
    chosen = context.name(item.choice) if item.is_seat else Text(item.choice)
    remark = f" ({sanitize_line(item.remark)})" if item.remark else ""
    return context.block(Text.assemble("  ", name, " -> ", chosen, remark), "")


def _render_end(context: RenderContext, item: EndItem) -> Rendered:
    heads = context.messages.heads
    lines = (Block(head=Text(), body=line, indent=0, style="bold") for line in item.lines)
    rows = (fact_row(heads[name], text, paint=context.colors) for name, text in item.facts)
    truth = _render_truth(context, item.truth)
    return (heading(heads["end"]), *lines, *rows, *truth)


def _render_truth(context: RenderContext, truth: tuple[tuple[str, str], ...]) -> Rendered:
    if not truth:
        return ()
    colon = context.messages.colon
    (title, text), *parts = truth
    if text:
        return (_GAP, Block(head=Text(f"{title}{colon}"), body=text))
    rows = (context.block(Text(f"{name}{colon}"), words, margin=2) for name, words in parts)
    return (_GAP, Block(head=Text(f"{title}{colon.rstrip()}")), *rows)
