"""Votes on a screen: one by one if they are open, and in a table after the count."""

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.rendering.context import RenderContext
from arena.cli.rendering.layout import Block
from arena.core.events import VoteCast, VotesTallied
from arena.core.labels import option_label
from arena.core.specs import ABSTAIN


def render_vote(context: RenderContext, event: VoteCast) -> tuple[RenderableType, ...]:
    """Return one vote as it is cast."""
    width = cell_len(sanitize_line(event.seat))
    remarks = (event.about, context.messages.private if context.is_private(event) else "")
    about = context.messages.join(tuple(filter(None, remarks)))
    return (_vote_row(context, event.seat, event.choice, width, about=about),)


def render_tally(context: RenderContext, event: VotesTallied) -> tuple[RenderableType, ...]:
    """Return who voted for whom, unless that was seen before, and what the count says."""
    messages = context.messages
    ballots = () if _seen_before(context, event) else event.ballots
    width = max((cell_len(sanitize_line(seat)) for seat, _ in ballots), default=0)
    rows = tuple(_vote_row(context, seat, choice, width) for seat, choice in ballots)
    counts = messages.join(tuple(f"{sanitize_line(name)} {n}" for name, n in event.votes))
    result = _named(context, event)
    line = f"{counts}{messages.colon}{result}" if counts else result
    about = f"{sanitize_line(event.about)}{messages.colon}" if event.about else ""
    number = f"{event.ballot}. " if event.ballot > 1 else ""
    return (*rows, Block(head=Text("  "), body=f"{number}{about}{line}", style="bold"))


def _seen_before(context: RenderContext, event: VotesTallied) -> bool:
    return any(
        isinstance(past, VoteCast)
        and (past.about, past.ballot) == (event.about, event.ballot)
        and context.sees(past)
        for past in context.state.history
    )


def _vote_row(
    context: RenderContext, seat: str, choice: str, width: int, *, about: str = ""
) -> Block:
    name = context.name(seat)
    name.pad_right(width - name.cell_len)
    if choice == ABSTAIN:
        chosen = Text(option_label(choice, context.messages.language))
    else:
        chosen = context.name(choice)
    remark = f" ({sanitize_line(about)})" if about else ""
    return context.block(Text.assemble("  ", name, " -> ", chosen, remark), "")


def _named(context: RenderContext, event: VotesTallied) -> str:
    messages = context.messages
    if not event.named:
        return messages.named_none
    names = context.names(event.named)
    if event.named != event.leaders:
        return messages.drawn.format(tied=context.names(event.leaders), names=names)
    return (messages.named_one if len(event.named) == 1 else messages.named_many).format(
        names=names
    )
