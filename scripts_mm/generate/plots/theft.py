"""A theft gone wrong: nobody wished the victim dead; what was stolen leads to the thief.

The dust in the stolen thing gives its hiding-place, and the alibis that count are those away from
there at the time of the hiding, not at the time of the death.
"""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(
    id="theft",
    acts=(Act(crime="murder", scene="hidden"),),
    trait="wrap",
    unfit=frozenset({"reach", "script"}),
    styles=("events",),
)
