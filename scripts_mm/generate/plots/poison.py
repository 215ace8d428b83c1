"""Poison: it counts who could reach the vessel, unwatched, and who had what was in it.

Everybody sat at the table when the victim died, so that hour clears nobody. A laboratory finding
says what carried the poison; another fact says where it was; only then do alibis count.
"""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(
    id="poison",
    acts=(Act(crime="murder", scene="hidden"),),
    trait="poison",
    unfit=frozenset({"reach", "code", "script"}),
    styles=("events",),
)
