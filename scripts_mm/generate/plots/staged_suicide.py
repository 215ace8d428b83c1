"""A staged suicide: a detail shows that another hand did it, the farewell letter shows whose."""

from scripts_mm.generate.plots.plot import Act, Plot

PLOT = Plot(
    id="staged",
    acts=(Act(crime="murder", scene="argued"),),
    trait="farewell",
    is_indoors=True,
    unfit=frozenset({"reach"}),
)
