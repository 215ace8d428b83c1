"""Nonsense on the command line: whatever is typed ends soon, in few words and without a traceback.

The commands and options are those that the program has, so that a new one is tried as well.
"""

import signal
import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NoReturn, get_type_hints

import pytest

from tests.arena.cli.all_commands import COMMANDS
from tests.arena.cli.conftest import Told

LINES = 300
SEEDS = 10
SECONDS = 20

NUMBERS = (
    *("-1", "nan", "-inf", "1e400", "0x10", "1.5.2", "-", "1,000", "²"),
    *(str(10**30), str(-(10**30)), "9" * 5000, str(2**63), str(-(2**63) - 1), "99999999999"),
)
"""No option takes one of these, be it an integer or a fraction."""
PATHS = ("x" * 300, "nul\0byte", "/dev/null/below", "/proc/self/mem/x")
"""No file and no folder can be here."""
WORDS = (
    *("\udcff\udcfe", "\x1b[31mred\x07", "\u202eright to left", "[bold]x[/bold]", "🙂" * 50),
    *("a=b=c", "=", "%s%n", "$(id)", "#", "[" * 2000, "{" * 2000, "x" * 70_000, "http://[", "::"),
    *("+", "random:=", "naive:votes", "file:///etc/passwd", "..", "~nobody", *PATHS),
)
"""No option takes one of these as a name."""
HARMLESS = ("", "0", "1", ".", "nowhere")
JUNK = ("--", "--nope", "-Z", "--json=yes", "-\udcff", "", "nan", "--=", "---", "-n", "\x1b[2J")


def illegal(command: Any, param: Any) -> tuple[str, ...]:
    """Return values that an option or argument cannot have."""
    hint = str(get_type_hints(command.callback)[param.name])
    if "int" in hint or "float" in hint:
        return NUMBERS
    return PATHS if "Path" in hint else WORDS


def nonsense(chance: Random) -> tuple[str, ...]:
    """Return a command line with at least one value that is impossible."""
    words, command = chance.choice(tuple(COMMANDS.items()))
    params = [param for param in command.params if param.name != "help"]
    valued = [param for param in params if not getattr(param, "is_flag", False)]
    spoilt = chance.choice(valued) if valued else None
    parts: list[tuple[str, ...]] = []
    for param in params:
        is_option = param.param_type_name == "option"
        if param is not spoilt and is_option and chance.random() < 0.8:
            continue
        name = (chance.choice(param.opts),) if is_option else ()
        pool = illegal(command, param) + (() if param is spoilt else HARMLESS)
        parts.append(name if param not in valued else (*name, chance.choice(pool)))
    if spoilt is None or chance.random() < 0.2:
        parts.append((chance.choice(JUNK),))
    chance.shuffle(parts)
    return (*words, *(word for part in parts for word in part))


@contextmanager
def ended_within(seconds: float) -> Generator[None]:
    """Fail the test where the block takes longer."""

    def late(number: int, frame: FrameType | None) -> NoReturn:
        pytest.fail(f"no end within {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no program be started and no hub be asked: nonsense needs neither."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise FileNotFoundError(2, "no program is started here")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("seed", range(SEEDS))
def test_nonsense_ends_soon_in_one_harmless_line(
    program: Callable[..., Told], tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    for words in (nonsense(chance) for _ in range(LINES // SEEDS)):
        with ended_within(SECONDS):
            told = program(*words)
        shown = f"{' '.join(words)!a:.300}: {told}"
        assert told.status in {0, 1, 2}, shown
        assert "Traceback" not in told.err, shown
        assert not set(told.out + told.err) & set("\x1b\x07\u202e\0"), shown
        if told.status == 2:
            assert len(told.err.splitlines()) == 1, shown
            assert told.err.startswith("error: "), shown
            assert len(told.err) < 2000 + 2 * len(" ".join(words)), shown
            assert not any(tmp_path.iterdir()), shown


def test_every_command_is_tried() -> None:
    tried = {nonsense(Random(seed))[:2] for seed in range(LINES)}
    assert all(any(line[: len(words)] == words[:2] for line in tried) for words in COMMANDS)
