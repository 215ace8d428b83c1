"""Asking a judge: samples, tries, the cache by content, and what is kept."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import ContextLengthError
from arena.models.chat import Request
from arena.records.run_config import MAX_MATCHES
from arena.run.admission_gate import PROBE_PRIORITY_OFFSET
from eval.judges.judge_model import PRIORITY, TRIES, JudgeModel
from eval.judges.judge_runner import (
    JudgeJob,
    JudgeSetup,
    judge_all,
    judge_one,
    own_model_flags,
    plan_jobs,
)
from eval.judges.judging_results import summarise_judging
from eval.judges.reply_cache import CACHE, open_cache
from eval.judges.scales import PARTS, VERDICT, Scale
from eval.judges.tasks import Task
from eval.judges.verdicts import OWN_MODEL, JudgeVerdict
from eval.judges.wording import wording_hash
from tests.eval.judges.made import (
    Scripted,
    bench_of,
    judge_of,
    judged_match,
    score,
    task,
)
from tests.table import MURDERER, NAMES


def ignore(job: JudgeJob, verdict: JudgeVerdict) -> None:
    """Take a judgement and keep nothing."""


def judge(bench: JudgeSetup, one: Task) -> JudgeVerdict:
    return asyncio.run(judge_one(JudgeJob(task=one), bench, bench.judge.endpoints[0]))


def test_the_value_is_the_median_of_the_samples_with_the_reason_of_the_nearest() -> None:
    model = Scripted(score(8, "eight"), score(2, "two"), score(7, "seven"))
    found = judge(bench_of(judge_of(model), samples=3), task())
    assert found.value == 7
    assert found.values == (8, 2, 7)
    assert found.reason == "seven"
    assert [one.raw for one in found.samples] == model.replies
    assert {one.temperature for one in model.requests} == {0.7}


def test_one_sample_is_drawn_cold_with_low_priority_and_constrained() -> None:
    model = Scripted(score(4))
    found = judge(bench_of(judge_of(model)), task())
    [request] = model.requests
    assert (request.temperature, request.priority, request.call_id.off_path) == (0, PRIORITY, True)
    assert request.constraint is not None
    assert found.as_judgement().judge == f"judge-7b {wording_hash()}"
    assert (found.temperature, len(found.prompt)) == (0, 16)


def test_a_judge_is_served_after_every_match_and_every_silent_probe_of_a_run() -> None:
    assert PRIORITY > PROBE_PRIORITY_OFFSET + MAX_MATCHES


def test_a_wrong_form_is_asked_again_three_times_and_is_then_null() -> None:
    model = Scripted("I cannot say.", "7 or 8", score(6))
    found = judge(bench_of(judge_of(model)), task())
    assert (found.value, found.samples[0].tries) == (6, 3)
    assert [one.call_id.attempt for one in model.requests] == [1, 2, 3]
    assert "not the wanted form" in model.requests[1].messages[-1].text
    assert model.requests[1].temperature > 0
    never = Scripted("no")
    null = judge(bench_of(judge_of(never)), task())
    assert (null.value, null.is_null, len(never.requests)) == (None, True, TRIES)


def test_a_null_sample_is_left_out_of_the_median() -> None:
    model = Scripted(score(8), "no", "no", "no", score(6))
    assert judge(bench_of(judge_of(model), samples=3), task()).value == 7
    assert judge(bench_of(judge_of(Scripted("no")), samples=2), task()).value is None


def test_a_prompt_that_is_too_long_is_null_and_says_why() -> None:
    def refuse(request: Request) -> str:
        raise ContextLengthError("the prompt has 9000 tokens")

    found = judge(bench_of(judge_of(refuse)), task())
    assert found.is_null
    assert "9000 tokens" in found.reason


def test_silence_is_0_without_a_call() -> None:
    model = Scripted(score(9))
    quiet = replace(task(), is_silent=True)
    found = judge(bench_of(judge_of(model)), quiet)
    assert (found.value, found.is_null, model.requests) == (0, False, [])
    listed = replace(quiet, scale=Scale(form="points", low=1, high=3))
    assert judge(bench_of(judge_of(model)), listed).values == ()
    assert not [job for job in plan_jobs([quiet]) if job.repeat]


def test_statements_are_those_that_most_samples_name() -> None:
    lists = [f'{{"reason": "r", "numbers": "{one}"}}' for one in ("1, 2", "2", "2, 3")]
    scale = Scale(form="points", low=1, high=3)
    found = judge(bench_of(judge_of(Scripted(*lists)), samples=3), task("SPC", scale=scale))
    assert (found.value, found.values) == (None, (2,))


def test_a_tie_of_verdicts_is_null_and_parts_have_a_median_each() -> None:
    replies = [f'{{"reason": "r", "verdict": "{one}"}}' for one in ("correct", "incorrect")]
    tie = judge(bench_of(judge_of(Scripted(*replies)), samples=2), task("fact", scale=VERDICT))
    assert tie.value is None
    parts = [
        f'{{"reason": "r", "method": "{a}", "motive": "{b}"}}' for a, b in ((1, 9), (2, 8), (6, 7))
    ]
    found = judge(bench_of(judge_of(Scripted(*parts)), samples=3), task("CMD", scale=PARTS))
    assert found.values == (2, 8)


def test_the_cache_answers_for_the_same_judge_prompt_and_sample_only(tmp_path: Path) -> None:
    def run(judge_: JudgeModel, one: Task, samples: int = 1) -> int:
        with open_cache(tmp_path) as cache:
            bench = bench_of(judge_, samples=samples, cache=cache, temperature=0.5)
            return sum(sample.calls for sample in judge(bench, one).samples)

    model = judge_of(Scripted(score(4)))
    assert run(model, task()) == 1
    assert run(model, task()) == 0
    assert run(model, task(), samples=3) == 2, "two samples are new"
    assert run(model, task(seat=NAMES[1])) == 1, "another prompt"
    assert run(judge_of(Scripted(score(4)), name="judge-70b"), task()) == 1, "another judge"
    (tmp_path / CACHE).write_text((tmp_path / CACHE).read_text() + '{"schema":3,"torn')
    assert run(model, task()) == 0, "a torn line costs nothing else"


def test_a_reply_of_another_temperature_or_of_other_weights_is_not_the_same(
    tmp_path: Path,
) -> None:
    model = judge_of(Scripted(score(4)))
    calls: list[int] = []
    with open_cache(tmp_path) as cache:
        for judge_, warm in (
            (model, 0.5),
            (model, 0.9),
            (replace(model, identity="/weights/new"), 0.5),
        ):
            bench = bench_of(judge_, cache=cache, temperature=warm)
            calls.append(sum(sample.calls for sample in judge(bench, task()).samples))
    assert calls == [1, 1, 1]


def test_a_reply_that_came_before_a_server_died_is_kept(tmp_path: Path) -> None:
    seen: list[str] = []

    def reply(request: Request) -> str:
        seen.append(request.call_id.request)
        if len(seen) == 2:
            raise RuntimeError
        return score(5)

    tasks = [task(), task(seat=NAMES[1])]
    for wanted in (RuntimeError, None):
        with open_cache(tmp_path) as cache:
            bench = bench_of(judge_of(reply), cache=cache, at_once=1)
            jobs = plan_jobs(tasks, repeats=0)
            if wanted:
                with pytest.raises(wanted):
                    asyncio.run(judge_all(jobs, bench, ignore))
            else:
                asyncio.run(judge_all(jobs, bench, ignore))
    assert len(seen) == 3, "the first was asked once"


def test_a_random_share_of_each_metric_is_judged_five_times_more() -> None:
    tasks = [task(metric, seat=f"s{n}") for metric in ("RP", "CMD") for n in range(60)]
    jobs = plan_jobs(tasks, seed=3)
    again = [job for job in jobs if job.repeat]
    assert len(again) == 2 * 3 * 5
    assert {job.repeat for job in again} == {1, 2, 3, 4, 5}
    assert jobs == plan_jobs(tasks, seed=3)
    assert jobs != plan_jobs(tasks, seed=4)
    assert not [job for job in plan_jobs(tasks, repeats=0) if job.repeat]


def test_repeats_are_asked_anew_and_not_taken_from_the_judgement_that_counts() -> None:
    model = Scripted(score(1), score(2), score(3))
    bench = bench_of(judge_of(model), at_once=1)
    found: list[JudgeVerdict] = []
    jobs = plan_jobs([task()], repeats=2)
    asyncio.run(judge_all(jobs, bench, lambda _, one: found.append(one)))
    assert [(one.repeat, one.value) for one in found] == [(0, 1), (1, 2), (2, 3)]


def test_repeats_of_a_cold_judgement_are_drawn_warm_so_that_they_can_differ() -> None:
    model = Scripted(score(1), score(2), score(4))
    found: list[tuple[JudgeJob, JudgeVerdict]] = []
    jobs = plan_jobs([task()], repeats=2)
    bench = bench_of(judge_of(model), at_once=1)
    asyncio.run(judge_all(jobs, bench, lambda job, one: found.append((job, one))))
    assert [one.temperature for one in model.requests] == [0, 0.7, 0.7]
    [row] = summarise_judging(found)
    assert (row.temperature, row.repeat_temperature) == (0, 0.7)
    assert row.repeat_sd == pytest.approx(2**0.5), "of the two that were drawn alike"


def test_a_temperature_that_was_given_holds_for_repeats_too() -> None:
    model = Scripted(score(1))
    bench = bench_of(judge_of(model), temperature=0.3, at_once=1)
    asyncio.run(judge_all(plan_jobs([task()], repeats=1), bench, ignore))
    assert {one.temperature for one in model.requests} == {0.3}


def test_a_contestants_own_model_as_judge_is_flagged() -> None:
    match = judged_match()
    started = replace(match.started, civilians_served="judge-7b")
    match = replace(match, events=(started, *match.events[1:]))
    flags = own_model_flags([match], judge_of(Scripted(score(1))))
    own, other, table = (
        replace(task(seat=seat), match=match.id) for seat in (NAMES[0], MURDERER, "")
    )
    assert (flags(own), flags(other), flags(table)) == ((OWN_MODEL,), (), (OWN_MODEL,))
