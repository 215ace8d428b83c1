"""Situations of a suspect: a counter-accusation, a split vote, last words of the condemned."""

from arena.players.hybrid.cases.case_moment import CaseMoment, CaseSituation
from arena.players.hybrid.cases.case_view import find_named_others, find_named_seats, own_timeline


def counter_accusation(moment: CaseMoment) -> CaseSituation | None:
    """Return situation 5: a murderer with one accuser, who gave a reason."""
    if not moment.is_murderer or len(moment.accusers) != 1:
        return None
    [accuser] = moment.accusers
    reason = moment.table.suspects[accuser].reason
    is_asked = moment.kind == "reply" and moment.asker != accuser
    if not reason or is_asked or moment.was_played("counter_accusation", accuser):
        return None
    rival, say = moment.rival, moment.say
    statement = say(
        "case.counter",
        fact=f"{reason}{'。' if moment.observation.language == 'zh' else '.'}",
        alibi=_stay(moment),
        target=rival,
        clue=moment.clue_against(rival),
    )
    return CaseSituation(
        number=5,
        family="counter_accusation",
        statement=statement,
        question=say("case.doubt_question", target=rival),
        target=rival,
        declares=rival,
        subject=accuser,
    )


def split_vote(moment: CaseMoment) -> CaseSituation | None:
    """Return situation 8: a murderer that does not lead supports another suspect at last."""
    if not moment.is_murderer or not moment.table.is_last:
        return None
    ranked = moment.table.rank(moment.innocents, moment.seat)
    most = len([one for one in moment.table.accusers(ranked[0]) if one != moment.seat])
    if moment.accusers and len(moment.accusers) >= most:
        return None
    target = ranked[min(1, len(ranked) - 1)]
    say = moment.say
    reasons = [
        one
        for one in moment.table.reasons(target)
        if moment.seat not in find_named_seats(one, moment.observation)
    ]
    reason = say("glue.suspicion", reason=reasons[0]) if reasons else moment.clue_against(target)
    return CaseSituation(
        number=8,
        family="vote_splitter",
        statement=say("case.split", target=target, reason=reason),
        question=say("case.doubt_question", target=target),
        target=target,
        declares=target,
    )


def defend_innocent(moment: CaseMoment) -> CaseSituation | None:
    """Return situation 9: more than half of the others suspect a civilian."""
    accusers = _new_condemnation(moment, "condemned_innocent")
    if moment.is_murderer or not accusers:
        return None
    say, timeline = moment.say, own_timeline(moment.observation)
    untold = [one.text for one in moment.table.key if one not in moment.table.known]
    lines = list(dict.fromkeys((*timeline, *untold)))
    witnesses = [seat for line in lines for seat in find_named_others(line, moment.observation)]
    target = next((seat for seat in witnesses if seat in moment.targets), None)
    return CaseSituation(
        number=9,
        family="condemned_innocent",
        statement=say(
            "case.innocent", timeline=" ".join(lines) if lines else say("glue.no_timeline")
        ),
        question=say("case.innocent_question", target=target) if target else "",
        target=target,
        subject=accusers,
    )


def defend_murderer(moment: CaseMoment) -> CaseSituation | None:
    """Return situation 10: more than half of the others suspect a murderer."""
    accusers = _new_condemnation(moment, "condemned_murderer")
    if not moment.is_murderer or not accusers:
        return None
    say = moment.say
    if moment.confess:
        statement = say("case.confession")
    else:
        statement = say("case.alibi", alibi=_stay(moment), link=_weakest_link(moment))
    return CaseSituation(
        number=10, family="condemned_murderer", statement=statement, subject=accusers
    )


def _new_condemnation(moment: CaseMoment, family: str) -> str:
    """Return the suspecting seats; empty: too few, or the situation was played for them before."""
    accusers = ", ".join(sorted(moment.accusers))
    is_new = moment.is_condemned and not moment.was_played(family, accusers)
    return accusers if is_new else ""


def _weakest_link(moment: CaseMoment) -> str:
    """Return the least certain accusation with a reason; of equal ones the last."""
    found = [(seat, moment.table.suspects[seat]) for seat in reversed(moment.accusers)]
    reasoned = [(seat, one) for seat, one in found if one.reason]
    if not reasoned:
        return moment.say("glue.no_link")
    seat, weakest = min(reasoned, key=lambda one: one[1].sure)
    return moment.say("glue.link", accuser=seat, fact=weakest.reason)


def _stay(moment: CaseMoment) -> str:
    """Return the place that the seat last claimed for itself."""
    said = moment.table.statements_of(moment.seat)
    if not said:
        return moment.say("glue.no_stay")
    return moment.say("glue.stay", time=said[-1].time, place=said[-1].place)
