"""The end of a match on a screen: the result, and the truth."""

from rich.console import RenderableType
from rich.text import Text

from arena.cli.console.sanitize import sanitize_line
from arena.cli.rendering.context import RenderContext
from arena.cli.rendering.layout import Block, fact_row, heading
from arena.core.events import MatchEnded


def render_end(context: RenderContext, event: MatchEnded) -> tuple[RenderableType, ...]:
    """Return the ending; a match that broke off may be resumed, so the truth stays hidden."""
    heads = context.messages.heads
    lines = tuple(
        Block(head=Text(), body=line, indent=0, style="bold") for line in _result(context, event)
    )
    end = (Text(""), heading(heads["end"]), *lines)
    if event.outcome == "error":
        return end
    guilty = fact_row(heads["guilty"], context.names(event.murderers), paint=context.colors)
    return (*end, guilty, *_standing(context, event), *_truth(context))


def _result(context: RenderContext, event: MatchEnded) -> tuple[str, ...]:
    """Return the result in the game's own words; a forfeit and an error are the platform's."""
    if event.outcome not in {"forfeit", "error"} and (
        lines := tuple(context.texts().result(context.state))
    ):
        return lines
    sentence = context.messages.outcomes[event.outcome]
    return (sentence.format(seat=sanitize_line(event.forfeit_seat or ""), cause=event.cause),)


def _standing(context: RenderContext, event: MatchEnded) -> tuple[RenderableType, ...]:
    """Return the winners, unless the result says that one side won, and the ranking."""
    heads, colors = context.messages.heads, context.colors
    ranking = tuple(f"{sanitize_line(seat)} {score:g}" for seat, score in event.ranking)
    started = context.state.started
    sides = ((), started.members("civilians"), started.murderers)
    rows = (
        ("winners", "" if event.winners in sides else context.names(event.winners)),
        ("ranking", context.messages.join(ranking)),
    )
    return tuple(fact_row(heads[name], text, paint=colors) for name, text in rows if text)


def _truth(context: RenderContext) -> tuple[RenderableType, ...]:
    heads, colon = context.messages.heads, context.messages.colon
    truth = context.state.script.truth
    if truth.text:
        return (Text(""), Block(head=Text(f"{heads['truth']}{colon}"), body=truth.text))
    parts = ((heads["method"], truth.method), (heads["motive"], truth.motive))
    rows = tuple(
        context.block(Text(f"{name}{colon}"), text, margin=2) for name, text in parts if text
    )
    head = Block(head=Text(f"{heads['truth']}{colon.rstrip()}"))
    return (Text(""), head, *rows) if rows else ()
