"""The plots of generated cases: what the crime is, and which facts lead to whom."""

from scripts_mm.generate.plots.plot import Act, Plot
from scripts_mm.generate.plots.registry import PLOTS, choose_plot, max_seats

__all__ = ["PLOTS", "Act", "Plot", "choose_plot", "max_seats"]
