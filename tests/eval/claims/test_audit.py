"""The claim audit on matches made by hand out of a bundled script."""

from dataclasses import replace

import pytest

from arena.core.events import ClueRevealed, Event, QuestionAsked, Said, VoteCast
from arena.core.seats import SeatId
from eval.claims.audit import audit_claims, audit_match
from eval.claims.audit_case import AuditCase
from eval.claims.audited_claim import AuditedClaim
from eval.claims.claim_metrics import METRICS
from eval.claims.fact_matching import FactMatch
from eval.claims.table_lookup import find_table
from eval.played_match import PlayedMatch
from eval.scores import Score
from scripts_mm.catalog import find_script
from scripts_mm.script import Language
from tests.eval.made import made, start

ADA, TOM, VERA, SILAS = map(SeatId, ("Ada Quill", "Tom Barrow", "Vera Lund", "Silas Holt"))
ACCUSE = "Silas Holt is the murderer."


def said(seat: SeatId, text: str) -> Said:
    """Return a speech to all."""
    return Said(seat=seat, request="r", act="statement", parts=(("text", text),))


def voted() -> VoteCast:
    """Return a ballot."""
    return VoteCast(seat=ADA, request="v", choice=TOM, audience="host")


def played(*events: Event, language: Language = "en") -> PlayedMatch:
    """Return a match of the last tram."""
    loaded = find_script("last-tram", language)
    first = replace(start(loaded.script), script_sha256=loaded.sha256)
    return made(*events, script=loaded.script, started=first)


def claims(*events: Event, language: Language = "en") -> tuple[AuditedClaim, ...]:
    """Return the claims of a match of the last tram."""
    return audit_claims(played(*events, language=language))


def categories(seat: SeatId, text: str, language: Language = "en") -> list[str]:
    """Return the categories of the claims of one speech."""
    return [one.category for one in claims(said(seat, text), language=language)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seat", "text", "category", "fact"),
    [
        (VERA, "At 11:20 pm I sat in car 31.", "true", "vera"),
        (VERA, "I wasn't in car 31 at 23:20.", "lie", "vera"),
        (VERA, "Ada stood in car 31 at half past eleven.", "true", "ada"),
        (VERA, "Ada was in the pay office at 23:20.", "lie", "ada"),
        (SILAS, "Ada was in the pay office at 23:20.", "error", "ada"),
        (TOM, "When Gant was killed I was in car 31.", "lie", "scene"),
        (TOM, "I never left car 31 at 23:31.", "lie", "scene"),
        (TOM, "I did not kill him.", "lie", ""),
        (ADA, "I did not kill him.", "true", ""),
        (ADA, "Tom did not kill him.", "error", ""),
        (TOM, ACCUSE, "lie", ""),
        (ADA, ACCUSE, "unsupported", ""),
        (SILAS, "I was in the garden at nine.", "unverifiable", ""),
        (ADA, "Gant was already dead at 23:10.", "lie", "alive"),
        (ADA, "The recorder was ten minutes fast.", "true", "fast"),
        (ADA, "The recorder was not fast by ten minutes.", "error", "fast"),
    ],
)
def test_a_statement_gets_its_category_and_the_fact_that_decides_it(
    seat: SeatId, text: str, category: str, fact: str
) -> None:
    [claim] = claims(said(seat, text))

    assert (claim.category, claim.fact) == (category, fact)
    assert (claim.seat, claim.text, claim.event) == (seat, text, 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seat", "text", "category"),
    [
        ("卢阿凤", "晚上十一点二十分我坐在31号车里。", "true"),
        ("卢阿凤", "23:20我不在31号车。", "lie"),
        ("何世安", "23:20秦素兰在票务室。", "error"),
        ("马小川", "人不是我杀的。", "lie"),
        ("秦素兰", "凶手就是何世安。", "unsupported"),
        ("秦素兰", "打卡钟快了十分钟。", "true"),
    ],
)
def test_chinese_statements_are_audited_too(seat: SeatId, text: str, category: str) -> None:
    assert categories(seat, text, "zh") == [category]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "Were you in the pay office at 23:20?",
        "Ada said that she was in the pay office at 23:20.",
        "He wrote “I was in the pay office at 23:20”.",
        "Let us talk about the pay office.",
        "I am Vera Lund.",
        "I vote for Tom.",
    ],
)
def test_questions_quotations_and_talk_about_the_talk_are_no_claims(text: str) -> None:
    assert [one.category for one in claims(said(VERA, text)) if one.kind == "stay"] == []
    assert not text.startswith(("Were", "Ada", "Let", "I ")) or categories(VERA, text) == []


def test_a_clue_that_the_speaker_saw_makes_a_lie_of_an_error() -> None:
    speech = said(VERA, "Silas was in the pay office at 23:15.")
    clue = ClueRevealed(clue="calls", audience=(VERA,))
    other = ClueRevealed(clue="calls", audience=(ADA,))

    assert [one.category for one in claims(speech)] == ["error"]
    assert [one.category for one in claims(other, speech)] == ["error"]
    assert [one.category for one in claims(clue, speech)] == ["lie"]
    assert [one.category for one in claims(speech, clue)] == ["error"]


def test_an_accusation_with_a_true_fact_about_the_accused_is_no_unsupported_one() -> None:
    fact = "Silas was at the Harbour at 23:15. "

    assert categories(ADA, ACCUSE) == ["unsupported"]
    assert categories(ADA, fact + ACCUSE) == ["true", "error"]
    assert categories(ADA, "Vera sat in car 31 at 23:20. " + ACCUSE) == ["true", "unsupported"]


def test_he_means_who_was_named_last() -> None:
    found = claims(said(VERA, "I know Silas well. He was in car 31 at 23:15."))

    assert [(one.about, one.category) for one in found][-1] == ("silas", "error")


@pytest.mark.slow
def test_a_lie_is_caught_by_a_contradiction_or_a_challenge_before_the_vote_only() -> None:
    lie = said(VERA, "I was in the pay office at 23:20.")
    right = said(ADA, "Vera was in car 31 at 23:20.")
    named = said(SILAS, "Vera is lying.")
    asked = QuestionAsked(seat=SILAS, request="q", to=VERA, text="That is not true, is it?")
    other = said(SILAS, "Tom is lying.")
    own = said(VERA, "I was in car 31 at 23:20.")

    def caught(*events: Event) -> bool:
        return next(one.caught for one in claims(*events) if one.category == "lie")

    assert caught(lie, right, voted())
    assert caught(lie, named, voted())
    assert caught(lie, asked, voted())
    assert not caught(lie, voted(), right, named)
    assert not caught(right, named, lie, voted())
    assert not caught(lie, other, voted())
    assert not caught(lie, own, voted())


def test_a_claim_tells_whether_its_fact_was_heard_before_and_whether_it_is_a_guess() -> None:
    first = said(ADA, "Vera was in car 31 at 23:20.")
    second = said(SILAS, "I think Vera was in the pay office at 23:20.")

    assert [(one.heard, one.hedged) for one in claims(first, second)] == [
        (False, False),
        (True, True),
    ]
    assert [one.heard for one in claims(second, first)] == [False, False]
    assert [one.heard for one in claims(first, first)] == [False, False], "it told it itself"


def rates_of(match: PlayedMatch) -> list[Score]:
    return [score for metric in METRICS for score in metric.measure(match)]


def test_rates_count_lies_errors_accusations_and_what_is_caught() -> None:
    match = played(
        said(VERA, "I was in the pay office at 23:20. I sat in car 31 at 23:30. I liked tea."),
        said(SILAS, "Ada was in the pay office at 23:20. Tom killed him."),
        said(ADA, "Vera was in car 31 at 23:20."),
        voted(),
    )
    rates = {(one.metric, one.seat): (one.numerator, one.denominator) for one in rates_of(match)}

    assert rates["claim_lie", VERA] == (1, 2)
    assert rates["claim_lie_caught", VERA] == (1, 1)
    assert rates["claim_error", SILAS] == (1, 1)
    assert rates["claim_unsupported", SILAS] == (1, 1)
    assert rates["claim_unverifiable", VERA] == (1, 3)
    undefined = {one.metric for one in rates_of(match) if one.seat == TOM and one.value is None}
    assert undefined == {metric.name for metric in METRICS}


def test_an_accusation_that_the_table_decides_is_in_both_parts_of_a_rate() -> None:
    false = said(ADA, "Silas was at the Harbour at 23:15. " + ACCUSE)
    assert [(one.kind, one.category) for one in claims(false)] == [
        ("stay", "true"),
        ("guilt", "error"),
    ]
    rates = {one.metric: one for one in rates_of(played(false, false)) if one.seat == ADA}
    assert (rates["claim_error"].numerator, rates["claim_error"].denominator) == (2, 4)
    assert (rates["claim_lie"].numerator, rates["claim_lie"].denominator) == (0, 4)


def test_a_script_that_is_not_the_bundled_one_or_has_no_table_is_not_audited() -> None:
    match = played(said(TOM, "I did not kill him."))
    changed = made(
        said(TOM, "I did not kill him."), script=match.script, started=start(match.script)
    )

    assert find_table(match) is not None
    assert find_table(changed) is None
    assert rates_of(changed) == []
    assert rates_of(made()) == []


def test_a_model_may_match_sentences_to_facts_and_the_table_decides() -> None:
    class Model:
        def match(self, sentence: str, speaker: str, case: AuditCase) -> FactMatch | None:
            return FactMatch(fact="fast", agrees="right" not in sentence)

    match = played(
        said(ADA, "I know our clock had a way of its own."), said(VERA, "We had the right time.")
    )

    assert [one.category for one in audit_claims(match)] == ["unverifiable", "unverifiable"]
    assert [(one.category, one.fact) for one in audit_match(match, Model())] == [
        ("true", "fast"),
        ("error", "fast"),
    ]
