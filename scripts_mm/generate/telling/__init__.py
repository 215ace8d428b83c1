"""Generated cases in words, English and Chinese. What is told of a frame knows no culprit."""

from scripts_mm.generate.telling.asked import factual, option, question, rationale
from scripts_mm.generate.telling.casting import Cast, cast
from scripts_mm.generate.telling.clues import ClueText, clue_text
from scripts_mm.generate.telling.openings import Opening, opening
from scripts_mm.generate.telling.roles import RoleText, role_text
from scripts_mm.generate.telling.sayings import says
from scripts_mm.generate.telling.truths import TruthText, confession, lie, truth_text

__all__ = [
    "Cast",
    "ClueText",
    "Opening",
    "RoleText",
    "TruthText",
    "cast",
    "clue_text",
    "confession",
    "factual",
    "lie",
    "opening",
    "option",
    "question",
    "rationale",
    "role_text",
    "says",
    "truth_text",
]
