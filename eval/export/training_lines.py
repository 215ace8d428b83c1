"""Convert the prompts and replies of a seat's model to lines of training data.

Pictures are named by their content hash.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from arena.core.seats import SeatId
from arena.models.chat import CallId, Message
from arena.models.recording import RecordedCall
from eval.export.request_endings import NO_ENDING, RequestEnding, read_endings, seat_reward
from eval.played_match import PlayedMatch

TrainingUnit = Literal["turn", "seat"]
UNITS: tuple[TrainingUnit, ...] = ("turn", "seat")
TrainingLine = dict[str, Any]


def episode_lines(match: PlayedMatch, unit: TrainingUnit) -> Iterator[TrainingLine]:
    """Yield the lines of a match; raises `RecordError` if its record is damaged.

    Unit `turn` gives a line per model call; `seat` a line per prompt log at its last turn, and a
    line per step of a method. Searches give no line, since no model answers them.
    """
    calls = match.calls()
    endings = read_endings(match)
    made = [call for call in calls.values() if _has_reply(call)]
    for part in match.started.parts:
        own = [call for call in made if call.request.call_id.seat == part.seat]
        chosen = own if unit == "turn" else _last_of_logs(own)
        for call in chosen:
            ending = endings.get(call.request.call_id.request, NO_ENDING)
            content = _turn_line(call) if unit == "turn" else _log_line(call)
            yield {
                **content,
                **_match_fields(match, part.seat, call),
                **_call_fields(match, call, ending),
            }


def count_skipped_calls(calls: Mapping[CallId, RecordedCall]) -> int:
    """Return the number of calls without a model's reply."""
    return sum(not _has_reply(call) for call in calls.values())


def _has_reply(call: RecordedCall) -> bool:
    return call.completion is not None and call.request.call_id.kind != "search"


def _last_of_logs(calls: Sequence[RecordedCall]) -> Iterator[RecordedCall]:
    """Yield the calls of the match that no later turn of their seat extends."""
    turns = [call for call in calls if _is_turn(call)]
    continued = {
        before.request.call_id for before, after in pairwise(turns) if _continues(before, after)
    }
    for call in calls:
        name = call.request.call_id
        is_step = name.kind == "step" and not name.off_path
        if is_step or (_is_turn(call) and name not in continued):
            yield call


def _is_turn(call: RecordedCall) -> bool:
    name = call.request.call_id
    return name.kind in {"thought", "reply"} and not name.off_path


def _continues(before: RecordedCall, after: RecordedCall) -> bool:
    said = before.completion.text if before.completion else ""
    log = (*before.request.messages, Message(role="assistant", text=said))
    return after.request.messages[: len(log)] == log


def _turn_line(call: RecordedCall) -> TrainingLine:
    return {
        "prompt": [_message(one) for one in call.request.messages],
        "completion": [_reply(call)],
        "images": _images(call),
    }


def _log_line(call: RecordedCall) -> TrainingLine:
    return {
        "messages": [*(_message(one) for one in call.request.messages), _reply(call)],
        "images": _images(call),
    }


def _reply(call: RecordedCall) -> TrainingLine:
    text = call.completion.text if call.completion else ""
    return _message(Message(role="assistant", text=text))


def _message(message: Message) -> TrainingLine:
    """Return a message in parts; the n-th image part of all messages is the n-th of `images`.

    An image part has no path: chat templates treat every part with a key `image` as a picture, and
    loading gives every part all keys.
    """
    parts = [{"type": "text", "text": message.text}] if message.text or not message.picture else []
    if message.picture:
        parts.append({"type": "image", "text": ""})
    return {"role": message.role, "content": parts}


def _images(call: RecordedCall) -> list[str]:
    """Return the content hashes of the pictures of a prompt, in order."""
    return [one.picture.sha256 for one in call.request.messages if one.picture]


def _match_fields(match: PlayedMatch, seat: SeatId, call: RecordedCall) -> TrainingLine:
    faction = match.faction(seat)
    # The match does not depend on an off-path answer, so its result is no reward for it.
    is_rewarded = not call.request.call_id.off_path
    reward, above = seat_reward(match, faction) if is_rewarded else (None, None)
    return {
        "reward": reward,
        "reward_above_chance": above,
        "run": match.run,
        "match": match.id,
        "game": match.started.game,
        "script": match.script.id,
        "work": match.work,
        "language": match.summary.language,
        "seed": match.summary.seed,
        "seat": seat,
        "faction": faction,
        "contestant": match.contestant(seat),
        "outcome": match.summary.outcome,
        "flags": list(match.summary.flags),
    }


def _call_fields(match: PlayedMatch, call: RecordedCall, ending: RequestEnding) -> TrainingLine:
    name, completion = call.request.call_id, call.completion
    assert completion is not None, "calls without a reply are filtered before"
    request = match.requests.get(name.request)
    verdict, error = ending.verdict(name.attempt) if name.kind == "reply" else ("", "")
    return {
        "request": name.request,
        "purpose": str(request.purpose) if request else "",
        "kind": name.kind,
        "step": name.chunk,
        "attempt": name.attempt,
        "legality": verdict,
        "error": error,
        "off_path": name.off_path,
        "model": completion.model,
        "finish": completion.finish,
        "prompt_tokens": completion.prompt_tokens,
        "output_tokens": completion.output_tokens,
        "completion_ids": list(completion.ids),
    }
