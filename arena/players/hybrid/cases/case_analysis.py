"""The analysis of a murder mystery: its step, and parsing of the model's reply."""

from typing import Final

from arena.core.actions import Reply
from arena.core.option_labels import list_options
from arena.core.quoting import quote
from arena.players.hybrid.cases.case_table import CaseFindings, read_case
from arena.players.hybrid.cases.case_view import PrivateFact, own_facts
from arena.players.hybrid.hybrid_phrases import HybridPhrases
from arena.players.methods.method_steps import MethodStep, Turn

_TOKENS: Final = 512


def analysis_step(turn: Turn, phrases: HybridPhrases) -> MethodStep:
    """Return the step of the analysis; that of a civilian numbers its own facts."""
    victims = list_options(turn.observation.victims, turn.language)
    several = len(turn.observation.victims) > 1
    lines = "\n".join(
        f"{number}. {quote(one.text)}" for number, one in enumerate(_facts_to_list(turn), start=1)
    )
    return MethodStep(
        name="analysis",
        instruction=phrases(
            "analysis.case",
            victims=" " + phrases("analysis.victims", victims=victims) if several else "",
            facts="\n" + phrases("analysis.facts", facts=lines) if lines else "",
        ),
        tokens=_TOKENS,
    )


def read_analysis(turn: Turn, listed: Reply | None) -> CaseFindings:
    """Return the findings that can be parsed from the reply to the analysis."""
    return read_case(
        "" if listed is None else listed.values[0][1],
        turn.observation.seats,
        turn.language,
        facts=_facts_to_list(turn),
        victims=turn.observation.victims,
    )


def _facts_to_list(turn: Turn) -> tuple[PrivateFact, ...]:
    return () if turn.observation.is_murderer else own_facts(turn.observation)
