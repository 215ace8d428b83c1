"""The mini model before and while it learns: what is written into its weights, and its losses."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random

import pytest
import typer
from PIL import Image
from tokenizers import Tokenizer

pytest.importorskip("torch")
pytest.importorskip("transformers")

from arena.training import curriculum
from arena.training.architecture import make_model
from arena.training.attention import attention_loss, capture_inputs
from arena.training.batches import make_batch
from arena.training.checkpoint import begin, move_embeddings
from arena.training.curriculum import draw_batch, draw_samples
from arena.training.drills import copy_drill
from arena.training.encode import TrainingSample, encode, token_id
from arena.training.episodes import InterviewSettings, hold_interview
from arena.training.export import write_model
from arena.training.learning import Learner
from arena.training.lessons import Lessons
from arena.training.lookup import (
    CHOOSE,
    FIRST,
    GATHER,
    MATCH,
    POINT,
    QUESTION,
    QUESTION_TOO,
    START,
    AttentionTarget,
    Repeat,
    find_targets,
)
from arena.training.mini import TrainingPlan, main, run_training_process, take_step
from arena.training.muon import orthogonal
from arena.training.seeing import PATCH
from arena.training.testimony import statements_of
from arena.training.untyped import Tensor, torch
from scripts_mm.generate.case import make_case
from scripts_mm.generate.options import make_options
from serving.standin.bpe_tokenizer import IMAGE, train_tokenizer
from tests.scripts_mm.generate.making import faces


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([], vocabulary=6_000, digits=2)


@pytest.mark.slow
def test_a_model_that_has_learned_nothing_continues_a_text_that_repeats(
    tokenizer: Tokenizer,
) -> None:
    torch.manual_seed(0)
    model = make_model(tokenizer, 1)
    first = torch.randint(300, 6_000, (1, 60))
    with torch.no_grad():
        logits = model(input_ids=torch.cat([first, first], dim=1)).logits[0]
    right = (logits[62:-1].argmax(-1) == first[0, 3:]).float().mean()
    assert right > 0.2, "by chance it is 0.0002"


@pytest.mark.slow
def test_the_same_seed_gives_the_same_weights(tokenizer: Tokenizer) -> None:
    one, other = (make_model(tokenizer, 5).state_dict() for _ in range(2))
    assert all(torch.equal(weight, other[name]) for name, weight in one.items())


def test_a_copy_drill_learns_only_tokens_that_were_there_before(tokenizer: Tokenizer) -> None:
    sample = copy_drill(tokenizer, Random(3))
    seen = set(zip(sample.ids, sample.ids[1:], strict=False))
    assert any(sample.learned)
    for at in range(1, len(sample.ids)):
        if sample.learned[at]:
            pair = sample.ids[at - 1], sample.ids[at]
            assert sample.ids[: at - 1].count(pair[0]) >= 1
            assert pair in seen
    assert {one.head for one in sample.goals} == {POINT}
    for one in sample.goals:
        [(goal, _)] = one.goals
        assert sample.ids[one.at + 1] == sample.ids[goal]


def test_muon_makes_the_singular_values_of_a_matrix_nearly_equal() -> None:
    torch.manual_seed(0)
    values = torch.linalg.svdvals(orthogonal(torch.randn(40, 90)))
    assert values.min() > 0.5
    assert values.max() < 1.5


def test_heads_are_shown_the_passage_the_question_and_the_next_token() -> None:
    ids = [5, 6, 7, 8, 9, 1, 8, 3, 6, 7, 8]
    found = find_targets(ids, [(0, 5)], [Repeat((8, 11), (0, 5), (5, 7))])
    goals = {(one.head, one.at): one.goals for one in found}
    assert goals[GATHER, 4] == ((0, 5),)
    assert goals[FIRST, 3] == ((0, 1),)
    assert [goals[START, at] for at in (0, 2, 4)] == [((0, 1),), ((0, 3),), ((0, 5),)]
    assert goals[MATCH, 4] == ((0, 1),)
    assert goals[MATCH, 6] == ((3, 4),)
    assert goals[MATCH, 5] == ((0, 1),), "a word that no passage has votes for none"
    assert goals[CHOOSE, 7] == ((4, 5),)
    assert goals[QUESTION, 7] == ((6, 7),), "the word that a passage has"
    assert goals[QUESTION_TOO, 7] == ((5, 7),)
    assert (CHOOSE, 9) not in goals
    assert [goals[POINT, at] for at in (7, 8, 9)] == [((1, 2),), ((2, 3),), ((3, 4),)]


def test_a_question_is_not_shown_passages_that_come_after_it() -> None:
    ids = [2, 5, 1, 4, 5, 6, 4, 5, 6]
    found = find_targets(ids, [(3, 6)], [Repeat((6, 9), (3, 6), (1, 2))])
    assert all(stop <= one.at + 1 for one in found for _, stop in one.goals)
    assert [one.goals for one in found if (one.head, one.at) == (MATCH, 1)] == [((0, 1),)]


def test_a_question_that_repeats_a_passage_looks_for_its_words_elsewhere() -> None:
    # The passage 1 to 3 is repeated as the question (9 to 11); 4 to 7 answers it by the word 21.
    ids = [0, 20, 21, 22, 30, 21, 31, 40, 22, 20, 21, 22, 9, 30, 21, 31]
    passages = [(1, 4), (4, 7), (7, 9)]
    found = find_targets(ids, passages, [Repeat((13, 16), (4, 7), (9, 12), source=(1, 4))])
    goals = {(one.head, one.at): one.goals for one in found}
    assert goals[MATCH, 10] == ((5, 6),), "not the passage that the question itself repeats"
    assert goals[MATCH, 9] == goals[MATCH, 11] == ((0, 1),), "words that the answer lacks"
    assert [one.goals for one in found if one.head == QUESTION] == [((10, 11),)]
    assert goals[CHOOSE, 12] == ((6, 7),)


@pytest.mark.slow
def test_the_loss_of_a_head_is_that_of_its_samples_one_by_one(tokenizer: Tokenizer) -> None:
    model = make_model(tokenizer, 2)
    caught = capture_inputs(model.model.language_model)
    rng = Random(5)
    ids = [[rng.randrange(300, 6_000) for _ in range(count)] for count in (9, 30, 17)]
    samples = [
        TrainingSample(
            kind="short",
            ids=tuple(one),
            learned=(False, *[True] * (len(one) - 1)),
            goals=tuple(
                AttentionTarget(POINT, at, ((0, 2), (at, at + 1))) for at in range(3 * row + 1)
            ),
        )
        for row, one in enumerate(ids)
    ]

    def loss(several: list[TrainingSample]) -> float:
        batch = make_batch(several, place=0, rng=Random(1))
        model.model.language_model(
            input_ids=torch.from_numpy(batch.ids),
            position_ids=torch.from_numpy(batch.places),
            use_cache=False,
        )
        [shown] = batch.targets
        return float(attention_loss(model.model.language_model, caught, shown))

    with torch.no_grad():
        assert loss(samples) == pytest.approx(sum(loss([one]) for one in samples), rel=1e-4)


@pytest.mark.slow
def test_a_sample_learns_the_same_alone_and_in_a_padded_batch(tokenizer: Tokenizer) -> None:
    faces("en")
    model = make_model(tokenizer, 1)
    caught = capture_inputs(model.model.language_model)
    learner = Learner(model=model, tokenizer=tokenizer, caught=caught, device="cpu")
    samples = [*islice(draw_samples(tokenizer, "read", 1, 2), 2)]
    place = token_id(tokenizer, IMAGE)
    batches = [make_batch(some, place, Random(0)) for some in ([samples[0]], samples)]
    with torch.no_grad():
        alone, together = (learner.states(one, torch.from_numpy(one.ids)) for one in batches)
    count = len(samples[0].ids)
    assert torch.allclose(alone[0], together[0, :count], atol=1e-4)


@pytest.mark.slow
def test_rotary_places_are_those_of_transformers(tokenizer: Tokenizer) -> None:
    faces("en")
    [sample] = islice(draw_samples(tokenizer, "read", 1, 2), 1)
    batch = make_batch([sample], token_id(tokenizer, IMAGE), Random(0))
    model = make_model(tokenizer, 1)
    images = [Image.open(BytesIO(one)) for one in sample.pictures]
    grids = torch.tensor([(1, one.height // PATCH, one.width // PATCH) for one in images])
    ids = torch.tensor([sample.ids])
    kinds = (ids == model.config.image_token_id).int()
    theirs, _ = model.model.get_rope_index(ids, mm_token_type_ids=kinds, image_grid_thw=grids)
    assert torch.equal(torch.from_numpy(batch.places), theirs[2])


def test_the_answers_of_an_interview_are_what_is_learned(tokenizer: Tokenizer) -> None:
    case = make_case(41, make_options("easy", 4), ("en",))
    script = case.rendered["en"].bare
    talk = hold_interview(case, "en", script, InterviewSettings(seat_number=0, questions=5, seed=2))
    sources = [(one.text, one.told) for one in statements_of(case, "en", "r1")]
    sample = encode(tokenizer, "interview", talk.messages, sources=sources)
    learned = [
        token for token, is_reply in zip(sample.ids, sample.learned, strict=True) if is_reply
    ]
    text = tokenizer.decode(learned)
    assert all(question.answers[0] in text for _, question in talk.questions)
    assert all(stop <= one.at + 1 for one in sample.goals for _, stop in one.goals)


@pytest.mark.slow
def test_a_batch_is_the_same_whenever_it_is_drawn_and_of_one_kind(tokenizer: Tokenizer) -> None:
    faces("zh")
    for number in (0, 700, 2_000):
        batch = draw_batch(tokenizer, 7, number, 5_120)
        assert batch == draw_batch(tokenizer, 7, number, 5_120)
        assert len({one.kind for one in batch}) == 1


@pytest.mark.slow
def test_a_batch_has_only_samples_with_a_reply(
    tokenizer: Tokenizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curriculum, "_STAGES", ((10**9, (0,) * 9 + (1,)),))
    first = next(draw_samples(tokenizer, "hint", 1, 9_113))
    assert not any(first.learned), "nobody fits a link of the first case"
    batch = draw_batch(tokenizer, 1, 9_113, 2_000)
    assert {one.kind for one in batch} == {"hint"}
    assert all(any(one.learned) for one in batch)


def make_plan(
    out: Path, *, steps: int, minutes: float = math.inf, model: Path | None = None
) -> TrainingPlan:
    """Return the plan of a training on cards alone in one process, this one."""
    return TrainingPlan(
        out=out, seed=1, steps=steps, scale=1, decay=0, device="cpu", processes=1, threads=1,
        workers=0, minutes=minutes, model=model, cards_only=True,
    )  # fmt: skip


def spoil(gradient: Tensor) -> Tensor:
    return gradient * math.nan


@pytest.mark.slow
def test_a_gradient_that_is_not_finite_changes_no_weight(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    faces("en")
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    run = begin(tmp_path, 1)
    plan = make_plan(tmp_path, steps=9)
    lessons = Lessons(
        tokenizer=tokenizer, seed=1, size=plan.step_size, rank=0, processes=1, reading_steps=9,
        cards_only=True,
    )  # fmt: skip
    weights = [*run.learner.model.model.visual.parameters()]
    before = [one.clone() for one in weights]
    take_step(run, plan, lessons[0], stop=False)
    first = [one.clone() for one in weights]
    assert any(not torch.equal(one, old) for one, old in zip(first, before, strict=True))
    weights[0].register_hook(spoil)
    with pytest.raises(RuntimeError, match="non-finite"):
        take_step(run, plan, lessons[1], stop=False)
    assert all(torch.equal(one, old) for one, old in zip(weights, first, strict=True))


def test_what_is_read_is_shown_on_the_squares_over_which_it_is_printed(
    tokenizer: Tokenizer,
) -> None:
    faces("zh")
    [sample] = islice(draw_samples(tokenizer, "read", 1, 1), 1)
    place = token_id(tokenizer, IMAGE)
    assert sample.pictures
    assert len({one.at for one in sample.goals}) > 10
    for one in sample.goals:
        assert one.head == POINT
        assert sample.learned[one.at + 1]
        assert one.goals
        assert {sample.ids[start] for start, _ in one.goals} == {place}


@pytest.mark.slow
def test_a_training_goes_on_with_an_exported_model_where_there_is_no_checkpoint(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    out, exported = tmp_path / "run", tmp_path / "model"
    out.mkdir()
    tokenizer.save(str(out / "tokenizer.json"))
    first = begin(out, 3)
    first.step, first.tokens = 12, 3_456
    before = {name: one.clone() for name, one in first.learner.model.state_dict().items()}
    write_model(first, 3, out, exported)
    again = begin(out, 4, exported=exported)
    assert (again.step, again.tokens) == (12, 3_456)
    for name, weight in again.learner.model.state_dict().items():
        assert torch.allclose(weight, before[name], rtol=0.01, atol=0.001), name


def test_tokens_keep_their_embeddings_in_a_new_vocabulary_and_a_new_word_is_the_mean_of_its_parts(
    tokenizer: Tokenizer,
) -> None:
    kept, added = "<|im_end|>", tokenizer.get_vocab_size()
    described = json.loads(tokenizer.to_str())
    described["model"]["vocab"]["Ġzymurgist"] = added
    described["model"]["ignore_merges"] = True
    new = Tokenizer.from_str(json.dumps(described))
    assert new.encode(" zymurgist").ids == [added]
    table = torch.randn(added, 8)
    moved = move_embeddings(table, tokenizer, new)
    at = token_id(tokenizer, kept)
    assert torch.equal(moved[token_id(new, kept)], table[at])
    parts = table[tokenizer.encode(" zymurgist").ids].mean(0)
    assert torch.cosine_similarity(moved[added], parts, dim=0) > 0.999
    assert torch.isclose(moved[added].norm(), table.norm(dim=-1).mean())


def test_a_folder_without_an_exported_model_is_refused_before_anything_is_written(
    tmp_path: Path,
) -> None:
    with pytest.raises(typer.BadParameter, match="wanted a folder of an exported model"):
        main(tmp_path / "run", model=tmp_path)
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_on_cards_alone_the_picture_encoder_learns_and_the_text_model_does_not(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    out, exported = tmp_path / "run", tmp_path / "model"
    out.mkdir()
    tokenizer.save(str(out / "tokenizer.json"))
    first = begin(out, 3)
    first.step, first.tokens = 1_200, 3_456
    write_model(first, 3, out, exported)
    before = begin(out, 3, exported=exported).learner.model.state_dict()
    run_training_process(0, make_plan(out, steps=1_201, model=exported), str(tmp_path / "meet"))
    after = begin(out, 3)
    assert (after.step, after.tokens) == (1_201, 3_456)
    changed = {
        name.split(".")[1]
        for name, weight in after.learner.model.state_dict().items()
        if not torch.equal(weight, before[name])
    }
    assert changed == {"visual"}


@pytest.mark.slow
def test_a_training_ends_with_its_checkpoint_where_the_minutes_are_over(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    faces("en")
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    run_training_process(0, make_plan(tmp_path, steps=10_000, minutes=0.02), str(tmp_path / "meet"))
    kept = begin(tmp_path, 1)
    assert 1 < kept.step < 1_000
    assert kept.seconds > 1


@pytest.mark.slow
def test_a_signal_to_the_whole_process_group_ends_its_processes_together_with_a_checkpoint(
    tokenizer: Tokenizer, tmp_path: Path
) -> None:
    faces("en")
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    command = [sys.executable, "-m", "arena.training.mini", str(tmp_path), "--steps", "10000"]
    command += ["--processes", "2", "--workers", "1", "--cards-only"]
    with subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE) as process:
        while not (tmp_path / "log.jsonl").exists():
            assert process.poll() is None, process.stderr and process.stderr.read()
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGTERM)
        assert process.wait() == 0, process.stderr and process.stderr.read()
    assert begin(tmp_path, 1).step >= 1
