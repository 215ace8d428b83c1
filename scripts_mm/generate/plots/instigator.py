"""Instigator and hand: the hour and the traces give the hand, the order gives its author."""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(
    id="hand",
    acts=(Act(crime="murder"), Act(crime="order", is_timed=False, is_order=True)),
    seats=(2, 2, 2, 3, 3),
)
