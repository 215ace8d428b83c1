"""Surfaces that repeat without a seam: noise, wood, boards, plaster, cloth, rust, stone, snow.

A pattern returns colours, shares of a mix of the material's two colours and a brightness, and
heights for the bumps. All are functions of a numpy generator, so equal seeds give equal surfaces.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from scripts_mm.drawing.rendered.mesh import Array

SIDE = 320
"""Pixels of a pattern along one side."""
Rng = np.random.Generator
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Surface:
    """What a pattern says of each pixel."""

    mix: Array
    """Share of the second colour, 0 to 1."""
    light: Array
    """Brightness, about 1."""
    height: Array
    """Height of the bumps, about -1 to 1."""


def cloud(rng: Rng, slope: float = 1.5, stretch: tuple[float, float] = (1, 1)) -> Array:
    """Return seamless noise of mean 0 and deviation 1; a steeper slope makes larger spots."""
    waves = np.fft.fft2(rng.normal(size=(SIDE, SIDE))) * _strengths(slope, stretch)
    noise = np.real(np.fft.ifft2(waves))
    return (noise - noise.mean()) / noise.std()


@lru_cache
def _strengths(slope: float, stretch: tuple[float, float]) -> Array:
    """Return the strength of each wave of a noise."""
    down, across = np.meshgrid(np.fft.fftfreq(SIDE), np.fft.fftfreq(SIDE), indexing="ij")
    distance = np.hypot(across * stretch[0], down * stretch[1])
    distance[0, 0] = 1
    strengths = distance**-slope
    strengths[0, 0] = 0
    return strengths


def _grid() -> tuple[Array, Array]:
    """Return the share of the way across and down of each pixel."""
    line = (np.arange(SIDE) + 0.5) / SIDE
    across, down = np.meshgrid(line, line)
    return across, down


def _ease(values: Array, low: float, high: float) -> Array:
    share = np.clip((values - low) / (high - low), 0, 1)
    return share * share * (3 - 2 * share)


def _plain(rng: Rng) -> Surface:
    fine = cloud(rng, 0.6)
    return Surface(0.08 * _ease(cloud(rng, 1.6), -1, 2), 1 + 0.015 * fine, 0.2 * fine)


def _plaster(rng: Rng) -> Surface:
    wide, fine = cloud(rng, 1.7), cloud(rng, 0.9)
    stains = _ease(cloud(rng, 2.0), 0.4, 2.4)
    return Surface(0.5 * stains, 1 + 0.03 * wide + 0.02 * fine, 0.6 * fine + 0.3 * wide)


def _wood(rng: Rng) -> Surface:
    across, _ = _grid()
    grain = cloud(rng, 1.3, (1, 14))
    rings = np.sin(2 * np.pi * (9 * across + 0.55 * cloud(rng, 2.1, (1, 6))))
    pores = _ease(cloud(rng, 0.8, (1, 22)), 1.2, 2.4)
    mix = np.clip(0.42 + 0.16 * grain + 0.16 * rings + 0.3 * pores, 0, 1)
    return Surface(mix, 1 + 0.03 * cloud(rng, 1.8), -0.6 * pores + 0.25 * grain)


def _boards(rng: Rng, count: int = 5) -> Surface:
    across, down = _grid()
    wood = _wood(rng)
    number = np.floor(across * count).astype(int)
    shift = rng.integers(0, SIDE, count)
    rows = (np.arange(SIDE)[:, None] + shift[number]) % SIDE
    columns = np.broadcast_to(np.arange(SIDE)[None, :], rows.shape)
    ends = rng.uniform(0, 1, count)[number]
    far = np.abs((down - ends + 0.5) % 1 - 0.5)
    inner = np.abs(across * count - number - 0.5)
    gap = np.maximum(_ease(inner, 0.480, 0.494), _ease(-far, -0.004, -0.0015))
    tint = rng.normal(0, 0.10, (2, count))
    side = ((down - ends) % 1 > _HALF).astype(int)
    light = (1 + tint[side, number]) * wood.light[rows, columns] * (1 - 0.75 * gap)
    worn = 1 + 0.06 * cloud(rng, 1.8)
    return Surface(wood.mix[rows, columns], light * worn, wood.height[rows, columns] - 3 * gap)


def _planks(rng: Rng) -> Surface:
    return _boards(rng, 4)


def _cloth(rng: Rng) -> Surface:
    across, down = _grid()
    weave = np.sin(2 * np.pi * 64 * across) * np.sin(2 * np.pi * 64 * down)
    threads = cloud(rng, 0.7, (1, 5)) + cloud(rng, 0.7, (5, 1))
    worn = _ease(cloud(rng, 1.8), -0.5, 2.5)
    return Surface(0.3 * worn, 1 + 0.05 * weave + 0.04 * threads, weave + 0.3 * threads)


def _knit(rng: Rng) -> Surface:
    across, down = _grid()
    rib = np.abs(np.sin(np.pi * 24 * across))
    stitch = np.sin(2 * np.pi * (32 * down + 0.5 * rib))
    light = 0.8 + 0.22 * rib + 0.07 * stitch + 0.03 * cloud(rng, 0.6)
    return Surface(0.2 * _ease(cloud(rng, 1.8), 0, 2), light, 1.5 * rib + 0.6 * stitch)


def _felt(rng: Rng) -> Surface:
    hairs = cloud(rng, 0.9, (1, 3)) + cloud(rng, 0.9, (3, 1))
    return Surface(0.35 * _ease(hairs, 0.5, 3), 1 + 0.05 * hairs, 0.7 * hairs)


def _metal(rng: Rng) -> Surface:
    brushed = cloud(rng, 0.8, (1, 12))
    spots = _ease(cloud(rng, 1.5), 1.2, 2.4)
    return Surface(0.7 * spots, 1 + 0.04 * brushed, 0.3 * brushed + 0.4 * spots)


def _rust(rng: Rng) -> Surface:
    crust, fine = cloud(rng, 1.5), cloud(rng, 0.8)
    eaten = _ease(crust + 0.35 * fine, -0.7, 1.1)
    return Surface(eaten, 1 + 0.10 * fine, 0.7 * crust + 0.8 * fine)


def _paint(rng: Rng) -> Surface:
    """Return brushed paint on wood, chipped in places down to the second colour."""
    brushed = cloud(rng, 1.0, (1, 9))
    chips = _ease(cloud(rng, 1.25) + 0.3 * brushed, 2.35, 2.5)
    return Surface(chips, 1 + 0.035 * brushed + 0.04 * cloud(rng, 1.9), 0.5 * brushed - chips)


def _tiles(rng: Rng) -> Surface:
    across, down = _grid()
    count = 4
    inner = np.maximum(*(np.abs(v * count % 1 - 0.5) for v in (across, down)))
    gap = _ease(inner, 0.484, 0.494)
    tint = rng.normal(0, 0.04, (count, count))
    number = tuple(np.floor(v * count).astype(int) for v in (down, across))
    speckle = cloud(rng, 0.5)
    light = 1 + tint[number] + 0.03 * speckle + 0.05 * cloud(rng, 1.8)
    return Surface(np.maximum(gap, 0.12 * _ease(speckle, 0.8, 2)), light, -2 * gap + 0.1 * speckle)


def _bricks(rng: Rng) -> Surface:
    across, down = _grid()
    rows, columns = 8, 4
    row = np.floor(down * rows).astype(int)
    shift = rng.uniform(-0.12, 0.12, rows)[row] + 0.5 * (row % 2)
    place = across * columns + shift
    wobble = 0.02 * cloud(rng, 1.4)
    inner = np.maximum(
        np.abs(place % 1 - 0.5 + wobble), 0.5 - (0.5 - np.abs(down * rows % 1 - 0.5 + wobble)) * 1
    )
    gap = _ease(inner, 0.43, 0.485)
    tint = rng.normal(0, 0.13, (rows, columns))[row, np.floor(place).astype(int) % columns]
    fine, wide = cloud(rng, 0.8), cloud(rng, 1.5)
    light = 1 + tint + 0.05 * fine + 0.06 * wide
    return Surface(np.clip(gap + 0.1 * wide, 0, 1), light, -3 * gap + 0.6 * fine + 0.5 * wide)


def _draw_stripes(rng: Rng) -> Surface:
    across, _ = _grid()
    stripe = _ease(np.sin(2 * np.pi * 8 * across), -0.1, 0.1)
    worn = cloud(rng, 1.8)
    return Surface(stripe, 1 + 0.03 * worn + 0.012 * cloud(rng, 0.5), 0.1 * cloud(rng, 0.6))


def _bands(rng: Rng) -> Surface:
    """Return knitted bands, one over the other."""
    _, down = _grid()
    knit = _knit(rng)
    return Surface((down > _HALF).astype(float), knit.light, knit.height)


def _snow(rng: Rng) -> Surface:
    drift, grain = cloud(rng, 1.9, (1, 2.5)), cloud(rng, 0.5)
    return Surface(0.35 * _ease(drift, -0.5, 2), 1 + 0.03 * grain, 0.8 * grain + 0.8 * drift)


def _frost(rng: Rng) -> Surface:
    """Return patches of the second colour, like rime."""
    patches = cloud(rng, 1.45) + 0.35 * cloud(rng, 0.6)
    rime = _ease(patches, -0.35, 0.75)
    return Surface(rime, 1 + 0.05 * cloud(rng, 0.4) * rime, rime + 0.6 * cloud(rng, 0.5) * rime)


def _grass(rng: Rng) -> Surface:
    blades = cloud(rng, 0.7, (3, 1))
    return Surface(_ease(cloud(rng, 1.6), -1, 1.6), 1 + 0.16 * blades, 2 * blades)


def _paper(rng: Rng) -> Surface:
    stains, fibre = cloud(rng, 1.9), cloud(rng, 0.5)
    return Surface(0.25 * _ease(stains, 0.2, 2.5), 1 + 0.01 * fibre, 0.3 * fibre + 0.3 * stains)


Pattern = Callable[[Rng], Surface]
PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        "plain": _plain,
        "plaster": _plaster,
        "wood": _wood,
        "boards": _boards,
        "planks": _planks,
        "cloth": _cloth,
        "knit": _knit,
        "felt": _felt,
        "metal": _metal,
        "rust": _rust,
        "paint": _paint,
        "tiles": _tiles,
        "bricks": _bricks,
        "striped": _draw_stripes,
        "bands": _bands,
        "snow": _snow,
        "frost": _frost,
        "grass": _grass,
        "paper": _paper,
    }
)
"""Every pattern by the name that scenes use."""
