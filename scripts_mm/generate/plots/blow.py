"""A blow: the hour of the death tells who was unseen, the traces tell whom they fit."""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(id="blow", acts=(Act(crime="murder"),))
