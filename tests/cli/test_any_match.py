"""Whatever the options are, the match can be shown."""

from io import StringIO
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.cli.console.streams import screen
from arena.cli.rendering.context import ViewOptions
from arena.cli.console.transcript import Transcript
from arena.core.options import Options
from tests.core.test_rules import OPTIONS
from tests.table import begin, hostile, play, setup


@given(options=OPTIONS, seed=st.integers(0, 10**6), full=st.booleans())
def test_every_match_of_any_options_can_be_shown(options: Options, seed: int, full: bool) -> None:
    chance, out = Random(seed), StringIO()
    state = play(begin(setup(options, seed=seed)), lambda ask: hostile(ask, chance))
    console = screen(out, width=60, env={})
    with Transcript(console, ViewOptions(full=full, reveal=full)) as transcript:
        assert transcript.play("m", state.script, state.history) == state
    assert "Cleo Marsh" in out.getvalue()
