"""The tide of the night of 14 November, shared by the languages."""

from scripts_mm.drawing.documents.tide_table import TideExtreme

EXTREMES: tuple[TideExtreme, ...] = (
    (12.63, 0.9),
    (18.87, 5.6),
    (25.07, 1.0),
    (31.27, 5.4),
    (37.5, 1.1),
)
"""Alternating low and high waters; those at 18:52 and 07:16 are high."""
HOURS = (14, 36)
LEVEL = 3.6
"""Metres at which the Neck falls dry: at 21:45 and 10:05; it goes under at 16:05 and 04:30."""
