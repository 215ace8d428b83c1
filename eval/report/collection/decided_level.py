"""The chance level of the decided matches: how often blind votes that decide a match win it."""

from eval.metrics.chance_levels import chance_terms
from eval.played_match import PlayedMatch
from eval.scores import Score, make_score

DECIDED_LEVEL = "decided_level"
"""The level of `win_rate_decided`. It is no metric: reports alone show it."""


def score_decided_level(match: PlayedMatch) -> Score | None:
    """Return P(win) / (1 - P(draw)) of the vote of a decided match; None: it was not decided.

    The value is None where there is no such level, as for a match of several votes: their
    outcomes make one by the rule of the match.
    """
    if not match.is_played or match.summary.uncounted or match.summary.outcome == "draw":
        return None
    terms = chance_terms(match)
    share = terms[0].level.win_excluding_draws if len(terms) == 1 else None
    return make_score(match, DECIDED_LEVEL, value=None if share is None else float(share))
