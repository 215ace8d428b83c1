"""Clues and their pictures as they are shown."""

from collections import Counter

from rich.console import RenderableType
from rich.text import Text

from arena.cli.blocks import GREY, Block, aside
from arena.cli.look import Scene
from arena.cli.pixels import Drawing
from arena.cli.safe import clean_line
from arena.core.events import Revealed
from scripts_mm.script import Picture

HASH_DIGITS = 8
"""Of a picture's content hash."""


def dealt(scene: Scene) -> tuple[RenderableType, ...]:
    """Return what was dealt before the first phase: to one seat without its titles."""
    state = scene.state
    deals = [event for event in state.history if isinstance(event, Revealed)]
    common = [event for event in deals if event.to == state.opening.seats]
    private = [event for event in deals if event.to != state.opening.seats]
    counts = Counter(seat for event in private for seat in event.to)
    lines = tuple(
        aside(_dealt_to(scene, seat, counts[seat], [e for e in private if seat in e.to]))
        for seat in state.opening.seats
        if counts[seat]
    )
    return (*lines, *(block for event in common for block in shown(scene, event)))


def shown(scene: Scene, event: Revealed) -> tuple[RenderableType, ...]:
    """Return a clue: its title, who sees it, its words, and its pictures named."""
    clue = next((clue for clue in scene.state.script.clues if clue.id == event.clue), None)
    title = clean_line(clue.title if clue else event.clue)
    audience = f"({_audience(scene, event)})"
    head = Block(
        head=Text("* ", style="bold"),
        body=f"{title} {audience}",
        style="bold",
        paint={audience: f"not bold {GREY}"},
    )
    if clue is None:
        return (head,)
    text = (scene.block(Text("  "), clue.text),) if clue.text.strip() else ()
    pictures = (picture for picture in clue.pictures if picture.sha256 in event.pictures)
    return (head, *text, *(row for p in pictures for row in _picture(scene, p)))


def _dealt_to(scene: Scene, seat: str, count: int, deals: list[Revealed]) -> str:
    words = scene.words
    line = words.one_dealt.format(seat=clean_line(seat), clues=words.count(count, "clue"))
    ids = {event.clue for event in deals}
    titles = tuple(c.title for c in scene.state.script.clues if c.id in ids)
    return f"{line} ({words.join(titles) if scene.look.reveal else words.titles_hidden})"


def _audience(scene: Scene, event: Revealed) -> str:
    opened = scene.state.opening
    if event.to == opened.seats:
        return scene.words.to_all
    civilians = {seat for seat in opened.seats if seat not in opened.murderers}
    if set(event.to) == civilians:
        return scene.words.to_civilians
    return scene.words.to_some.format(names=scene.names(event.to))


def _picture(scene: Scene, picture: Picture) -> tuple[RenderableType, ...]:
    words, look = scene.words, scene.look
    facts = (
        f"{words.heads['picture']} {clean_line(picture.file)}",
        f"{picture.width} x {picture.height}",
        words.kinds[picture.kind or ""],
        f"#{picture.sha256[:HASH_DIGITS]}",
        words.shown_as[scene.state.opening.options.pictures],
    )
    rows: tuple[RenderableType, ...] = (aside(words.join(tuple(filter(None, facts))), margin=4),)
    if not look.show_pictures:
        return rows
    data = look.read(picture) if look.read else None
    drawing = (Drawing(data=data, margin=4),) if data else ()
    said = picture.description or picture.transcript
    return (*rows, *drawing, *((_described(scene, said),) if said else ()))


def _described(scene: Scene, text: str) -> Block:
    return scene.block(Text(), text, style=GREY, margin=4)
