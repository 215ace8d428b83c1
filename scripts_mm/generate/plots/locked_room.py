"""A locked room: the bolt tells which trick drew it from outside, and few know that one."""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(id="locked", acts=(Act(crime="murder"),), trait="bolt", is_indoors=True)
