"""Loads of many shapes, on which admission is evaluated: scripts, seats, replies, engines."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import files
from random import Random
from typing import Final

from pydantic import TypeAdapter

from arena.bench.filler_script import make_filler_script
from arena.bench.simulation.simulated_chat import ReplyStyle
from arena.bench.simulation.virtual_run import VirtualRun
from arena.games.game_registry import DEFAULT, find_game
from arena.games.option_parsing import read_options
from scripts_mm.script import Script
from serving.engine_sim.cost_model.engine_profile import load_engine_profile

_SMALL: Final = "h200-qwen2.5-vl-7b"
_LARGE: Final = "h200-qwen2.5-vl-32b"
_KNOWN: Final = 0.7
"""Share of the drawn shapes whose model is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadShape:
    """One load."""

    name: str
    profile: str = _SMALL
    kv_tokens: int
    """KV capacity of one replica."""
    scripts: int
    words: tuple[int, ...]
    """Words of a private script, script by script in turn: several sizes are a mixed load."""
    seats: int = 5
    pictures: int = 0
    picture_tokens: int = 1_000
    reply: int = 120
    """Mean tokens of a seat's speech."""
    matches: int
    """Matches of all scripts together."""
    replicas: int = 1
    preset: str = "default"
    is_known: bool = True
    """Whether the arena counts the model's tokens exactly."""

    def make_run(self, seed: int) -> VirtualRun:
        """Return the load; seeds vary the replies and their lengths."""
        game = find_game(DEFAULT)
        return VirtualRun(
            game=DEFAULT,
            options=read_options(game, self.preset, {}),
            scripts=tuple(self._make_scripts()),
            matches=max(1, self.matches // self.scripts),
            profile=replace(load_engine_profile(self.profile), kv_tokens=self.kv_tokens),
            style=ReplyStyle(tokens=self.reply, seed=seed),
            replicas=self.replicas,
            picture_tokens=self.picture_tokens,
            is_known=self.is_known,
        )

    def _make_scripts(self) -> Iterator[Script]:
        for number in range(self.scripts):
            yield make_filler_script(
                seats=self.seats,
                words=self.words[number % len(self.words)],
                pictures=self.pictures,
                number=number,
            )


def _read_shapes() -> Iterator[WorkloadShape]:
    text = files("arena.bench").joinpath("shapes.csv").read_text("utf-8")
    reader = TypeAdapter(WorkloadShape)
    for row in csv.DictReader(text.splitlines()):
        yield reader.validate_python({**row, "words": row["words"].split()})


SHAPES: Final = tuple(_read_shapes())
"""Shapes with which admission was developed."""


def draw_shapes(seed: int, count: int) -> tuple[WorkloadShape, ...]:
    """Return random shapes, not used for tuning: drawn between the extremes of those above."""
    chance = Random(f"shapes/{seed}")
    return tuple(_draw_shape(chance, f"drawn {seed}/{number}") for number in range(count))


def _draw_shape(chance: Random, name: str) -> WorkloadShape:
    scripts = chance.choice((1, 2, 3, 4, 6, 8, 12, 24))
    preset = chance.choice(("default", "short"))
    seats = chance.randint(4, 8)
    turns = seats * (9 if preset == "default" else 5)
    # About 3,000 calls: enough to be in full swing, few enough to simulate.
    matches = max(18, min(432, round(chance.uniform(1_500, 4_000) / turns)))
    sizes = chance.choice((1, 1, 2, 3))
    return WorkloadShape(
        name=name,
        profile=chance.choice((_SMALL, _SMALL, _LARGE)),
        kv_tokens=1_000 * round(100 * 8 ** chance.random()),
        scripts=scripts,
        words=tuple(round(500 * 18 ** chance.random()) for _ in range(sizes)),
        seats=seats,
        pictures=chance.choice((0, 0, chance.randint(1, 20))),
        picture_tokens=chance.choice((350, 1_000)),
        reply=round(40 * 10 ** chance.random()),
        matches=max(scripts, matches // scripts * scripts),
        preset=preset,
        is_known=chance.random() < _KNOWN,
    )
