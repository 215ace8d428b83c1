"""The picture of a comparison: matches an hour and hit rate over offered matches."""

import importlib
from io import BytesIO
from typing import Any

from arena.bench.compare import Compared


def scaling_png(compared: Compared) -> bytes:
    """Return a PNG of the scaling sweep."""
    # Only a report needs matplotlib, which takes half a second to import.
    backend: Any = importlib.import_module("matplotlib.backends.backend_agg")
    drawing: Any = importlib.import_module("matplotlib.figure")
    figure = drawing.Figure(figsize=(9, 4), dpi=120, layout="constrained")
    left, right = figure.subplots(1, 2)
    for (name, by_level), mark in zip(compared.scaling.items(), "os^v", strict=False):
        levels = sorted(by_level)
        left.plot(levels, [by_level[one].matches_per_h for one in levels], f"{mark}-", label=name)
        hits = [by_level[one].hit_rate for one in levels]
        if None not in hits:
            right.plot(levels, hits, f"{mark}-", label=name)
    for axes, title in ((left, "matches an hour"), (right, "hit rate of the prefix cache")):
        axes.set_xscale("log", base=2)
        axes.set_xlabel("offered matches")
        axes.set_title(title)
        axes.grid(visible=True, alpha=0.3)
        axes.set_ylim(bottom=0)
        axes.legend()
    figure.suptitle(f"{compared.facts.name}, {compared.facts.engine}")
    out = BytesIO()
    backend.FigureCanvasAgg(figure).print_png(out)
    return out.getvalue()
