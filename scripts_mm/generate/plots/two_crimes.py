"""Two crimes that look like one: each death has an hour, traces and a culprit of its own."""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(
    id="pair",
    acts=(Act(crime="murder"), Act(crime="second", victim="victim2")),
    seats=(1, 2, 2, 2, 3),
)
