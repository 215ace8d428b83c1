"""The labelled examples, and the judge that only counts words."""

import asyncio

from eval.judges.examples import example_labels, example_task, load_examples
from eval.judges.judge_runner import JudgeJob, judge_all, judge_one
from eval.judges.labelling.human_labels import group_labels
from eval.judges.labelling.judge_agreement import GroupAgreement, measure_agreement
from eval.judges.scales import PAIR, TEXT
from eval.judges.tasks import render_messages
from eval.judges.verdicts import JudgeVerdict
from eval.judges.word_judge import make_word_judge, share_of_words
from tests.eval.judges.made import bench_of, task


def test_there_are_sixty_three_examples_in_both_languages_with_legal_labels() -> None:
    examples = load_examples()
    assert len({one.id for one in examples}) == len(examples) == 63
    for metric, low, high in (("fact", 0, 1), ("rationale", 1, 5), ("CMD", 0, 100)):
        own = [one for one in examples if one.metric == metric]
        assert {one.language for one in own} == {"en", "zh"}
        assert all(one.human is not None and low <= one.human <= high for one in own)
        assert len({one.human for one in own}) > 1
    lists = [one for one in examples if one.metric == "SPC"]
    assert {one.language for one in lists} == {"en", "zh"}
    assert all(set(one.listed) <= set(range(1, len(one.statements) + 1)) for one in lists)


def test_no_example_shows_its_label_to_the_judge() -> None:
    """Prompts of one metric and language differ in nothing but the texts to judge."""
    for one in load_examples():
        shown = render_messages(example_task(one))[-1].text
        assert one.text.replace('"', "’")[:12] in shown
        assert "human" not in shown
        assert one.id not in shown


def agreement_of_words() -> dict[str, GroupAgreement]:
    tasks = tuple(map(example_task, load_examples()))
    found: list[JudgeVerdict] = []
    jobs = [JudgeJob(task=one) for one in tasks]
    bench = bench_of(make_word_judge(tasks))
    asyncio.run(judge_all(jobs, bench, lambda _, one: found.append(one)))
    labels = group_labels(tuple(example_labels(found)))
    return {one.metric: one for one in measure_agreement(labels, resamples=50)}


def test_counting_words_agrees_with_people_a_little_which_is_the_floor_of_judges() -> None:
    found = agreement_of_words()
    kappas = {
        metric: {row.statistic: row.value for row in found[metric].rows}["Cohen's kappa"]
        for metric in ("fact", "SPC")
    }
    assert 0.3 < (kappas["fact"] or 0) < 0.6
    assert 0.6 < (kappas["SPC"] or 0) < 0.9
    assert found["SPC"].items == 60, "every statement of a list is an item"


def test_the_share_of_words_counts_each_word_once_in_both_languages() -> None:
    assert share_of_words("The left, the left", "LEFT") == 0.5
    assert share_of_words("左手", "用左脚") == 0.5
    assert share_of_words("", "x") == 0


def test_the_judge_of_words_answers_every_form() -> None:
    for scale in (PAIR, TEXT):
        one = task(scale=scale)
        bench = bench_of(make_word_judge([one]))
        job = JudgeJob(task=one)
        assert not asyncio.run(judge_one(job, bench, bench.judge.endpoints[0])).is_null
