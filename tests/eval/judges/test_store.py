"""Judgements beside a run, and what stands with every judged table."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import RecordError
from eval.judges.judge_model import JudgeSample
from eval.judges.judge_runner import JudgeJob
from eval.judges.judging_results import (
    repeat_deviation,
    sum_cost,
    summarise_judging,
    summarise_preferences,
)
from eval.judges.model_questionnaires import fill_questionnaires, summarise_forms
from eval.judges.scales import Scale
from eval.judges.store import (
    judgement_reader,
    judgements_folder,
    make_folder,
    read_judgements,
    read_verdicts,
    write_verdicts,
)
from eval.judges.verdicts import OWN_MODEL, JudgeVerdict, as_number
from eval.metrics.catalogue import score_judgements
from tests.eval.judges.made import judged_match, task, verdict
from tests.table import NAMES


def test_judgements_lie_beside_the_run_and_never_in_it(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    assert judgements_folder(run) == tmp_path / "run.judgements"
    assert make_folder(judgements_folder(run), run).is_dir()
    for inside in (run, run / "judgements"):
        with pytest.raises(RecordError, match="never change a record"):
            make_folder(inside, run)
    link = tmp_path / "link"
    link.symlink_to(run)
    with pytest.raises(RecordError, match="never change a record"):
        make_folder(link / "judgements", run)


def test_what_is_written_is_read_again_and_a_second_judge_stays_apart(tmp_path: Path) -> None:
    first = verdict(values=(4.0, 5.0, 6.0), flags=(OWN_MODEL,))
    other = replace(first, judge="judge-70b 0123", value=9.0)
    write_verdicts(tmp_path, [first, verdict(1.0, repeat=1)])
    write_verdicts(tmp_path, [other])
    assert read_verdicts(tmp_path)[0] == first
    assert [one.value for one in read_judgements(tmp_path)["m1"]] == [5, 9]
    write_verdicts(tmp_path, [replace(first, value=7.0)])
    assert [one.value for one in read_judgements(tmp_path)["m1"]] == [7, 9]


def test_metrics_read_the_judgements_that_lie_beside_their_run(tmp_path: Path) -> None:
    match = judged_match()
    run = tmp_path / "run"
    run.mkdir()
    written = [
        verdict(8.0, match=match.id),
        verdict(3.0, match=match.id, repeat=1),
        verdict(None, match=match.id, metric="SPC", values=(1.0, 3.0)),
    ]
    write_verdicts(make_folder(judgements_folder(run), run), written)
    found = list(score_judgements(match, judgement_reader(run)(match)))
    scores = {one.metric: one for one in found}
    assert scores["RP"].value == 8, "repeats measure noise and count for nothing else"
    assert scores["RP"].judge == "judge-7b 0123"
    assert (scores["SPC"].numerator, scores["SPC"].denominator) == (2, 3)
    assert judgement_reader(tmp_path / "none")(match) == ()


def test_a_table_has_nulls_noise_flags_and_cost_beside_it() -> None:
    one = task()

    def job(
        value: float | None, repeat: int = 0, seat: str = NAMES[0]
    ) -> tuple[JudgeJob, JudgeVerdict]:
        flags = (OWN_MODEL,) if seat == NAMES[0] else ()
        made = verdict(value, seat=seat, repeat=repeat, flags=flags)
        return JudgeJob(task=replace(one, seat=seat), repeat=repeat), made

    rows = [job(5), job(None, seat=NAMES[1]), job(7, seat=NAMES[2])]
    rows += [job(value, repeat) for repeat, value in enumerate((4.0, 6.0, 5.0), start=1)]
    [row] = summarise_judging(rows)
    assert (row.judgements, row.nulls, row.null_share) == (3, 1, 1 / 3)
    assert (row.mean, row.own_model, row.repeated) == (6, 1, 1)
    assert row.repeat_sd == 1


def test_the_noise_is_the_root_of_the_mean_variance_of_what_was_repeated() -> None:
    assert repeat_deviation([(4, 6), (5, 5), (1,)]) == 1
    assert repeat_deviation([(4,)]) is None


def test_lists_and_parts_are_one_number_where_repeats_are_compared() -> None:
    listed = verdict(None, values=(1.0, 4.0))
    assert as_number(Scale(form="points", low=1, high=5), listed) == 40
    assert as_number(Scale(form="parts", high=100), verdict(None, values=(80.0, 20.0))) == 50
    assert as_number(Scale(form="points", low=1, high=5), verdict(None)) is None


def test_cost_counts_calls_made_now_apart_from_replies_in_the_cache() -> None:
    samples = (
        JudgeSample(number=0, tries=2, calls=1, prompt_tokens=100, output_tokens=10, seconds=1.5),
        JudgeSample(number=1, tries=1, calls=0, prompt_tokens=50, output_tokens=5, seconds=0.5),
        JudgeSample(number=2, tries=1, calls=0, fault="too long"),
    )
    cost = sum_cost([verdict(samples=samples)], 9.0, pauses=4)
    assert (cost.calls, cost.cached) == (1, 2)
    assert (cost.prompt_tokens, cost.output_tokens, cost.seconds) == (150, 15, 2)
    assert (cost.wall_seconds, cost.pauses) == (9, 4)


def test_a_preference_counts_only_with_both_orders_and_shows_position_bias() -> None:
    def pair(value: float, about: str, seat: str = NAMES[0]) -> JudgeVerdict:
        return verdict(value, metric="preference", about=about, seat=seat)

    steady = [pair(1.0, "m2"), pair(0.0, "m2/swapped")]
    biased = [pair(1.0, "m2", NAMES[1]), pair(1.0, "m2/swapped", NAMES[1])]
    found = summarise_preferences([*steady, *biased, pair(1.0, "m3")])
    assert found is not None
    assert (found.pairs, found.first, found.consistent, found.shown_first) == (2, 0.75, 0.5, 0.75)
    assert summarise_preferences([pair(1.0, "m3")]) is None
    sure = summarise_preferences(steady)
    assert sure is not None
    assert (sure.first, sure.consistent, sure.shown_first) == (1, 1, 0.5)


def test_a_model_fills_in_questionnaires_that_are_never_those_of_people() -> None:
    match = judged_match()
    items = {"question_quality": 4.0, "role_immersion": None}
    given = [
        verdict(value, metric=name, match=match.id).as_judgement() for name, value in items.items()
    ]
    [filled] = fill_questionnaires(match, given)
    assert (filled.judge, filled.rater) == ("model", "judge-7b 0123")
    assert filled.contestant == match.contestant(match.started.seats[0])
    assert filled.scores == {"question_quality": 4}


def test_questionnaires_of_a_contestant_are_averaged_over_its_seats_without_repeats() -> None:
    match = judged_match()
    first, second, *_ = match.started.members("civilians")
    given = [
        verdict(4.0, metric="question_quality", match=match.id, seat=first),
        verdict(1.0, metric="question_quality", match=match.id, seat=second),
        verdict(3.0, metric="role_immersion", match=match.id, seat=second),
        verdict(5.0, metric="role_immersion", match=match.id, seat=second, repeat=1),
        verdict(9.0, metric="RP", match=match.id, seat=first),
    ]
    found = summarise_forms([match], given)
    assert list(found) == [match.contestant(first)]
    [scores] = found.values()
    assert (scores.means["question_quality"], scores.means["role_immersion"]) == (2.5, 3)
    assert (scores.overall, scores.deviation) == (2.75, 0.25)
