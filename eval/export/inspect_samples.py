"""Convert a match to an Inspect sample: transcript, scores, metadata and events."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from inspect_ai.log import EvalError, EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ModelOutput,
    ModelUsage,
)
from inspect_ai.scorer import Score

from arena.models.chat import CallId
from arena.models.recording import RecordedCall
from eval.export.inspect_events import sample_events
from eval.export.inspect_messages import ReadUri, model_usage
from eval.export.request_endings import chance_level, civilian_points
from eval.metrics.catalogue import measure_match, score_judgements
from eval.metrics.judgements import Judgement
from eval.played_match import PlayedMatch

WIN = "win"
ABOVE_CHANCE = "win_above_chance"


def make_sample(
    match: PlayedMatch, epoch: int, read: ReadUri, judgements: Sequence[Judgement] = ()
) -> EvalSample:
    """Return the sample of a match; raises `RecordError` if its record is damaged."""
    calls = match.calls()
    by_model, by_side = _usage(match, calls)
    one = match.summary
    return EvalSample(
        id=sample_id(match.script.id, one.language),
        epoch=epoch,
        uuid=hashlib.sha256(f"{match.run}/{match.id}".encode()).hexdigest()[:22],
        input=match.script.opening or match.script.title,
        target=list(match.culprits),
        messages=list(_messages(match)),
        output=ModelOutput.from_content(
            model=one.model_served.get("civilians", ""), content=one.outcome
        ),
        scores=sample_scores(match, judgements),
        metadata=_metadata(match),
        events=sample_events(match, calls, read),
        model_usage=by_model,
        role_usage=by_side,
        total_time=one.seconds,
        error=EvalError(message=one.error_cause or "error", traceback="", traceback_ansi="")
        if one.outcome == "error"
        else None,
    )


def sample_id(script: str, language: str) -> str:
    """Return the id that all repetitions of a script share."""
    return f"{script}-{language}"


def sample_scores(match: PlayedMatch, judgements: Sequence[Judgement] = ()) -> dict[str, Score]:
    """Return the defined scores of a match: its outcome, and every metric without a breakdown.

    A seat-level metric is the mean over one side's seats and has the side in its name, since each
    side is a contestant; a judged one also has its judge. Undefined scores are omitted.
    """
    points, level = civilian_points(match), chance_level(match)
    found: dict[str, Score] = {}
    if points is not None:
        found[WIN] = Score(value=points, answer=match.summary.outcome)
    if points is not None and level is not None:
        found[ABOVE_CHANCE] = Score(value=points - level[0] - level[1] / 2)
    values: dict[str, list[float]] = defaultdict(list)
    for score in (*measure_match(match), *score_judgements(match, judgements)):
        if score.value is not None and not score.group:
            name = " ".join(filter(None, (score.metric, score.faction, score.judge)))
            values[name].append(score.value)
    return found | {name: Score(value=fmean(numbers)) for name, numbers in values.items()}


def _messages(match: PlayedMatch) -> Iterable[ChatMessage]:
    """Yield the public transcript: the opening, then every speech with its seat's name."""
    yield ChatMessageSystem(id="opening", content=match.script.opening or match.script.title)
    for one in match.utterances:
        said = f"{one.seat} (to {one.to}): {one.text}" if one.to else f"{one.seat}: {one.text}"
        served = match.summary.model_served.get(match.faction(one.seat), "")
        yield ChatMessageAssistant(
            id=f"event-{one.event}",
            content=said,
            model=served,
        )


def _metadata(match: PlayedMatch) -> dict[str, object]:
    one, started = match.summary, match.started
    return {
        "run": match.run,
        "match": match.id,
        "outcome": one.outcome,
        "seed": one.seed,
        "script": match.script.id,
        "script_sha256": started.script_sha256,
        "work": match.work,
        "language": one.language,
        "wording": match.manifest.versions.wordings.get(one.language, ""),
        "civilians": one.civilians,
        "murderer": one.murderer,
        "murderers": list(match.murderers),
        "flags": list(one.flags),
        "rejected": one.rejected,
        "fallbacks": one.fallbacks,
        "uncounted": one.uncounted,
    }


def _usage(
    match: PlayedMatch, calls: Mapping[CallId, RecordedCall]
) -> tuple[dict[str, ModelUsage], dict[str, ModelUsage]]:
    """Return the tokens by served model and by side."""
    by_model: dict[str, ModelUsage] = defaultdict(ModelUsage)
    by_side: dict[str, ModelUsage] = defaultdict(ModelUsage)
    sides = {part.seat: part.faction for part in match.started.parts}
    for name, call in calls.items():
        if call.completion is not None:
            side = next(faction for seat, faction in sides.items() if seat == name.seat)
            usage = model_usage(call.completion)
            by_model[call.completion.model or match.summary.model_served.get(side, "")] += usage
            by_side[side] += usage
    return dict(by_model), dict(by_side)
