"""A photograph's scene as data: `library/ID/scenes/NAME.toml`.

Lengths are metres: x to the right, y away from the camera, z up. Colours are red, green and blue,
0 to 255. A table below `en` or `zh` depends on the language.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from scripts_mm.drawing.primitives.fonts import Hand
from scripts_mm.drawing.primitives.paper import Colour, Point, Size
from scripts_mm.drawing.primitives.photo_print import PrintStyle
from scripts_mm.drawing.rendered.mesh import Pair, Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The surface of a thing."""

    colour: Colour = (200, 200, 200)
    second: Colour | None = None
    """The pattern's other colour: grain, stains, rust, rime; None is a darker first one."""
    pattern: str = "plain"
    tile: float = 1
    """Metres after which the pattern repeats."""
    seed: int = 0
    rough: float = 0.6
    metal: float = 0
    coat: float = 0
    """Varnish over the surface, 0 to 1."""
    sheen: float = 0
    """Soft light at grazing angles, as on cloth, 0 to 1."""
    bump: float = 0
    """Depth of the pattern's bumps, in metres."""
    glow: float = 0
    """Light that the surface sends out."""
    glass: float = 0
    """Refractive index of a clear body; 0 is an opaque one."""
    thin: bool = False
    """Whether a clear body is a thin wall, through which light goes straight."""
    label: str = ""
    """The label that is the surface's picture; for bodies whose texture runs from 0 to 1."""
    under: str = ""
    """The material that is seen where the label is clear."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A picture on a thing, drawn by code: a sign, a page, a dial, a chart; or a picture file."""

    kind: str = "sign"
    size: Size = (256, 256)
    ground: Colour = (240, 238, 230)
    ink: Colour = (30, 30, 34)
    second: Colour = (150, 40, 40)
    hand: Hand = "sans-bold"
    text: tuple[str, ...] = ()
    """Lines, centred."""
    text_size: int = 40
    values: tuple[float, ...] = ()
    """Numbers of the kind: hour and minute of a dial, points of a chart."""
    border: int = 0
    soft: float = 0
    """Pixels over which its edges blur."""
    picture: str = ""
    """A file in place of a kind: one of the script's pictures, or else of its scenes' folder."""
    corners: tuple[Pair, ...] = ()
    """Pixels of the file where the sheet has its corners, clockwise from the upper left.

    Empty is the whole file.
    """
    gamma: float = 1
    """Power of the file's tones; above 1 its ink stays visible in a strong light."""
    alpha: bool = False
    """Whether the ground is clear, so that only the ink is on the thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A thing in the scene: its kind, place and the measures of its kind."""

    kind: str
    at: Vector = (0, 0, 0)
    turn: float = 0
    """Degrees about the vertical, counter-clockwise from above."""
    tilt: float = 0
    """Degrees about x, before `turn`."""
    roll: float = 0
    """Degrees about y, before `tilt`."""
    size: Vector = (1, 1, 1)
    material: str = ""
    other: str = ""
    """The material of the kind's second part."""
    label: str = ""
    path: tuple[Vector, ...] = ()
    profile: tuple[Pair, ...] = ()
    radius: float = 0.01
    count: int = 1
    amount: float = 0
    seed: int = 0
    closed: bool = False
    parts: Mapping[str, str] = field(default_factory=dict[str, str])
    """The materials of a figure's parts."""
    options: tuple[str, ...] = ()
    pose: Mapping[str, Vector] = field(default_factory=dict[str, Vector])
    """Places of a figure's joints that differ from those of its posture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """A source of light: a `panel` of `size`, a `bulb` of `radius`, a `spot`, or the `sun`.

    A spot's `size` is half the angle of its cone, in degrees, and an unused number.
    """

    kind: str
    at: Vector = (0, 0, 0)
    aim: Vector = (0, 0, 0)
    size: Pair = (1, 1)
    radius: float = 0.05
    light: Vector = (1, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """The photographer's place and lens."""

    at: Vector
    aim: Vector
    angle: float = 50
    """Degrees across the picture's width."""
    up: Vector = (0, 0, 1)
    aperture: float = 0
    """Radius of the opening, in metres; 0 is sharp everywhere."""
    focus: float = 0
    """Distance that is sharp, in metres; 0 is the distance of `aim`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Film:
    """How the light becomes a picture."""

    size: Size = (612, 462)
    samples: int = 6
    """Paths of light per pixel."""
    exposure: float = 1
    """Factor of the light that shows the scene's middle tones as middle grey."""
    warmth: float = 0
    """Share by which red gains on blue."""
    colour: float = 1
    """Saturation; 0 is black and white."""
    tone: Colour | None = None
    """The colour of a toned print."""
    contrast: float = 1
    grain: float = 0.02
    vignette: float = 0.3
    blur: float = 0
    """Softness of the lens, in pixels."""
    scan: float = 0
    """Depth of a video camera's lines, 0 to 1."""
    haze: float = 0
    """Light that veils the picture, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoStamp:
    """Letters on the finished photograph: a camera's clock, a number over a person."""

    at: Point
    text: str
    size: int = 26
    hand: Hand = "mono"
    fill: Colour = (240, 240, 236)
    ground: Colour | None = None
    anchor: str = "mm"
    disc: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Inset:
    """A smaller photograph that lies on the print."""

    scene: str
    at: Point
    size: Size
    angle: float
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Everything that a photograph shows, and its print."""

    camera: Camera
    film: Film = Film()
    sky: Vector = (0, 0, 0)
    """Light from all directions."""
    lamps: tuple[Lamp, ...] = ()
    things: tuple[Thing, ...] = ()
    materials: Mapping[str, Material] = field(default_factory=dict[str, Material])
    labels: Mapping[str, Label] = field(default_factory=dict[str, Label])
    frame: PrintStyle | None = None
    caption: tuple[str, ...] = ()
    """Lines below the picture."""
    stamps: tuple[PhotoStamp, ...] = ()
    insets: tuple[Inset, ...] = ()
    stills: tuple[str, ...] = ()
    """Scenes that are put side by side, two in a row, in place of this one."""
