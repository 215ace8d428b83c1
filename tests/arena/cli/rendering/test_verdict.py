"""What came of matches, as a person reads it."""

import io
import shlex
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from arena.cli.console.quiet_output import QuietOutput
from arena.cli.rendering.layout import UnwrappedLine
from arena.cli.rendering.verdict import (
    MAX_MATCH_ROWS,
    render_verdict,
    render_verdicts,
    replay_command,
    show_verdict,
    summary_line,
)
from arena.records.match_summary import MatchSummary
from arena.run.observer import PlannedMatch
from arena.view.i18n.en import EN
from arena.view.i18n.zh import ZH
from tests.arena.cli.console.test_sanitize import HOSTILE
from tests.arena.cli.golden_files import as_kept
from tests.arena.cli.tiny import paper, summary

UNTRAINED = summary(flags=("untrained stand-in", "naive-data:defaulted"))
BROKEN = summary(
    match="m0004", outcome="error", error_cause="the engine died twice; its log: engine.log"
)
LOST = summary(
    match="m0005",
    outcome="forfeit",
    forfeit_seat="Ada Vale",
    error_cause="9 of 16 requests ended without a valid answer",
)
MANY = (
    summary(),
    summary(match="m0002", outcome="murderer_win", cached_tokens=None),
    summary(match="m0003", outcome="draw", civilians="naive", murderer="qwen+direct"),
    replace(BROKEN, civilians="naive", murderer="qwen+direct"),
    LOST,
)


def verdict_of(*summaries: MatchSummary, width: int = 80, wall: float | None = None) -> str:
    console, stream = paper(width)
    show_verdict(console, summaries, wall=wall)
    return stream.getvalue()


def test_the_verdict_of_one_match_reads_as_it_should() -> None:
    assert as_kept("verdict-80", verdict_of(UNTRAINED))
    assert as_kept("verdict-40", verdict_of(UNTRAINED, width=40))


def test_the_verdict_of_many_matches_reads_as_it_should() -> None:
    assert as_kept("verdicts-80", verdict_of(*MANY, wall=100.0))


def test_readings_and_summaries_are_told_beside_the_turns_and_only_where_there_are_any() -> None:
    small = summary(readings=12, summaries=1)
    assert "12 pictures read, 1 summary" in " ".join(verdict_of(small).split())
    assert "24 pictures read, 2 summaries" in " ".join(verdict_of(small, small).split())
    assert "pictures read" not in verdict_of(summary())
    assert "看图 12 次、摘要 1 份" in "".join(verdict_of(replace(small, language="zh")).split("\n"))


def test_every_untrained_model_of_a_match_is_named_and_warned_of() -> None:
    both = verdict_of(summary(flags=("untrained stand-in-yi", "untrained stand-in")))
    assert "untrained stand-in-yi, untrained stand-in" in " ".join(both.split())
    assert "no result counts for a trained model" in " ".join(both.replace("│", "").split())


def test_a_chinese_match_has_a_chinese_verdict_and_a_mixed_run_an_english_one() -> None:
    assert "平民方获胜" in verdict_of(summary(language="zh"))
    assert "Verdict" in verdict_of(summary(language="zh"), summary())


def test_the_record_and_the_command_to_replay_are_whole_on_the_narrowest_screen() -> None:
    record = "runs/a night with a very long name/matches/m0001"
    lines = verdict_of(summary(record=record), width=20).split("\n")
    assert record in lines
    assert "arena replay 'runs/a night with a very long name'" in lines


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/."), min_size=1))
def test_the_command_to_replay_names_the_run_whatever_it_is_called(name: str) -> None:
    row = summary(record=f"runs/{name}/matches/m0001")
    words = shlex.split(replay_command(row, match=True))
    assert words == ["arena", "replay", f"runs/{name}", "m0001"]


def test_an_untrained_stand_in_is_named_and_warned_of() -> None:
    warned = "This was an untrained stand-in with random weights"
    assert warned in verdict_of(UNTRAINED)
    assert warned in verdict_of(summary(), UNTRAINED)
    assert warned not in verdict_of(summary())
    assert "served: standin-qwen2.5-vl" in verdict_of(UNTRAINED)


def test_the_mini_model_is_named_and_warned_of_and_not_called_untrained() -> None:
    played = summary(model_served={"civilians": "mini"}, flags=("bundled mini",))
    shown = " ".join(verdict_of(played).replace("│", "").split())
    assert "served: mini" in shown
    assert "flags bundled mini" in shown
    assert "The bundled mini model played" in shown
    assert "no result counts for another model" in shown
    assert "untrained" not in shown
    assert "迷你模型" in verdict_of(replace(played, language="zh"))
    both = verdict_of(played, UNTRAINED)
    assert "mini model" in both
    assert "This was an untrained stand-in" in both


def test_votes_name_voters_leaders_and_those_who_abstain() -> None:
    verdict = verdict_of(summary(votes={"Ada": "Bram", "Bram": "Ada", "Cora": "abstain"}))
    assert "Cora -> abstain" in verdict
    assert "Bram, Ada (1 of 2)" in verdict
    assert "nobody" in verdict_of(summary(votes={}))


def test_a_seat_has_a_vote_on_each_of_several_victims() -> None:
    votes = {
        "Otto": {"Ada": "Bram", "Bram": "Cora", "Cora": "Bram"},
        "Maud": {"Ada": "Cora", "Bram": "abstain", "Cora": "abstain"},
    }
    row = summary(votes=votes["Maud"], victim_votes=votes)
    verdict = verdict_of(row)
    for line in ("Otto: Ada -> Bram", "Maud: Ada -> Cora", "Maud: Bram -> abstain"):
        assert line in verdict
    most = "Otto: Bram (2 of 3), Maud: Cora (1 of 1)"
    assert most in verdict
    assert most in " ".join(verdict_of(row, row).split())
    assert f"most votes: {most}; guilty" in summary_line(row, EN)
    assert "Otto：Ada -> Bram" in verdict_of(replace(row, language="zh"))


def test_a_match_that_broke_off_tells_its_cause_and_not_its_secret() -> None:
    verdict = verdict_of(BROKEN)
    assert "Error, no result: the engine died twice" in verdict
    assert "Bram Finch" not in verdict
    assert "arena replay" in verdict


def test_a_match_that_broke_off_names_the_command_that_continues_its_run() -> None:
    record = "runs/a night/matches/m0001"
    one = verdict_of(replace(BROKEN, record=record)).split("\n")
    many = verdict_of(summary(record=record), replace(BROKEN, record=record)).split("\n")
    for lines in (one, many):
        assert lines[lines.index("arena resume 'runs/a night'") - 1] == (
            "  continue, when the server runs:"
        )
    assert "arena resume" not in verdict_of(summary(), LOST)
    assert "服务器恢复后继续：" in verdict_of(replace(BROKEN, language="zh"))


def test_a_forfeit_names_the_seat_and_the_cause() -> None:
    verdict = verdict_of(LOST)
    assert (
        "Forfeit by the side of Ada Vale: 9 of 16 requests ended without a valid answer." in verdict
    )


def test_win_rates_leave_errors_and_forfeits_out() -> None:
    counts = {"civ_win": 12, "murderer_win": 30, "draw": 6, "error": 2, "forfeit": 1}
    rows = [summary(outcome=outcome) for outcome, n in counts.items() for _ in range(n)]
    verdict = verdict_of(*rows)
    assert "civilians' win rate 25.0 % of 48; without draws 28.6 % of 42" in verdict
    assert "apart: forfeit 1, error 2" in verdict
    assert "civilians' win rate 0.0 % of 2\n" in verdict_of(*[summary(outcome="draw")] * 2)


def reading(**changes: object) -> MatchSummary:
    """Return a reference row: three seats that killed nobody, and one that killed each victim."""
    votes = {
        "Otto": {"Ada": "Bram", "Bram": "Cora", "Cora": "Bram", "Dov": "Ada"},
        "Maud": {"Ada": "Cora", "Bram": "Cora", "Cora": "Ada", "Dov": "abstain"},
        "Nils": {"Ada": "Cora", "Dov": "Ada"},
    }
    row = summary(
        game="reading",
        votes=votes["Nils"],
        victim_votes=votes,
        killers={"Otto": ("Bram",), "Maud": ("Cora",), "Nils": ()},
        truth=("Bram", "Cora"),
        civilians="qwen+personal",
        murderer="qwen+personal",
        uncounted="reference row: nobody played against anybody",
    )
    return replace(row, **changes)  # pyright: ignore[reportArgumentType]


def test_a_reading_is_a_reference_row_with_an_accuracy_and_no_win_rate() -> None:
    """Ada and Cora are right on Otto, Ada and Bram on Maud; nobody's vote on Nils counts."""
    rows = (reading(), reading(match="m0002", outcome="murderer_win"), reading(outcome="error"))
    verdict = " ".join(verdict_of(*rows).split())
    assert (
        "reference rows, without discussion: qwen+personal qwen+personal: 66.7 % of 12" in verdict
    )
    assert "m0002: reference row;" in verdict
    assert "apart: forfeit 0, error 1" in verdict
    assert "win rate" not in verdict
    assert "civilians win" not in verdict
    assert "qwen+personal (civilians)" not in verdict
    one = " ".join(verdict_of(reading()).split())
    assert "Reference row, not a match: no discussion, and 66.7 % of 6 votes name" in one
    assert "The civilians win." not in one


def test_each_reader_of_a_reference_row_has_its_own_accuracy() -> None:
    verdict = " ".join(verdict_of(*[reading(murderer="qwen+omniscient")] * 2).split())
    assert "qwen+personal: 50.0 % of 8" in verdict
    assert "qwen+omniscient: 100.0 % of 4" in verdict


def test_a_reference_row_on_one_victim_counts_the_votes_of_those_who_did_not_do_it() -> None:
    votes = {"Ada": "Bram", "Bram": "Ada", "Cora": "Ada"}
    row = reading(victim_votes={}, killers={}, votes=votes, truth=("Bram",))
    assert "50.0 % of 2 votes" in " ".join(verdict_of(row).split())


def test_a_match_without_a_vote_is_outside_the_win_rate_and_its_cause_is_told() -> None:
    cause = "no vote is held, so that no side can win"
    silent = summary(match="m0007", outcome="draw", votes={}, uncounted=cause)
    verdict = " ".join(verdict_of(summary(), silent, silent).split())
    assert "civilians win 1, murderer wins 0, draw 0" in verdict
    assert "civilians' win rate 100.0 % of 1 " in verdict
    assert f"not in the rate: 2 ({cause})" in verdict
    assert "m0007: no result" in verdict
    assert f"No result: {cause}." in " ".join(verdict_of(silent).split())
    assert "win rate" not in verdict_of(silent, silent)


def test_cached_tokens_are_a_share_of_those_that_were_verdict_of() -> None:
    silent = summary(cached_tokens=None)
    assert "81,234 in, - cached (-), 1,240 out" in verdict_of(silent)
    assert "162,468 in, 61,002 cached (75.1 %)" in verdict_of(silent, summary())


def test_a_run_of_many_is_timed_by_the_wall_or_not_at_all() -> None:
    assert "34 turns, 20.0 s, 1.70 turns/s" in verdict_of(summary(), summary(), wall=20.0)
    assert "34 turns, 2 answers refused" in verdict_of(summary(), summary())


def test_of_very_many_matches_all_errors_and_only_some_others_are_listed() -> None:
    rows = [summary(match=f"m{i:04}") for i in range(MAX_MATCH_ROWS + 9)]
    verdict = verdict_of(*rows, BROKEN)
    assert "... and 9 matches more" in verdict
    assert "m0049: civilians win" in verdict
    assert "m0050: civilians win" not in verdict
    assert "the engine died twice" in verdict


def test_no_match_has_no_verdict() -> None:
    assert verdict_of() == ""


def test_quiet_says_one_line_a_match() -> None:
    console, stream = paper(40)
    with QuietOutput(console) as quiet:
        quiet.on_log("starting the engine")
        quiet.on_plan((PlannedMatch(match="m0001", requests=16),))
        quiet.on_match_end(UNTRAINED)
        quiet.on_match_end(BROKEN)
    lines = stream.getvalue().splitlines()
    assert lines == [
        "m0001 [untrained stand-in, naive-data:defaulted]: The civilians win; "
        "most votes: Bram Finch (2 of 2); guilty: Bram Finch; 17 turns, 1 min 01 s; "
        "runs/2031-night/matches/m0001",
        "m0004: Error, no result: the engine died twice; its log: engine.log; 17 turns, "
        "1 min 01 s; runs/2031-night/matches/m0001",
    ]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(HOSTILE, st.integers(20, 130))
def test_no_line_but_those_to_copy_is_wider_than_the_screen(text: str, width: int) -> None:
    row = summary(
        votes={f"{text}1": f"{text}2", "b": "abstain"},
        victim_votes={text: {f"{text}1": f"{text}2"}, "c": {}},
        truth=(text,),
        flags=(f"{text} stand-in",),
        civilians=text,
        model_served={"civilians": f"{text}!"},
        error_cause=text,
    )
    for messages in (EN, ZH):
        rows = (row, replace(row, outcome="error"), replace(row, outcome="draw"))
        for block in (*render_verdict(row, messages), *render_verdicts(rows, messages, wall=3.0)):
            console, stream = paper(width)
            console.print(block)
            if not isinstance(block, UnwrappedLine):
                lines = stream.getvalue().split("\n")
                assert all(cell_len(line) <= width for line in lines)
                assert "\x1b" not in stream.getvalue()


def test_a_verdict_goes_to_any_stream() -> None:
    console, stream = paper(80)
    assert isinstance(stream, io.StringIO)
    show_verdict(console, [summary()], messages=ZH)
    assert "结果" in stream.getvalue()
