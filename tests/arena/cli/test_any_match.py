"""Whatever the options are, the match can be shown."""

from io import StringIO
from random import Random
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.cli.console.screens import open_screen
from arena.cli.console.transcript import Transcript
from arena.cli.rendering.render_context import ViewOptions
from arena.core.options import GameOptions
from arena.games.whodunit.options import WhodunitOptions
from tests.table import (
    begin,
    hostile,
    play,
    setup,
)

HINTS = get_type_hints(WhodunitOptions)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    name: st.booleans() if hint is bool else st.sampled_from(get_args(hint))
    for name, hint in HINTS.items()
    if hint is bool or get_origin(hint) is Literal
}


@st.composite
def any_options(draw: st.DrawFn) -> GameOptions:
    """Return options of every kind that can be drawn, of one or two rounds."""
    values = {name: draw(strategy) for name, strategy in VALUES.items()}
    try:
        return WhodunitOptions(rounds=draw(st.integers(1, 2)), **values)
    except ValueError:
        assume(condition=False)
        raise


@pytest.mark.slow
@given(options=any_options(), seed=st.integers(0, 10**6), full=st.booleans(), truth=st.booleans())
def test_every_match_of_any_options_can_be_shown(
    options: GameOptions, seed: int, full: bool, truth: bool
) -> None:
    chance, out = Random(seed), StringIO()
    state = play(begin(setup(options, seed=seed)), lambda request: hostile(request, chance))
    console = open_screen(out, width=60, env={})
    with Transcript(console, ViewOptions(full=full, truth=truth)) as transcript:
        assert transcript.play("m", state.script, state.history) == state
    assert "Cleo Marsh" in out.getvalue()
