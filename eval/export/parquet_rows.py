"""Build the rows of a match in each table of a Parquet export."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena.core.actions import Reply
from arena.core.events import QuestionAsked, Rated, Said, VoteCast
from arena.core.seats import SeatId
from arena.games.shared.victims import killers_of
from arena.models.recording import RecordedCall
from arena.records.event_codec import dump_options
from eval.export.parquet_tables import MATCHES, PROBES, SCORES, TURNS, UTTERANCES, VOTES
from eval.export.request_endings import NO_ENDING, chance_level, civilian_points, read_endings
from eval.metrics.catalogue import measure_match, score_judgements
from eval.metrics.judgements import Judgement
from eval.metrics.multiple_choice import grade
from eval.played_match import PlayedMatch

TableRow = dict[str, object]


def match_rows(
    match: PlayedMatch, judgements: Sequence[Judgement] = (), *, with_texts: bool
) -> Mapping[str, Sequence[TableRow]]:
    """Return the rows of `match`, by table; raises `RecordError` if its record is damaged."""
    return {
        MATCHES.name: [_match_row(match)],
        TURNS.name: list(_turn_rows(match, with_texts=with_texts)),
        UTTERANCES.name: list(_utterance_rows(match, with_texts=with_texts)),
        VOTES.name: list(_vote_rows(match)),
        PROBES.name: [*_probe_rows(match), *_rating_rows(match)],
        SCORES.name: list(_score_rows(match, judgements)),
    }


def _match_row(match: PlayedMatch) -> TableRow:
    one, started, level = match.summary, match.started, chance_level(match)
    points = civilian_points(match)
    return {
        "run": match.run,
        "match": match.id,
        "game": started.game,
        "game_options": dump_options(started.options),
        "script": match.script.id,
        "script_sha256": started.script_sha256,
        "work": match.work,
        "language": one.language,
        "seed": one.seed,
        "civilians": one.civilians,
        "murderer": one.murderer,
        "civilians_served": one.model_served.get("civilians"),
        "murderer_served": one.model_served.get("murderer"),
        "outcome": one.outcome,
        "counts": points is not None,
        "uncounted": one.uncounted,
        "civilian_points": points,
        "chance_win": level and level[0],
        "chance_draw": level and level[1],
        "forfeit_seat": one.forfeit_seat,
        "error_cause": one.error_cause,
        "seats": list(started.seats),
        "factions": [part.faction for part in started.parts],
        "murderers": list(match.murderers),
        "culprits": list(match.culprits),
        "turns": one.turns,
        "rejected": one.rejected,
        "fallbacks": one.fallbacks,
        "steps": one.steps,
        "readings": one.readings,
        "summaries": one.summaries,
        "events": len(match.events),
        "prompt_tokens": one.prompt_tokens,
        "cached_tokens": one.cached_tokens,
        "output_tokens": one.output_tokens,
        "seconds": one.seconds,
        "flags": list(one.flags),
    }


def _turn_rows(match: PlayedMatch, *, with_texts: bool) -> Iterator[TableRow]:
    endings = read_endings(match)
    calls: dict[str, list[RecordedCall]] = defaultdict(list)
    for name, call in match.calls().items():
        calls[name.request].append(call)
    for number, request in enumerate(match.requests.values()):
        ending = endings.get(request.id, NO_ENDING)
        yield {
            **_seat(match, request.seat),
            "turn": number,
            "request": request.id,
            "phase": request.phase,
            "round": request.round,
            "kind": request.kind,
            "purpose": str(request.purpose),
            "about": request.about,
            "off_path": request.off_path,
            "result": ending.result,
            "attempts": len(ending.attempts),
            "errors": list(ending.errors),
            "action": _action_text(ending.reply) if with_texts and ending.reply else None,
            **_sum_calls(calls[request.id]),
        }


def _action_text(reply: Reply) -> str:
    return json.dumps({"variant": reply.variant, **dict(reply.values)}, ensure_ascii=False)


def _sum_calls(calls: Sequence[RecordedCall]) -> TableRow:
    made = [call.completion for call in calls if call.completion is not None]
    cached = [one.cached_tokens for one in made if one.cached_tokens is not None]
    return {
        "calls": len(calls),
        "steps": sum(call.request.call_id.kind == "step" for call in calls),
        "prompt_tokens": sum(one.prompt_tokens for one in made),
        "cached_tokens": sum(cached) if cached else None,
        "output_tokens": sum(one.output_tokens for one in made),
        "seconds": sum(one.seconds for one in made),
    }


def _utterance_rows(match: PlayedMatch, *, with_texts: bool) -> Iterator[TableRow]:
    for one in match.utterances:
        event = match.events[one.event]
        assert isinstance(event, Said | QuestionAsked), "an utterance is said or asked"
        request = match.requests.get(event.request)
        asked = isinstance(event, QuestionAsked)
        yield {
            **_seat(match, one.seat),
            "event": one.event,
            "request": event.request,
            "phase": request.phase if request else "",
            "round": request.round if request else 0,
            "kind": "question" if asked else event.act,
            "is_question": asked,
            "addressed_to": one.to,
            "about": event.about if asked else "",
            "characters": len(one.text),
            "truncated": one.truncated,
            "text": one.text if with_texts else None,
        }


def _vote_rows(match: PlayedMatch) -> Iterator[TableRow]:
    numbered = [
        (number, event) for number, event in enumerate(match.events) if isinstance(event, VoteCast)
    ]
    last = {(one.seat, one.about, one.ballot): number for number, one in numbered}
    for number, one in numbered:
        killers = _killers(match, one.about)
        yield {
            **_seat(match, one.seat),
            "event": number,
            "about": one.about,
            "ballot": one.ballot,
            "choice": one.choice,
            "was_asked": bool(one.request),
            "is_last": last[one.seat, one.about, one.ballot] == number,
            "names_culprit": one.choice in killers,
            "names_murderer": one.choice in match.murderers,
        }


def _killers(match: PlayedMatch, about: str) -> Iterable[str]:
    return killers_of(match.started, about) if about else match.culprits


def _probe_rows(match: PlayedMatch) -> Iterator[TableRow]:
    asked = {question.id: question for question in match.script.questions}
    for probe in match.probes:
        question = asked.get(probe.question)
        is_quiz = bool(probe.question)
        yield {
            **_seat(match, probe.seat),
            "kind": probe.kind,
            "known_events": probe.event,
            "question": probe.question,
            "question_kind": question.kind if question else "",
            "candidate": probe.candidate,
            "names_culprit": None if is_quiz else probe.candidate in match.culprits,
            "value": None,
            "chosen": None if probe.options is None else list(probe.options),
            "shown": list(probe.shown),
            "right": question
            and grade(question.answer, question.keys, probe.options, texts=question.options),
        }


def _rating_rows(match: PlayedMatch) -> Iterator[TableRow]:
    for event in match.events:
        if isinstance(event, Rated):
            yield {
                **_seat(match, event.seat),
                "kind": "rated",
                "known_events": event.moment,
                "question": event.scale,
                "question_kind": "",
                "candidate": event.about,
                "names_culprit": None,
                "value": event.value,
                "chosen": None,
                "shown": [],
                "right": None,
            }


def _score_rows(match: PlayedMatch, judgements: Sequence[Judgement]) -> Iterator[TableRow]:
    names = [column.name for column in SCORES.columns]
    for score in (*measure_match(match), *score_judgements(match, judgements)):
        yield {name: getattr(score, name) for name in names}


def _seat(match: PlayedMatch, seat: SeatId) -> TableRow:
    return {
        "run": match.run,
        "match": match.id,
        "seat": seat,
        "faction": match.faction(seat),
        "contestant": match.contestant(seat),
    }
