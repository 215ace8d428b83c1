"""Clues and their pictures on a screen."""

from rich.console import RenderableType
from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.rendering.context import RenderContext
from arena.cli.rendering.layout import GREY, Block, UnwrappedLine, note
from arena.cli.rendering.terminal_image import TerminalImage
from arena.core.events import ClueRevealed
from scripts_mm.script import Picture

HASH_DIGITS = 8
"""Of a picture's content hash."""


def render_clue(context: RenderContext, event: ClueRevealed) -> tuple[RenderableType, ...]:
    """Return a clue: its title, who sees it, its text, and its pictures by name.

    For clues that the onlooker may not see, one line says that there are such clues. Their number
    and owners could reveal a secret.
    """
    if not context.sees(event):
        return _render_hidden(context)
    observation = context.observe()
    key = next(one.clue for one in reversed(observation.events) if isinstance(one, ClueRevealed))
    clue = next((one for one in observation.clues if one.key == key), None)
    title = sanitize_line(clue.title if clue else event.clue)
    audience = f"({context.audience(event)})"
    head = Block(
        head=Text("* ", style="bold"),
        body=f"{title} {audience}",
        style="bold",
        paint={audience: f"not bold {GREY}"},
    )
    if clue is None:
        return (head,)
    text = (context.block(Text("  "), clue.text),) if clue.text.strip() else ()
    pictures = _truth_pictures(context, event) if context.view.truth else clue.pictures
    return (head, *text, *(row for one in pictures for row in _render_picture(context, one)))


def _render_hidden(context: RenderContext) -> tuple[RenderableType, ...]:
    before = context.state.history[-2]
    if isinstance(before, ClueRevealed) and not context.sees(before):
        return ()
    return (note(f"({context.messages.hidden_clues})"),)


def _truth_pictures(context: RenderContext, event: ClueRevealed) -> tuple[Picture, ...]:
    """Return the clue's pictures with their file names and descriptions, which no seat gets."""
    clues = (clue for clue in context.state.script.clues if clue.id == event.clue)
    return tuple(picture for clue in clues for picture in clue.pictures)


def _render_picture(context: RenderContext, picture: Picture) -> tuple[RenderableType, ...]:
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
