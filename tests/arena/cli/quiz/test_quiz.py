"""`arena quiz` at the command line: asked, shown, gone on with, or one line of what is wrong."""

import json
import subprocess
import sys
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path

import pytest

from scripts_mm.script_folder import save_script
from tests.arena.cli.conftest import Told
from tests.arena.run.stage import save_case
from tests.eval.questions.made import quiz_case
from tests.table import MURDERER, NAMES

Program = Callable[..., Told]


@pytest.fixture(scope="module")
def server() -> Generator[str]:
    """Keep a fake server alive; yield a model there."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.fakes.openai_server"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield f"{process.stdout.readline().strip()}/v1#fake-vl"
        process.terminate()


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(save_case(tmp_path_factory.mktemp("scripts") / "harbour", quiz_case()).folder)


def rows(told: Told, name: str) -> list[dict[str, object]]:
    assert told.status == 0, told.err
    found = [json.loads(line) for line in told.out.splitlines()]
    return [row for row in found if row["row"] == name]


def test_a_model_is_asked_every_question_and_shown_beside_chance_and_baselines(
    program: Program, server: str, case: str
) -> None:
    told = program("quiz", server, "--script", case, "--out", "q")
    assert told.status == 0, told.err
    for word in ("right", "95 %", "chance", "corr.", "const", "long", "place", "a second"):
        assert word in told.out
    for kind in ("lsu", "tiu", "miu", "mmr", "hops 2", "obj", "rea", "inf"):
        assert kind in told.out
    assert "23 answers in 'q'" in told.err
    answers = [json.loads(line) for line in Path("q/answers.jsonl").read_text().splitlines()]
    assert len(answers) == 23
    assert all(one["shown"] and one["text"] and one["prompt_tokens"] for one in answers)


def test_a_quiz_that_broke_off_goes_on_where_it_was(
    program: Program, server: str, case: str
) -> None:
    words = ("quiz", server, "--script", case, "--out", "q", "--json", "--one-at-a-time")
    assert rows(program(*words), "speed")[0]["questions"] == 23
    path = Path("q/answers.jsonl")
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:10]) + lines[10][:25], encoding="utf-8")
    again = program(*words)
    assert rows(again, "speed")[0]["questions"] == 13
    assert sum(int(str(row["answers"])) for row in rows(again, "category") if not row["hops"]) >= 23
    assert len(path.read_text(encoding="utf-8").splitlines()) == 23
    other = program(*words, "--seed", "3")
    assert (other.status, "started with another seed" in other.err) == (2, True)


def test_a_thought_comes_first_in_cot(program: Program, server: str, case: str) -> None:
    words = ("--mode", "cot", "--kinds", "TIU, miu", "--out", "q")
    assert program("quiz", server, "--script", case, *words).status == 0
    answers = [json.loads(line) for line in Path("q/answers.jsonl").read_text().splitlines()]
    assert {one["category"] for one in answers} == {"tiu", "miu"}
    assert all(one["thought"] and one["text"] in "ABCD" for one in answers)


def test_both_ways_of_asking_are_timed_side_by_side_and_keep_nothing(
    program: Program, server: str, case: str
) -> None:
    told = program("quiz", server, "--script", case, "--measure", "12", "-c", "4", "--json")
    one, many = rows(told, "speed")
    assert (one["way"], many["way"]) == ("one at a time", "4 at once")
    assert one["questions"] == many["questions"] == 12
    assert not Path("runs").exists()


def test_who_did_it_is_asked_from_what_is_public(program: Program, server: str, case: str) -> None:
    told = program(
        "quiz", server, "--script", case, "--public-only", "--orders", "5", "--out", "q", "--json"
    )
    [row] = rows(told, "public_only")
    assert (row["roles"], row["asked"], row["chance"]) == (5, 5, pytest.approx(0.2))
    assert "named" in program("quiz", "random", "--script", case, "--public-only", "--out", "r").out


def test_random_answers_every_question_without_a_server(program: Program, case: str) -> None:
    told = program("quiz", "random", "--script", case, "--out", "q", "--json")
    category = rows(told, "category")
    assert {row["category"] for row in category} == {
        "lsu", "tiu", "miu", "mmr", "obj", "rea", "inf",
    }  # fmt: skip
    assert all(row["unanswered"] == 0 for row in category)


def test_a_folder_of_scripts_is_asked_in_every_language(program: Program) -> None:
    for language in ("en", "zh"):
        bare = tuple(replace(one, clues=()) for one in quiz_case().questions)
        script = replace(quiz_case(), language=language, clues=(), questions=bare)
        save_script(script, {}, Path("library") / "harbour" / language)
    words = ("quiz", "random", "--scripts-dir", "library", "--out", "q", "--json")
    [row] = [one for one in rows(program(*words), "category") if one["category"] == "lsu"]
    assert (row["scripts"], row["questions"]) == (2, 2)
    told = program(*words[:-2], "r", "--json", "--language", "zh")
    assert {one["scripts"] for one in rows(told, "category")} == {1}


@pytest.mark.slow
def test_a_seat_of_a_recorded_match_is_asked_at_a_moment(
    program: Program, server: str, case: str
) -> None:
    played = program(
        "match", "--civ", "random", "--murderer", "random", "--script", case, "--out", "run", "-q"
    )
    assert played.status == 0, played.err
    [folder] = Path("run/matches").iterdir()
    events = len((folder / "events.jsonl").read_text(encoding="utf-8").splitlines())
    seat = next(name for name in NAMES if name != MURDERER)
    where = ("--run", "run", "--match", folder.name, "--seat", seat)
    late = program("quiz", server, *where, "--json")
    early = program("quiz", server, *where, "--event", "3", "--json")
    questions = [row["question"] for row in rows(early, "quiz_answer")]
    assert questions == [row["question"] for row in rows(late, "quiz_answer")]
    assert "lsu-own" in questions

    def tokens(told: Told) -> int:
        return sum(int(str(row["prompt_tokens"])) for row in rows(told, "quiz_answer"))

    assert 0 < tokens(early) < tokens(late)
    thought = rows(program("quiz", server, *where, "--mode", "cot", "--json"), "quiz_answer")
    assert all(row["thought"] and row["text"] for row in thought)
    assert rows(program("quiz", "random", *where, "--json"), "category")
    for words, said in (
        (("--event", "0"), f"events 1 to {events}"),
        (("--event", str(events + 1)), f"events 1 to {events}"),
        (("--seat", "Nobody"), "there are: Ada Quill"),
        (("--match", "none"), "does not start with a match"),
        (("--kinds", "rel"), "no question of these kinds"),
        (("--out", "q"), "can be used with --run"),
        (("--public-only",), "can be used with --run"),
        (("--pictures", "none"), "can be used with --run"),
    ):
        told = program("quiz", "random", *where, *words)
        assert (told.status, told.out, len(told.err.splitlines())) == (2, "", 1), told.err
        assert said in told.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--mode", "think"), "mode must be one of direct, cot", id="mode"),
        pytest.param(("--pictures", "sound"), "pictures must be one of image", id="pictures"),
        pytest.param(("--clues", "some"), "clues must be one of own", id="clues"),
        pytest.param(("--kinds", "LSU,XYZ"), "got 'xyz'", id="kinds"),
        pytest.param(("--kinds", "rel"), "no question of these kinds", id="no-questions"),
        pytest.param(("--readers", "me"), "readers must be one of", id="readers"),
        pytest.param(("--samples", "0"), "samples must be", id="samples"),
        pytest.param(("--samples", "3", "--temperature", "0"), "are all equal", id="same"),
        pytest.param(("--orders", "99"), "orders must be", id="orders"),
        pytest.param(("--temperature", "nan"), "temperature must be", id="temperature"),
        pytest.param(("--concurrency", "0"), "must be >= 1", id="concurrency"),
        pytest.param(("-c", "3", "--one-at-a-time"), "exclude", id="two-concurrencies"),
        pytest.param(("--measure", "0"), "must be >= 1", id="measure"),
        pytest.param(("--measure", "5"), "only a model has a speed", id="measure-random"),
        pytest.param(("--scripts-dir", "nowhere"), "not a folder of scripts", id="scripts-dir"),
        pytest.param(("--scripts-dir", "."), "no script was found", id="empty-dir"),
        pytest.param(("--script", "first-nihgt"), "did you mean", id="script"),
        pytest.param(("--language", "fr"), "one of en, zh", id="language"),
        pytest.param(("--run", "nowhere"), "must be given together", id="run-alone"),
        pytest.param(("--event", "4"), "must be given together", id="event-alone"),
        pytest.param(
            ("--run", "nowhere", "--match", "m", "--seat", "s"),
            "can be used with --run",
            id="run-and-script",
        ),
        pytest.param(
            ("--public-only", "--clues", "all"), "omit clues and kinds", id="public-and-clues"
        ),
        pytest.param(("--out", "file"), "file", id="out-file"),
    ],
)
def test_whatever_is_wrong_is_one_line(
    words: tuple[str, ...], said: str, program: Program, case: str
) -> None:
    Path("file").write_text("", encoding="utf-8")
    script = () if "--script" in words or "--scripts-dir" in words else ("--script", case)
    told = program("quiz", "random", *script, *words)
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert said in line
    assert not Path("runs").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("naive", "only a model answers"),
        ("qwen+cot", "--mode cot"),
        ("gwen", "gwen"),
        ("", "a contestant is needed"),
        ("http://127.0.0.1:9/v1", "connection refused"),
    ],
)
def test_who_cannot_be_asked_is_one_line(
    model: str, said: str, program: Program, case: str
) -> None:
    told = program("quiz", model, "--script", case)
    assert (told.status, told.out) == (2, "")
    [line] = told.err.splitlines()
    assert said in line
    assert not Path("runs").exists()


@pytest.mark.slow
def test_two_quizzes_are_compared_question_by_question(
    program: Program, server: str, case: str
) -> None:
    for form in ("image", "none"):
        assert (
            program("quiz", server, "--script", case, "--pictures", form, "--out", form).status == 0
        )
    shown = program("compare", "image", "none")
    assert shown.status == 0, shown.err
    assert "pictures: image / none" in shown.out
    for word in ("tiu", "mmr", "diff.", "Holm p"):
        assert word in shown.out
    found = rows(program("compare", "image", "none", "--json"), "contrast")
    assert [row["category"] for row in found] == ["lsu", "tiu", "miu", "mmr", "obj", "rea", "inf"]
    assert all(row["changed"] == {"pictures": ["image", "none"]} for row in found)
    assert all(row["interval"] == "works: 1, too few" for row in found)
    for words in (("image", "nowhere"), ("image", "none", "--metric", "win_rate")):
        told = program("compare", *words)
        assert (told.status, len(told.err.splitlines())) == (2, 1)
