"""The report of runs made by hand: known numbers, hostile words, nothing from outside."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from arena.core.events import Outcome
from arena.core.seats import SeatId
from eval.claims.audited_claim import AuditedClaim
from eval.metrics.guards.detectors import FATAL, DetectorHit
from eval.played_match import UnreadMatch
from eval.report.collection.excerpts import Excerpt
from eval.report.elements import (
    Column,
    FigureCell,
    HeatCell,
    Quotations,
    ReportParagraph,
    RunReport,
    format_cell,
)
from eval.report.page import render_page
from eval.report.report_context import load_report_wording
from tests.eval.report.made_reports import (
    ballot,
    facts,
    report,
    said,
    series,
    table,
)
from tests.table import MURDERER, NAMES

HOSTILE = "</td><script>alert(1)</script><img src=x onerror=alert(2)> \" ' & {{ 7*7 }} \u202eabc"
EXAMPLE: tuple[tuple[Outcome, int], ...] = (
    ("civ_win", 12),
    ("murderer_win", 30),
    ("draw", 6),
    ("error", 2),
)
"""Cells whose three averages differ."""


class Tags(HTMLParser):
    """Every tag of a page with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def example() -> RunReport:
    return report(*series(EXAMPLE))


def missing(found: RunReport, section: str) -> list[str]:
    [part] = [one for one in found.sections if one.name == section]
    return [
        block.text for block in part.blocks if isinstance(block, ReportParagraph) and block.missing
    ]


def test_the_matrix_shows_both_rates_with_n_draws_forfeits_and_errors(example: RunReport) -> None:
    [(name, cell)] = table(example, "win_matrix_whodunit").rows
    assert name == "alpha"
    assert isinstance(cell, HeatCell)
    assert cell.share == 0.25
    assert cell.lines == ("25.0 % · 28.6 %", "n 48, draws 6", "forfeits 0, errors 2")


def test_the_win_rates_stand_beside_the_chance_level_in_three_conventions(
    example: RunReport,
) -> None:
    found = table(example, "win_rates_whodunit")
    [row] = found.rows
    cells = dict(zip((column.key for column in found.columns), row, strict=True))
    values = [cells[key] for key in ("win_rate", "decided_rate", "half_rate")]
    shown = [cell.value for cell in values if isinstance(cell, FigureCell)]
    assert [round(one or 0, 1) for one in shown] == [25.0, 28.6, 31.2]
    assert (cells["played"], cells["draws"], cells["errors"]) == (48, 6, 2)
    assert {column.key for column in found.columns} >= {"chance", "draw_chance", "CCW"}


@pytest.mark.slow
def test_a_pair_that_never_met_has_an_empty_cell() -> None:
    found = report(
        facts(number=1, civilians="a", murderer="b"),
        facts(number=2, civilians="c", murderer="d"),
    )
    rows = table(found, "win_matrix_whodunit").rows
    assert [[cell is None for cell in row[1:]] for row in rows] == [[False, True], [True, False]]
    assert "2 sets that never met" in table(found, "ratings_whodunit").note


def test_an_uncounted_match_is_in_no_rate_and_no_rating_but_is_told() -> None:
    found = report(
        facts(number=1, outcome="civ_win"),
        facts(number=2, outcome="draw", uncounted="nobody voted"),
    )
    [(_, cell)] = table(found, "win_matrix_whodunit").rows
    assert isinstance(cell, HeatCell)
    assert cell.share == 1
    assert cell.lines[-1] == "uncounted 1"
    assert {row[4] for row in table(found, "ratings_whodunit").rows} == {"1"}
    assert any("nobody voted" in one for one in found.warnings)


def test_an_anchor_is_marked_and_keeps_its_rating() -> None:
    wins = series((("civ_win", 3), ("murderer_win", 3)), civilians="random", murderer="beta")
    found = table(report(*wins), "ratings_whodunit")
    [anchor] = [row for row in found.rows if row[0] == "random"]
    assert (anchor[3], anchor[2]) == ("anchor", anchor[2])
    assert isinstance(anchor[2], FigureCell)
    assert anchor[2].value == 1000


def test_a_match_of_a_person_is_in_no_figure_and_the_top_says_so() -> None:
    found = report(
        facts(number=1, outcome="draw"),
        facts(number=2, outcome="civ_win", flags=("human",)),
    )
    [(_, cell)] = table(found, "win_matrix_whodunit").rows
    assert isinstance(cell, HeatCell)
    assert cell.share == 0
    assert any("Matches in which a person played: 1." in one for one in found.warnings)


def test_flags_of_matches_stand_at_the_top_before_any_figure() -> None:
    page = render_page(report(facts(flags=("untrained stand-in",))))
    flagged = page.index("untrained stand-in: 1 of 1 matches")
    assert flagged < page.index('<dl class="facts">') < page.index("<main>")
    assert '<p class="warning"' in page


@pytest.mark.slow
@pytest.mark.parametrize(("language", "word"), [("en", "random"), ("zh", "随机")])
def test_an_untrained_stand_in_is_told_first_and_its_results_count_for_nothing(
    language: str, word: str
) -> None:
    flagged = facts(flags=("repaired replies", "untrained stand-in-yi"))
    first, second, *_ = report(flagged, language=language).warnings
    assert "untrained stand-in-yi" in first
    assert word in first
    assert "untrained" not in second


@pytest.mark.parametrize(("language", "word"), [("en", "tiny"), ("zh", "规模极小")])
def test_the_mini_model_is_told_after_the_untrained_and_before_other_flags(
    language: str, word: str
) -> None:
    flagged = facts(flags=("another", "bundled mini", "untrained stand-in-yi"))
    first, second, third, *_ = report(flagged, language=language).warnings
    assert "untrained stand-in-yi" in first
    assert "bundled mini" in second
    assert word in second
    assert "another" in third


def test_a_game_that_was_played_and_not_judged_is_told_apart_from_one_that_was_not_played(
    example: RunReport,
) -> None:
    village = series((("civ_win", 1),))
    played = tuple(replace(one, summary=replace(one.summary, game="werewolf5")) for one in village)
    assert "arena match" in missing(example, "werewolf")[0]
    assert "arena judge run" in missing(report(*played), "werewolf")[0]


def test_large_numbers_have_their_thousands_apart_but_ratings_and_seeds_do_not() -> None:
    found = report(replace(facts(number=1, prompt_tokens=1234567), run="x"))
    page = render_page(found)
    assert '<td class="right">1,234,567</td>' in page
    assert '<span class="value">1000</span>' in render_page(
        report(*series((("civ_win", 3), ("murderer_win", 3)), civilians="random"))
    )
    seed = Column(key="seed", title="Seed", align="left")
    assert format_cell(123456, seed) == "123456"


def test_matches_that_were_left_out_are_counted_and_named() -> None:
    lost = UnreadMatch(run="x", match="m9", reason="the match is not finished")
    found = report(facts(), unread=(lost,))
    assert any(one.startswith("Matches that were left out: 1.") for one in found.warnings)
    assert table(found, "left_out").rows == (("x", "m9", "the match is not finished"),)


@pytest.mark.parametrize(
    ("section", "command"),
    [
        ("mirage", "arena match --game mirage"),
        ("werewolf", "arena match --game werewolf5"),
        ("choice_quiz", "--quiz after"),
        ("suspicion", "arena match --ballots"),
        ("claims", "arena scripts list"),
    ],
)
def test_a_section_without_data_says_which_command_makes_it(
    example: RunReport, section: str, command: str
) -> None:
    [line] = missing(example, section)
    assert command in line


def test_the_speech_after_which_suspicion_moved_most_is_quoted() -> None:
    speeches = [said(f"Speech {number}.", number=number) for number in range(3)]
    innocent, seat = NAMES[1], NAMES[3]
    probes = (
        ballot(seat, 2, innocent),
        ballot(seat, 3, MURDERER),
        ballot(seat, 4, MURDERER),
    )
    found = report(facts(*speeches, probes=probes))
    [part] = [one for one in found.sections if one.name == "excerpts"]
    [turn] = [block for block in part.blocks if isinstance(block, Quotations)]
    assert [quote.text for quote in turn.quotes] == ["Speech 1."]
    assert turn.quotes[0].why == "The killers' probability went from 0.0 % to 100.0 %."


def test_options_that_differ_from_the_default_are_listed_and_others_are_not(
    example: RunReport,
) -> None:
    options = table(example, "options")
    assert options.rows == ()
    assert options.note == "All options have their defaults."


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_hostile_words_and_names_stay_words(language: str) -> None:
    names: dict[str, Any] = {"civilians": HOSTILE, "murderer": f"b{HOSTILE}"}
    probes = (ballot(NAMES[3], 2, NAMES[1]), ballot(NAMES[3], 3, MURDERER))
    found = facts(said("Once."), said(HOSTILE, number=2), probes=probes, **names)
    page = render_page(report(found, language=language))
    assert "alert(1)" in page
    tags = Tags(page).found
    assert not {"script", "img", "iframe", "object", "embed"} & {tag for tag, _ in tags}
    assert not [name for _, held in tags for name in held if name.startswith("on")]
    assert "{{ 7*7 }}" in page


def test_hostile_reasons_flags_and_excerpts_stay_words() -> None:
    excerpt = Excerpt(
        kind="lie",
        weight=1,
        match=HOSTILE,
        event=1,
        speaker=HOSTILE,
        is_murderer=True,
        text=HOSTILE,
        detail=f"so {HOSTILE}",
    )
    hit = DetectorHit(detector=FATAL, seat=SeatId(HOSTILE), event=1)
    flagged = facts(flags=(HOSTILE, f"untrained {HOSTILE}"), uncounted=HOSTILE)
    found = replace(flagged, excerpts=(excerpt,), hits=(hit,))
    page = render_page(report(found, unread=(UnreadMatch(run="x", match="m", reason=HOSTILE),)))
    assert page.count("alert(1)") >= 8
    assert not {"script", "img"} & {tag for tag, _ in Tags(page).found}


def test_no_two_columns_of_a_table_have_one_key() -> None:
    probes = (ballot(NAMES[3], 2, NAMES[1]), ballot(NAMES[3], 3, MURDERER))
    lie = AuditedClaim(event=1, seat=SeatId(NAMES[0]), text="x", kind="told", category="lie")
    found = replace(facts(said("One."), said("Two.", number=2), probes=probes), claims=(lie,))
    for one in report(found).tables():
        keys = [column.key for column in one.columns]
        assert len(keys) == len(set(keys)), one.name


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_asks_nothing_of_the_network_and_forbids_it(language: str) -> None:
    probes = (ballot(NAMES[3], 2, NAMES[1]), ballot(NAMES[3], 3, MURDERER))
    page = render_page(report(facts(said("One."), said("Two.", number=2), probes=probes)))
    tags = Tags(page).found
    targets = [held[name] or "" for _, held in tags for name in ("src", "href") if name in held]
    assert all(target.startswith("#") for target in targets)
    assert not re.search(r"url\((?!#)|@import", page)
    [policy] = [held for tag, held in tags if tag == "meta" and "http-equiv" in held]
    assert (policy["content"] or "").startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert "<svg" in page


def test_both_languages_have_the_same_texts_with_the_same_names() -> None:
    english, chinese = load_report_wording("en").texts, load_report_wording("zh").texts
    assert english.keys() == chinese.keys()
    braces = re.compile(r"\{\w+\}")
    differ = [
        key for key in english if {*braces.findall(english[key])} != {*braces.findall(chinese[key])}
    ]
    assert differ == []
