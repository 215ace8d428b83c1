"""`arena quiz`: put the questions of scripts to a model, with all baselines."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, cast

import typer

from arena.bench.number_checks import check_count
from arena.cli.commands.arguments import (
    AsJson,
    NoColor,
    default_run_dir,
    parse_choice,
    parse_folder,
)
from arena.cli.commands.match import DEFAULT_SCRIPT
from arena.cli.commands.model_preparation import prepare_contestants
from arena.cli.quiz.quiz_request import MomentRequest, QuizRequest
from arena.errors import ConfigError
from eval.questions.quiz_settings import (
    CLUE_SCOPES,
    MODES,
    PICTURE_FORMS,
    READERS,
    ClueScope,
    Mode,
    PictureForm,
    QuizSettings,
    Readers,
)
from scripts_mm.catalog import find_script, list_readable
from scripts_mm.script import LANGUAGES, QUESTION_KINDS, Language, QuestionKind
from scripts_mm.script_folder import LoadedScript
from serving.commands.consent_options import engine_consent_options

_DEFAULT_AT_ONCE = 32
"""Default number of questions in flight."""
_MAX_AT_ONCE = 4096


def add_commands(app: typer.Typer) -> None:
    """Register the command of this file."""
    app.command("quiz")(quiz_command)


@engine_consent_options
def quiz_command(  # noqa: PLR0913, PLR0917 - as many parameters as flags
    model: Annotated[
        str, typer.Argument(help="The model, as in `arena match`: profile, URL#name; or random.")
    ],
    script: Annotated[
        list[str] | None, typer.Option(help="A script's id or folder; may be repeated.")
    ] = None,
    scripts_dir: Annotated[
        Path | None, typer.Option("--scripts-dir", help="A folder of scripts, which are all used.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="en or zh.")] = None,
    mode: Annotated[str, typer.Option(help="direct, or cot: think first.")] = "direct",
    pictures: Annotated[
        str, typer.Option(help="image, or a text instead: ocr, transcript, caption, none.")
    ] = "image",
    clues: Annotated[
        str,
        typer.Option(help="own: one seat's script and clues; given: also key clues; all; public."),
    ] = "own",
    kinds: Annotated[str, typer.Option(help="Of lsu,tiu,miu,mmr,obj,rea,rel,inf [all].")] = "",
    readers: Annotated[
        str, typer.Option(help="Seats that get the questions for every seat: civilians or all.")
    ] = "civilians",
    samples: Annotated[int, typer.Option(help="Answers to each question.")] = 1,
    orders: Annotated[int, typer.Option(help="Cyclic orders of its options.")] = 1,
    temperature: Annotated[
        float | None, typer.Option(help="[default: 0, of several samples 1]")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the options' order.")] = 0,
    public_only: Annotated[
        bool, typer.Option("--public-only", help="Ask who did it, from public information.")
    ] = False,
    run: Annotated[
        Path | None, typer.Option(help="A run: query a seat of one of its matches.")
    ] = None,
    match: Annotated[str | None, typer.Option(help="With --run: the match.")] = None,
    seat: Annotated[str | None, typer.Option(help="With --run: the seat.")] = None,
    event: Annotated[
        int | None, typer.Option(help="With --run: after this many events [default: all].")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", "-c", help="Questions in flight [default: 32].")
    ] = None,
    one_at_a_time: Annotated[
        bool, typer.Option("--one-at-a-time", help="One question in flight.")
    ] = False,
    measure: Annotated[
        int | None,
        typer.Option(help="Only time this many questions: one at a time, then concurrently."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The folder of the answers.")] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Ask a model the questions of scripts; an interrupted quiz continues with the same --out."""
    settings = QuizSettings(
        mode=cast("Mode", parse_choice("mode", mode, MODES)),
        pictures=cast("PictureForm", parse_choice("pictures", pictures, PICTURE_FORMS)),
        clues=cast("ClueScope", parse_choice("--clues", clues, CLUE_SCOPES)),
        kinds=_parse_kinds(kinds),
        readers=cast("Readers", parse_choice("readers", readers, READERS)),
        public_only=public_only,
        samples=samples,
        orders=orders,
        seed=seed,
        temperature=(1.0 if samples > 1 else 0.0) if temperature is None else temperature,
    )
    at_once = _parse_at_once(concurrency, one_at_a_time=one_at_a_time)
    moment = _parse_moment(run, match, seat, event)
    beside = (script, scripts_dir, language, measure, out)
    plain = QuizSettings(mode=settings.mode, kinds=settings.kinds)
    if moment is not None and (settings != plain or any(one is not None for one in beside)):
        raise ConfigError(
            "a seat of a match is queried with its own observations, and nothing is stored: of "
            "all other options, only --mode, --kinds, --concurrency and --json can be used with "
            "--run"
        )
    request = QuizRequest(
        model=model,
        settings=settings,
        scripts=() if moment else _load(script or (), scripts_dir, language),
        moment=moment,
        folder=parse_folder(out) if out is not None else default_run_dir("quiz"),
        at_once=at_once,
        measure=None if measure is None else check_count("--measure", measure),
        as_json=as_json,
        no_color=no_color,
    )
    from arena.cli.quiz.execute_quiz import execute_quiz  # noqa: PLC0415 - statistics load slowly

    prepare_contestants([model], request.folder, may_ask=not as_json)
    execute_quiz(request)


def _parse_moment(
    run: Path | None, match: str | None, seat: str | None, event: int | None
) -> MomentRequest | None:
    if run is None and match is None and seat is None and event is None:
        return None
    if run is None or match is None or seat is None:
        raise ConfigError(
            "--run, --match and --seat must be given together, and --event only with them"
        )
    return MomentRequest(run=run, match=match, seat=seat, event=event)


def _load(
    names: Sequence[str], folder: Path | None, language: str | None
) -> tuple[LoadedScript, ...]:
    """Return the named scripts, and those in a folder in every requested language."""
    wanted = cast("Language | None", parse_choice("language", language, LANGUAGES))
    found = [find_script(name, wanted) for name in names]
    if folder is not None:
        entries, broken = list_readable(folder)
        if broken:
            raise ConfigError(broken[0])
        found += [
            find_script(str(entry.folder), one)
            for entry in entries
            for one in entry.languages
            if wanted in {None, one}
        ]
        if not found:
            raise ConfigError(f"no script was found in {str(folder)!r}")
    return tuple(found) or (find_script(DEFAULT_SCRIPT, wanted),)


def _parse_kinds(text: str) -> tuple[QuestionKind, ...]:
    if not text.strip():
        return QUESTION_KINDS
    names = [name.strip().casefold() for name in text.split(",")]
    for name in names:
        parse_choice("a kind of question", name, QUESTION_KINDS)
    return tuple(kind for kind in QUESTION_KINDS if kind in names)


def _parse_at_once(concurrency: int | None, *, one_at_a_time: bool) -> int:
    if concurrency is None:
        return 1 if one_at_a_time else _DEFAULT_AT_ONCE
    if one_at_a_time:
        raise ConfigError("--one-at-a-time and --concurrency exclude each other")
    return check_count("the concurrency", concurrency, most=_MAX_AT_ONCE)
