"""Audit a match: every claim of every seat, in the order of the speeches."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from arena.core.events import ClueRevealed, VoteCast
from arena.core.observation import reaches
from arena.core.seats import SeatId
from arena.games.shared.word_matching import plain
from eval.claims.audit_case import AuditCase, PersonKnowledge
from eval.claims.audited_claim import FALSE, AuditedClaim
from eval.claims.claim_check import (
    CheckedClaim,
    TableFinding,
    categorise_statement,
    check_statement,
    reclassify_accusation,
)
from eval.claims.fact_matching import FactMatcher, WordMatcher
from eval.claims.name_mentions import PRONOUN, SPEAKER, find_person
from eval.claims.sentences import (
    is_hedged,
    is_own_name,
    is_question,
    is_reported,
    is_talk,
    split_sentences,
    strip_quotes,
)
from eval.claims.statement_parser import CaseStatement, Guilt, Stay, parse_sentence
from eval.claims.table_lookup import find_table
from eval.metrics.match_cache import cache_last_match
from eval.played_match import PlayedMatch
from scripts_mm.script import Language

_STATES: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:was|were|had|have|has|am|is|are|did|didn't|saw|heard|went|came"
        r"|took|kept|keep|sat|stood|left|knew|know|"
        r"wrote|found|met|lay|gave|got|slept|brought|fell|wore|spent|held|hold"
        r"|holds|lost|ran|paid|owed|meant|bring|told|\w{2,}ed)\b"
        r"|i'm\b|i've\b"
    ),
    "zh": re.compile(r"[了过着在是有没会]|知道|看见|听见|不能|不清|拿|欠|穿|搬|开|归"),
}
_MINE = re.compile(r"\bmy\b|我")
_CHALLENGE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"\b(?:l(?:ie|ies|ied|ying)|liar|not true|untrue|false|impossible|contradicts?"
        r"|cannot be|can't be|"
        r"can't have been|could not have|couldn't have|don't believe|do not believe"
        r"|made (?:it|that) up|invented)\b"
    ),
    "zh": re.compile("撒谎|说谎|谎话|骗|不是真的|不对|不可能|矛盾|不符|编的|编造|不相信|不信|假话"),
}


def audit_sentence(
    sentence: str, knowledge: PersonKnowledge, matcher: FactMatcher, before: str = ""
) -> tuple[CheckedClaim, ...]:
    """Return the claims of one sentence; empty if it makes none.

    `before` is the person that a pronoun refers to.
    """
    case = knowledge.case
    language = case.language
    text = plain(strip_quotes(sentence))
    if is_question(sentence, language) or is_reported(text, language):
        return ()
    if is_talk(text, language) or is_own_name(text, language):
        return ()
    stated = [
        _resolve_speaker(one, knowledge.who) for one in parse_sentence(text, case.names, before)
    ]
    guilt = [check_statement(one, knowledge) for one in stated if isinstance(one, Guilt)]
    other = [check_statement(one, knowledge) for one in stated if not isinstance(one, Guilt)]
    decided = [one for one in other if one.category != "unverifiable"]
    if not decided and (told := matcher.match(text, knowledge.who, case)) is not None:
        about = next((one.about for one in guilt), "") if _is_about(told.fact, guilt, case) else ""
        found = TableFinding(is_so=told.agrees, facts=(told.fact,))
        checked = categorise_statement("told", found, knowledge, about=about)
        decided = [replace(checked, category="lie") if told.is_lie else checked]
    if guilt:
        return (*(reclassify_accusation(one, decided, case) for one in guilt), *decided)
    if decided:
        return tuple(dict.fromkeys(decided))
    return tuple(other[:1]) or _loose_claim(text, case)


def _resolve_speaker(stated: CaseStatement, speaker: str) -> CaseStatement:
    if isinstance(stated, Stay | Guilt) and stated.who == SPEAKER:
        return replace(stated, who=speaker)
    return stated


def _is_about(fact: str, guilt: Iterable[CheckedClaim], case: AuditCase) -> bool:
    text = plain(case.table.fact(fact).says.get(case.language, ""))
    named = {one.id for one in case.names.find_people(text)}
    return any(one.about in named for one in guilt)


def _loose_claim(text: str, case: AuditCase) -> tuple[CheckedClaim, ...]:
    """Return an unparsed claim, if a sentence states something about a person."""
    people = case.names.find_people(text)
    if not (people or _MINE.search(text)) or not _STATES[case.language].search(text):
        return ()
    about = next((one.id for one in people if not one.id.startswith("@")), "")
    return (CheckedClaim(kind="other", category="unverifiable", about=about),)


@cache_last_match
def audit_claims(match: PlayedMatch) -> tuple[AuditedClaim, ...]:
    """Return every claim of a match; empty if its script has no fact table."""
    return audit_match(match, WordMatcher())


def audit_match(match: PlayedMatch, matcher: FactMatcher) -> tuple[AuditedClaim, ...]:
    """Return every claim of a match, with sentences matched to facts by `matcher`."""
    table = find_table(match)
    if table is None:
        return ()
    case = AuditCase(table=table, script=match.script)
    claims = tuple(_audit_speeches(match, case, matcher))
    return tuple(_mark_caught(match, case, claims, at) for at in range(len(claims)))


def _audit_speeches(
    match: PlayedMatch, case: AuditCase, matcher: FactMatcher
) -> Iterator[AuditedClaim]:
    people = {one: find_person(case.table, one, case.language) for one in match.started.seats}
    told: dict[str, set[SeatId]] = {}
    for said in match.utterances:
        knowledge = case.knowledge_of(
            people[said.seat], _clues_shown_to(match, said.seat, said.event)
        )
        spoken: list[tuple[str, CheckedClaim]] = []
        before = ""
        for sentence in split_sentences(said.text, case.language):
            spoken += [
                (sentence, one) for one in audit_sentence(sentence, knowledge, matcher, before)
            ]
            before = _last_person(sentence, case) or before
        all_ = [one for _, one in spoken]
        for sentence, one in spoken:
            found = reclassify_accusation(one, all_, case) if one.kind == "guilt" else one
            yield AuditedClaim(
                event=said.event,
                seat=said.seat,
                text=sentence,
                kind=found.kind,
                category=found.category,
                about=found.about,
                fact=found.fact,
                heard=bool(told.get(found.fact, set()) - {said.seat}),
                hedged=is_hedged(plain(sentence), case.language),
            )
            if found.category == "true" and found.fact:
                told.setdefault(found.fact, set()).add(said.seat)


def _clues_shown_to(match: PlayedMatch, seat: SeatId, event: int) -> Iterator[str]:
    for one in match.events[:event]:
        if isinstance(one, ClueRevealed) and reaches(one.audience, seat):
            yield one.clue


def _last_person(sentence: str, case: AuditCase) -> str:
    found = [one.id for one in case.names.find_people(plain(sentence))]
    named = [one for one in found if one not in (SPEAKER, PRONOUN)]
    return named[-1] if named else ""


def _mark_caught(
    match: PlayedMatch, case: AuditCase, claims: tuple[AuditedClaim, ...], at: int
) -> AuditedClaim:
    claim = claims[at]
    if claim.category not in FALSE:
        return claim
    vote = next(
        (number for number, one in enumerate(match.events) if isinstance(one, VoteCast)),
        len(match.events),
    )
    against = any(
        other.seat != claim.seat
        and claim.event < other.event < vote
        and other.category == "true"
        and _opposes(other, claim)
        for other in claims[at + 1 :]
    )
    return replace(claim, caught=against or _is_challenged(match, case, claim, vote))


def _opposes(other: AuditedClaim, claim: AuditedClaim) -> bool:
    if claim.kind in ("guilt", "denial"):
        return other.kind in ("guilt", "denial") and other.about == claim.about
    return bool(claim.fact) and other.fact == claim.fact


def _is_challenged(match: PlayedMatch, case: AuditCase, claim: AuditedClaim, vote: int) -> bool:
    """Return whether another seat contradicted the speaker by name before the vote."""
    liar = find_person(case.table, claim.seat, case.language)
    for said in match.utterances:
        if said.seat == claim.seat or not claim.event < said.event < vote:
            continue
        for sentence in split_sentences(said.text, case.language):
            text = plain(sentence)
            named = {one.id for one in case.names.find_people(text)}
            if said.to == claim.seat:
                named.add(liar)
            if liar in named and _CHALLENGE[case.language].search(text):
                return True
    return False
