"""How a match is introduced: the case, the rules, who plays what."""

from dataclasses import fields

from rich.console import RenderableType
from rich.text import Text

from arena.cli.blocks import Block, fact, heading
from arena.cli.look import Scene
from arena.cli.safe import clean_line
from arena.core.options import Options


def header(scene: Scene) -> tuple[RenderableType, ...]:
    """Return the head of a transcript. Factions stand there only where the look reveals them."""
    words, opened = scene.words, scene.state.opening
    heads = words.heads
    rows = [
        fact(heads["script"], _script(scene)),
        fact(heads["protocol"], " ".join((opened.protocol, *differing(opened.options)))),
        fact(heads["civilians"], _named(scene, opened.civilian_player, opened.civilian_served)),
        fact(heads["murderer"], _named(scene, opened.murderer_player, opened.murderer_served)),
        fact(heads["seats"], _seats(scene), paint=scene.colors),
        fact(heads["seed"], str(opened.seed)),
    ]
    if opened.marks:
        rows.append(fact(heads["marks"], words.join(opened.marks), style="bold"))
    opening = scene.state.script.opening
    story = (Text(""), scene.whole(Text(), opening)) if opening.strip() else ()
    return (heading(scene.state.script.title), *rows, *story)


def differing(options: Options) -> tuple[str, ...]:
    """Return the options that differ from the default, as `name=value`."""
    default = Options()
    return tuple(
        f"{f.name}={_spell(getattr(options, f.name))}"
        for f in fields(Options)
        if getattr(options, f.name) != getattr(default, f.name)
    )


def resumed(scene: Scene, events: int) -> Block:
    """Return the line that says how much of a match was on record before."""
    line = scene.words.resumed.format(events=scene.words.count(events, "event"))
    return Block(head=Text(line, style="bold"))


def _spell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _script(scene: Scene) -> str:
    words, script = scene.words, scene.state.script
    parts = (
        f"{script.id} ({scene.state.opening.language})",
        words.count(len(script.roles), "role"),
        words.count(len(script.clues), "clue"),
        words.count(len(script.pictures), "picture"),
    )
    return words.join(parts)


def _named(scene: Scene, player: str, served: str) -> str:
    if not served or served == player:
        return player
    return f"{player} ({scene.words.served.format(model=served)})"


def _seats(scene: Scene) -> str:
    guilty = scene.state.opening.murderers if scene.look.reveal else ()
    return scene.words.join(
        tuple(
            f"{clean_line(seat)} ({scene.words.murderer})" if seat in guilty else clean_line(seat)
            for seat in scene.state.opening.seats
        )
    )
