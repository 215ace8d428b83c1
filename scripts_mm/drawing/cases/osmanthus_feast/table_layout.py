"""The layout of the table as found, shared by both languages."""

from scripts_mm.drawing.plans.seating_plan import CupState, TableDish

_DISHES = (
    ("A", 0, (222, 170, 118)),
    ("B", 45, (236, 214, 170)),
    ("C", 90, (214, 206, 190)),
    ("D", 135, (120, 110, 100)),
    ("E", 180, (226, 140, 96)),
    ("F", 225, (170, 192, 120)),
    ("G", 270, (176, 110, 78)),
    ("H", 315, (226, 220, 200)),
)
CUPS: tuple[CupState, ...] = (
    "full",
    "broken",
    "empty",
    "empty",
    "empty",
    "empty",
    "empty",
    "full",
)
"""The cups as found, clockwise from the empty place."""
SHELLS = (False, False, True, True, True, True, True, True)
"""The places with remains of crabs."""
LIQUEUR = 6
"""The place with a separate liqueur glass."""
BEAN_CURD = 1


def make_dishes(marks: str) -> tuple[TableDish, ...]:
    """Return the eight cold plates, the crabs and the pot; `marks` are their ten letters."""
    cold = tuple(
        TableDish(mark=marks[nth], turn=turn, reach=0.50, colour=colour)
        for nth, (_, turn, colour) in enumerate(_DISHES)
    )
    crabs = TableDish(mark=marks[8], turn=0, reach=0.0, colour=(226, 128, 80), radius=40)
    pot = TableDish(mark=marks[9], turn=112, reach=0.66, colour=(190, 194, 202), radius=17)
    return (*cold, crabs, pot)
