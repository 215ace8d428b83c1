"""The 14 situations of a murder mystery, in order: the first whose condition holds is played.

Situation 2, the introduction, is a separate request.
"""

from collections.abc import Callable
from typing import Final

from arena.core.events import QuestionAsked
from arena.core.seats import SeatId
from arena.players.hybrid.cases.case_defence import (
    counter_accusation,
    defend_innocent,
    defend_murderer,
    split_vote,
)
from arena.players.hybrid.cases.case_moment import CaseMoment, CaseSituation
from arena.players.hybrid.cases.case_view import PrivateFact, last_near_victim


def find_situation(moment: CaseMoment) -> CaseSituation | None:
    """Return the first situation that holds; None: play the model's text."""
    rules = ANSWER_RULES if moment.kind == "reply" else RULES
    return next((found for rule in rules if (found := rule(moment)) is not None), None)


def _end_talk(moment: CaseMoment) -> CaseSituation | None:
    closed = [one for one in moment.past if one.family == "close_round"]
    if not closed or closed[-1].subject != moment.fingerprint:
        return None
    return CaseSituation(number=1, family="done", statement=moment.say("case.done"), says="done")


def _decisive_fact(moment: CaseMoment) -> CaseSituation | None:
    fact = None if moment.is_murderer else _find_untold(moment)
    if fact is None:
        return None
    say = moment.say
    source = say("glue.source_clue", title=fact.clue) if fact.clue else say("glue.source_own")
    return CaseSituation(
        number=3,
        family="decisive_fact",
        statement=say("case.fact", fact=fact.text, source=source),
        question=say("case.fact_question", target=fact.seat),
        target=fact.seat,
        subject=fact.text,
    )


def _find_untold(moment: CaseMoment) -> PrivateFact | None:
    """Return the first decisive fact that is not public and whose seat can be asked."""
    for fact in moment.table.key:
        if fact in moment.table.known:
            continue
        can_ask = moment.kind == "speech" or fact.seat in moment.targets
        if can_ask and not moment.was_played("decisive_fact", fact.text):
            return fact
    return None


def _plant_doubt(moment: CaseMoment) -> CaseSituation | None:
    if not moment.is_murderer or moment.accusers or moment.turns:
        return None
    rival, say = moment.rival, moment.say
    return CaseSituation(
        number=4,
        family="planted_doubt",
        statement=say("case.doubt", clue=moment.clue_against(rival), target=rival),
        question=say("case.doubt_question", target=rival),
        target=rival,
        declares=rival,
    )


def _opening(moment: CaseMoment) -> CaseSituation | None:
    if moment.turns or moment.table.suspects:
        return None
    found = last_near_victim(moment.observation)
    target = found if found in moment.targets or not moment.targets else moment.targets[0]
    if target is None:
        return None
    victims = moment.observation.victims
    victim = moment.about or (victims[0] if victims else "-")
    question = moment.say("case.timeline_question", target=target, victim=victim)
    if _was_asked(moment, target, question):
        return None
    return CaseSituation(number=6, family="opening_first", question=question, target=target)


def _was_asked(moment: CaseMoment, seat: SeatId, question: str) -> bool:
    """Return whether a seat was already asked these words."""
    return any(
        isinstance(event, QuestionAsked) and event.to == seat and event.text == question
        for event in moment.observation.events
    )


def _opening_later(moment: CaseMoment) -> CaseSituation | None:
    if moment.is_first_round or any(one.where == moment.where for one in moment.turns):
        return None
    say, allowed = moment.say, moment.targets or moment.others
    for seat, text in moment.table.clashes:
        if seat in allowed:
            return CaseSituation(
                number=7,
                family="opening_later",
                statement=say("case.clash", clash=f"{seat}: {text}."),
                question=say("case.clash_question", target=seat),
                target=seat,
            )
    for seat, text in moment.table.open:
        if seat in allowed:
            return CaseSituation(
                number=7,
                family="opening_later",
                statement=say("glue.unanswered", target=seat, question=text),
                question=say("case.fact_question", target=seat),
                target=seat,
            )
    return None


def _close_round(moment: CaseMoment) -> CaseSituation | None:
    suspects = moment.table.suspects
    if moment.is_murderer or not all(seat in suspects for seat in moment.others):
        return None
    here = any(one.where == moment.where and one.family == "close_round" for one in moment.turns)
    suspect = moment.suspect
    if here or suspect is None:
        return None
    return CaseSituation(
        number=11,
        family="close_round",
        statement=moment.say("case.close", target=suspect, reasons=moment.list_reasons(suspect)),
        declares=suspect,
        subject=moment.fingerprint,
    )


def _last_word(moment: CaseMoment) -> CaseSituation | None:
    suspect = moment.suspect
    if moment.is_murderer or not moment.table.is_last or suspect is None:
        return None
    return CaseSituation(
        number=12,
        family="last_word",
        statement=moment.say("case.last", target=suspect, reasons=moment.list_reasons(suspect)),
        declares=suspect,
    )


def _ask_undeclared(moment: CaseMoment) -> CaseSituation | None:
    if moment.is_first_round:
        return None
    allowed = moment.targets or moment.others
    for seat in allowed:
        if seat not in moment.table.suspects and not moment.was_played("undeclared", seat):
            question = moment.say("case.undeclared_question", target=seat)
            return CaseSituation(
                number=13, family="undeclared", question=question, target=seat, subject=seat
            )
    return None


def _skip(moment: CaseMoment) -> CaseSituation | None:
    if moment.has_text:
        return None
    statement = moment.say("case.wait")
    return CaseSituation(number=14, family="skip", statement=statement, says="skip")


_Rule = Callable[[CaseMoment], CaseSituation | None]
RULES: Final[tuple[_Rule, ...]] = (
    _end_talk,
    _decisive_fact,
    _plant_doubt,
    counter_accusation,
    _opening,
    _opening_later,
    split_vote,
    defend_innocent,
    defend_murderer,
    _close_round,
    _last_word,
    _ask_undeclared,
    _skip,
)
"""In the order of docs/hybrid.md."""
ANSWER_RULES: Final[tuple[_Rule, ...]] = (
    counter_accusation,
    defend_innocent,
    defend_murderer,
    _skip,
)
"""A question must be answered, so only situations of defence precede the model's answer."""
