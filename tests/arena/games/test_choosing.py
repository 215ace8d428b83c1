"""What a user writes becomes options of a game, or one sentence that says what is wrong."""

import pytest

from arena.errors import ConfigError
from arena.games.option_parsing import read_options
from arena.games.whodunit.game import WHODUNIT
from arena.games.whodunit.options import WhodunitOptions
from tests.arena.games.one_night.one_night import GAME, OneNightOptions


def test_a_preset_gives_its_values_and_what_is_written_goes_over_it() -> None:
    options = read_options(WHODUNIT, "short", {"rounds": "2", "self": "yes", "max_faults": "none"})
    assert options == WhodunitOptions(rounds=2, speech_words=80, self_vote=True)
    assert read_options(WHODUNIT, "default", {}) == WhodunitOptions()


def test_any_games_options_are_read() -> None:
    assert read_options(GAME, "short", {"revotes": "0"}) == OneNightOptions(
        talk_rounds=1, revotes=0
    )


@pytest.mark.parametrize(
    ("preset", "written", "said"),
    [
        ("huge", {}, "game 'whodunit' has no preset 'huge'; there are: default, short"),
        ("default", {"round": "2"}, r"no option 'round' \(did you mean 'rounds'\?\); there are:"),
        ("default", {"rounds": "two"}, "option 'rounds' must be a whole number, got 'two'"),
        ("default", {"tie": "lot"}, "option 'tie' must be draw | none | random"),
        ("default", {"rounds": "0"}, "option 'rounds' must be >= 1, got 0"),
        ("default", {"vote": "open", "electorate": "civilians"}, "contradict each other"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(
    preset: str, written: dict[str, str], said: str
) -> None:
    with pytest.raises(ConfigError, match=said) as error:
        read_options(WHODUNIT, preset, written)
    assert "\n" not in str(error.value)
