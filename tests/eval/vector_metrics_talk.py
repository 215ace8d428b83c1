"""Indexes of MIRAGE and ThinkThrice, likeness of texts, suspicion, calibration and propagation."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from statistics import fmean
from typing import Any

from arena.core.events import ClueRevealed
from arena.core.purposes import Purpose
from arena.core.seats import SeatId
from eval.figures import summarise
from eval.metrics.accusation_curves import accusation_auc, turning_point
from eval.metrics.calibration import brier_binary, brier_multiclass, ece, log_loss_binary
from eval.metrics.fact_spread.propagation import trace_facts
from eval.metrics.fact_spread.tracked_facts import FactMention, TrackedFact
from eval.metrics.papers.mirage import CIC, fii, fii_released, tii
from eval.metrics.papers.mirage_abilities import ici, sci
from eval.metrics.papers.thinkthrice import Rate, informed_accuracy
from eval.metrics.papers.victory import victory
from eval.metrics.similarity import (
    jaccard_token3,
    mean_embedding_cosine,
    rouge_l,
    tfidf_cosine,
)
from tests import table
from tests.arena.games.mirage.scenes import (
    case,
    finds,
    play,
    requests_of,
    searches,
    start,
)
from tests.arena.games.mirage.test_phases import JUDGING
from tests.eval.made import made
from tests.eval.metrics.speeches import ADA, opened


def _indexes(given: dict[str, float]) -> dict[str, float | None]:
    abilities = (given[name] for name in ("ra", "cc", "do", "ct"))
    return {"ici": ici(*abilities), "sci": sci(given["rp"], given["rouge_l_percent"] / 100)}


def _mean_victory(given: dict[str, list[int]]) -> float:
    """Return the mean over rankings that have the culprit at these places, as a percentage."""
    found = (victory({str(n): -n for n in range(1, 12)}, [str(r)]) for r in given["culprit_ranks"])
    return 100 * fmean(one for one in found if one is not None)


def _messages(given: dict[str, int]) -> int:
    """Return the requests of a played match, with the messages of clues and the judge's calls."""
    script = case(given["roles"], given["stages"], clues=finds("shed", 25))
    options: dict[str, Any] = {"raters": "observer", "vote": "doubt", "self_vote": True}
    state = play(searches(given["clues_found"]), start(script, rounds=given["rounds"], **options))
    return len(requests_of(state)) + given["clues_found"] + JUDGING * given["roles"]


def _spread(given: dict[str, Any]) -> dict[str, float | None]:
    owner = SeatId(given["owner"])
    told = FactMention(event=given["disclosed_at"], seat=owner, fact="k")
    uses = [
        FactMention(event=event, seat=SeatId(seat), fact="k")
        for seat, event in given["first_use"].items()
    ]
    (spread,) = trace_facts([TrackedFact(id="k", owners=(owner,))], [told, *uses], given["seats"])
    return {"reach": spread.reach, "mean_delay": spread.delay}


def _cic(found: int, total: int) -> float | None:
    """Return CIC of a match in which so many clues were found."""
    clues = finds("shed", total)
    events = (
        ClueRevealed(clue=one.id, cause="found", finder=ADA, audience="all")
        for one in clues[:found]
    )
    match = made(opened(ADA, Purpose.ACT), *events, script=replace(table.case(), clues=clues))
    [figure] = summarise(CIC.measure(match), ())
    return figure.macro


METRICS: Mapping[str, Callable[[Any], Any]] = {
    "tii": lambda given: tii(given["suspicion"], given["trust"]),
    "fii": lambda given: fii(given["suspicion"], given["trust"]),
    "fii_released": lambda given: fii_released(given["suspicion"], given["trust"], given["max"]),
    "cic": lambda given: _cic(given["found"], given["total"]),
    "cic_pooled": lambda given: CIC.scale * (_cic(sum(given["found"]), given["total"]) or 0),
    "ici": lambda given: ici(**given),
    "sci": lambda given: sci(given["rp"], given["rouge_l"]),
    "ici_sci": _indexes,
    "victory": lambda given: victory(given["scores"], given["culprits"], given["ties"]),
    "victory_mrr": _mean_victory,
    "mirage_messages": _messages,
    "rouge_l": lambda given: rouge_l(given["hypothesis"], given["reference"]),
    "jaccard_token3": lambda given: jaccard_token3(given["left"], given["right"]),
    "tfidf_cosine": lambda given: tfidf_cosine(given["left"], given["right"]),
    "mean_embedding_cosine": lambda given: mean_embedding_cosine(given["left"], given["right"]),
    "identification_accuracy": lambda given: (
        Rate(right=given["ballots_for_murderer"], asked=given["ballots"]).value
    ),
    "informed_accuracy": lambda given: (
        informed_accuracy(given["correct"], given["rationale"]).value
    ),
    "accusation_auc": lambda given: accusation_auc(given["p"]),
    "turning_point": lambda given: turning_point(given["p_murderer"], given["p_best_other"]),
    "brier_binary": lambda given: brier_binary(given["p"], given["y"]),
    "brier_multiclass": lambda given: brier_multiclass(given["p"], given["true"]),
    "log_loss_binary": lambda given: log_loss_binary(given["p"], given["y"], given["clip"]),
    "ece": lambda given: ece(given["p"], given["y"], given["bins"]),
    "clue_propagation": _spread,
}
