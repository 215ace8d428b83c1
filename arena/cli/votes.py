"""Votes as they are shown: one by one where they are open, in a table after the count."""

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from arena.cli.blocks import Block
from arena.cli.look import Scene
from arena.cli.safe import clean_line
from arena.core.actions import ABSTAIN
from arena.core.events import Began, Counted, Passed, Voted


def voted(scene: Scene, event: Voted) -> Block:
    """Return one vote as it is heard."""
    return _row(scene, event, cell_len(clean_line(event.seat)))


def counted(scene: Scene, event: Counted) -> tuple[RenderableType, ...]:
    """Return who voted for whom, unless that was heard before, and what the count says."""
    words = scene.words
    ballots = _ballots(scene)
    opened = scene.state.opening
    mute = tuple(seat for seat in opened.seats if seat not in opened.electorate)
    seats = (*(ballot.seat for ballot in ballots), *mute)
    width = max((cell_len(clean_line(seat)) for seat in seats), default=0)
    is_open = opened.options.vote == "open"
    rows = () if is_open else tuple(_row(scene, ballot, width) for ballot in ballots)
    rows = (*rows, *(_mute(scene, seat, width) for seat in mute))
    sums = words.join(tuple(f"{clean_line(name)} {n}" for name, n in event.votes))
    said = _named(scene, event)
    line = f"{sums}{words.colon}{said}" if sums else said
    return (*rows, Block(head=Text("  "), body=line, style="bold"))


def _mute(scene: Scene, seat: str, width: int) -> Block:
    name = scene.name(seat)
    name.pad_right(width - name.cell_len)
    return Block(head=Text.assemble("  ", name, " -> ", scene.words.no_vote))


def _row(scene: Scene, ballot: Voted | Passed, width: int) -> Block:
    name = scene.name(ballot.seat)
    name.pad_right(width - name.cell_len)
    if isinstance(ballot, Passed):
        reason = ballot.reason if ballot.fault else ""
        choice = Text(scene.words.abstains)
    else:
        reason = ballot.reason
        is_name = ballot.choice != ABSTAIN
        choice = scene.name(ballot.choice) if is_name else Text(scene.words.abstains)
    colon = scene.words.colon if reason else ""
    return scene.block(Text.assemble("  ", name, " -> ", choice, colon), reason)


def _ballots(scene: Scene) -> tuple[Voted | Passed, ...]:
    ballots: list[Voted | Passed] = []
    for event in reversed(scene.state.history):
        if isinstance(event, Began):
            break
        if isinstance(event, Voted) or (isinstance(event, Passed) and event.verb == "vote"):
            ballots.insert(0, event)
    return tuple(ballots)


def _named(scene: Scene, event: Counted) -> str:
    words = scene.words
    if not event.named:
        return words.named_none
    if event.named != event.leaders:
        return words.drawn.format(tied=scene.names(event.leaders), names=scene.names(event.named))
    said = words.named_one if len(event.named) == 1 else words.named_many
    return said.format(names=scene.names(event.named))
