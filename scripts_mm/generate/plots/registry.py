"""The registry of plots, and the choice of one for a case."""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType

from scripts_mm.generate.plots import (
    blow,
    instigator,
    locked_room,
    poison,
    staged_suicide,
    theft,
    two_crimes,
)
from scripts_mm.generate.plots.plot import Plot
from scripts_mm.generate.world import GeneratorOptions, PlotId

PLOTS: Mapping[PlotId, Plot] = MappingProxyType(
    {
        one.id: one
        for one in (
            blow.PLOT,
            poison.PLOT,
            locked_room.PLOT,
            theft.PLOT,
            staged_suicide.PLOT,
            two_crimes.PLOT,
            instigator.PLOT,
        )
    }
)
"""All plots by id. To add one, write its module and name it here and in `PlotId`."""
_LEAST_ROLES = 4


def max_seats(roles: int, plot: PlotId | None = None) -> int:
    """Return the maximum seats that a case with `roles` roles can need; without `plot`, of any."""
    plots = PLOTS.values() if plot is None else (PLOTS[plot],)
    most = (one.seats[min(max(roles - _LEAST_ROLES, 0), len(one.seats) - 1)] for one in plots)
    return max(most)


def choose_plot(seed: int, options: GeneratorOptions) -> Plot:
    """Return the plot of a case: the one asked for, or one of those that can meet the options."""
    if options.plot is not None:
        return PLOTS[options.plot]
    able = [one for one in PLOTS.values() if max_seats(options.roles, one.id) >= options.seats]
    return Random(f"{seed}/plot").choice(able)
