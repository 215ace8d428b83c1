"""Draw the curves of a training: `python -m arena.training.curves LOG PICTURE`."""

import json
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from arena.errors import ConfigError
from arena.install_advice import install_command
from arena.training.lookup import CHOOSE, GATHER, MATCH, POINT, QUESTION, START, TALLY, Head

_PANELS: Final = (
    ("right tokens in replies, by kind", "share", "_right"),
    ("right first tokens of replies", "share", "_first_right"),
    ("loss of attention targets", "nats", ""),
)
_KINDS: Final = ("short", "interview", "prose", "episode", "match", "read", "copy", "ballot")
_HEADS: Final[dict[str, Head]] = {
    "gather": GATHER, "start": START, "match": MATCH, "question": QUESTION, "choose": CHOOSE,
    "point": POINT, "tally": TALLY,
}  # fmt: skip
_BAD_INPUT: Final = 2
_SMOOTHING: Final = 5
"""Number of log lines in a moving mean."""


def main(
    log: Annotated[Path, typer.Argument(help="log.jsonl of a training.")],
    picture: Annotated[Path, typer.Argument(help="Output file of the curves; .png or .svg.")],
) -> None:
    """Plot the values of a training log over its steps."""
    rows = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    try:
        figure = draw_curves(rows)
    except ConfigError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(_BAD_INPUT) from error
    figure.savefig(picture, dpi=100)


def draw_curves(rows: list[dict[str, float]]) -> Any:
    """Return matplotlib's figure of a log's lines; ConfigError where matplotlib is missing."""
    figure: Any = _load_figure_type()(figsize=(15, 4.5), layout="constrained")
    for panel, (title, unit, ending) in zip(figure.subplots(1, 3), _PANELS, strict=True):
        keys = {one: f"{one}{ending}" for one in (*_KINDS, "squares")}
        if not ending:
            keys = {name: f"head {layer}.{head}" for name, (layer, head) in _HEADS.items()}
        for name, key in keys.items():
            found = [(row["step"], row[key]) for row in rows if key in row]
            if found:
                steps, values = zip(*found, strict=True)
                panel.plot(steps, _smooth(values), label=name)
        panel.set_title(title)
        panel.set_xlabel("step")
        panel.set_ylabel(unit)
        panel.legend(fontsize=8)
        panel.grid(alpha=0.3)
    return figure


def _load_figure_type() -> Any:
    try:
        return import_module("matplotlib.figure").Figure
    except ImportError as error:
        raise ConfigError(
            "curves need matplotlib, which is not installed; install it with "
            f"`{install_command('tools')}`"
        ) from error


def _smooth(values: tuple[float, ...]) -> list[float]:
    return [
        sum(part) / len(part)
        for part in (values[max(0, at + 1 - _SMOOTHING) : at + 1] for at in range(len(values)))
    ]


if __name__ == "__main__":
    typer.run(main)
