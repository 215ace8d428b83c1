"""Texts of generated cases, English and Chinese. Texts of a frame do not depend on the culprit."""

from scripts_mm.generate.text.cast import Cast, sample_cast
from scripts_mm.generate.text.clue_text import ClueText, render_clue
from scripts_mm.generate.text.fact_sentences import render_fact
from scripts_mm.generate.text.opening_text import OpeningText, render_opening
from scripts_mm.generate.text.private_scripts import RoleText, render_role
from scripts_mm.generate.text.question_text import (
    render_factual,
    render_option,
    render_question,
    render_rationale,
)
from scripts_mm.generate.text.solution_text import (
    TruthText,
    render_confession,
    render_lie,
    render_truth,
)

__all__ = [
    "Cast",
    "ClueText",
    "OpeningText",
    "RoleText",
    "TruthText",
    "render_clue",
    "render_confession",
    "render_fact",
    "render_factual",
    "render_lie",
    "render_opening",
    "render_option",
    "render_question",
    "render_rationale",
    "render_role",
    "render_truth",
    "sample_cast",
]
