"""The chance level of decided matches: P(win) of random votes, given a decision."""

from eval.metrics.chance_levels import chance_terms
from eval.played_match import PlayedMatch
from eval.scores import Score, make_score

DECIDED_LEVEL = "decided_level"
"""The level of `win_rate_decided`. It is not a metric: only reports show it."""


def score_decided_level(match: PlayedMatch) -> Score | None:
    """Return P(win) / (1 - P(draw)) of the vote of a decided match; None: undecided.

    The value is None if there is no such level, for example for a match with several votes, whose
    outcomes are combined by the match's rule.
    """
    if not match.is_played or match.summary.uncounted or match.summary.outcome == "draw":
        return None
    terms = chance_terms(match)
    share = terms[0].level.win_excluding_draws if len(terms) == 1 else None
    return make_score(match, DECIDED_LEVEL, value=None if share is None else float(share))
