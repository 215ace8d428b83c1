"""Heading of a match: the script, the game, and the contestants."""

from dataclasses import fields

from arena.core.options import GameOptions, option_help
from arena.view.items import HeadItem, OptionRow, RulesItem
from arena.view.match_view import MatchView
from arena.view.sanitize import sanitize_line


def describe_head(view: MatchView) -> HeadItem:
    """Return the heading of a transcript. It names the murderers only if the truth is shown."""
    messages, started = view.messages, view.state.started
    facts = (
        ("script", _script_line(view)),
        ("game", " ".join((started.game, *non_default_options(started.options)))),
        ("civilians", _player_line(view, started.civilians, started.civilians_served)),
        ("murderer", _player_line(view, started.murderer, started.murderer_served)),
        ("seats", _seats_line(view)),
        ("seed", str(started.seed)),
        *((("flags", messages.join(started.flags)),) if started.flags else ()),
    )
    script = view.state.script
    return HeadItem(title=script.title, facts=facts, opening=script.opening)


def describe_rules(view: MatchView) -> RulesItem:
    """Return the rules that result from the match's options, and these options."""
    options = view.state.started.options
    default, meanings = type(options)(), option_help(type(options))
    rows = tuple(
        OptionRow(
            name=name,
            value=option_text(getattr(options, name)),
            default=""
            if getattr(options, name) == getattr(default, name)
            else option_text(getattr(default, name)),
            meaning=meaning,
        )
        for name, meaning in meanings.items()
    )
    changed = tuple(row for row in rows if row.default)
    others = tuple(row for row in rows if not row.default)
    return RulesItem(text=view.texts().rules(), options=(*changed, *others))


def non_default_options(options: GameOptions) -> tuple[str, ...]:
    """Return the options that differ from their game's default, as `name=value`."""
    default = type(options)()
    return tuple(
        f"{one.name}={option_text(getattr(options, one.name))}"
        for one in fields(options)
        if getattr(options, one.name) != getattr(default, one.name)
    )


def option_text(value: object) -> str:
    """Return an option's value in command line syntax."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _script_line(view: MatchView) -> str:
    messages, script = view.messages, view.state.script
    parts = (
        f"{script.id} ({view.state.started.language})",
        messages.count(len(script.roles), "role"),
        messages.count(len(script.clues), "clue"),
        messages.count(len(script.pictures), "picture"),
    )
    return messages.join(parts)


def _player_line(view: MatchView, player: str, served: str) -> str:
    if not served or served == player:
        return player
    return f"{player} ({view.messages.served.format(model=served)})"


def _seats_line(view: MatchView) -> str:
    started = view.state.started
    guilty = started.murderers if view.truth else ()
    return view.messages.join(
        tuple(
            f"{sanitize_line(seat)} ({view.messages.murderer})"
            if seat in guilty
            else sanitize_line(seat)
            for seat in started.seats
        )
    )
