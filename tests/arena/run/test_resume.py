"""A match goes on from its record: with the same players, and with others."""

import asyncio
import json
import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path

import pytest

from arena.core.actions import Action, choose, fill, say
from arena.core.events import (
    ActionAccepted,
    ActionRejected,
    PromptAdjusted,
    QuestionAsked,
    Said,
)
from arena.core.seats import SeatId
from arena.core.state import MatchState
from arena.games.whodunit.game import WHODUNIT
from arena.models.chat import CallId, ChoiceConstraint, JsonConstraint, Message, Request
from arena.models.function_model import FunctionModel
from arena.models.recording import RecordedCall, RecordedCalls, RecordingModel, ReplayingModel
from arena.players.baselines import ScriptedPlayer
from arena.players.model_limits import ModelLimits, Overflow
from arena.players.model_player import ModelPlayer
from arena.players.player import Player
from arena.players.prompting import PromptingOptions
from arena.records.call_codec import CallCodec
from arena.records.match_record import MatchRecord
from arena.records.match_replay import replay_match
from arena.run.launch import resume_run, start_run
from arena.run.match.decisions import SeatBinding, TurnControl
from arena.run.match.match_loop import MatchLoop
from arena.run.match.restore import restore_players
from arena.run.observer import BaseObserver
from tests.arena.players.context.stage import long_case
from tests.arena.run.stage import config, save_case, with_server
from tests.fakes.openai_server import FakeServer, fake_server
from tests.table import MURDERER, NAMES, case

ADA, BRAM = NAMES[:2]
WIDE = {"rounds": "2", "answers": "batched", "introductions": "together", "reasoning": "together"}
SMALL = "context_budget=3200"

CONTESTANTS = {
    "direct": "direct",
    "cot": "cot",
    "cot without its thoughts": "cot:keep_thought=no",
    "notes": "direct:picture_mode=notes",
    "board": "direct:picture_mode=board",
    "summarise": f"direct:overflow=summarise,{SMALL}",
    "summarise with notes and thoughts": f"cot:overflow=summarise,picture_mode=notes,{SMALL}",
    "retrieve": f"direct:overflow=retrieve,{SMALL}",
    "drop_oldest with a board": f"direct:overflow=drop_oldest,picture_mode=board,{SMALL}",
}


def cut(match: MatchRecord, number: int) -> int:
    """Leave the first `number` events, and the calls that a crash would leave; return how many."""
    events, calls = match.events()[:number], list(match.calls().values())
    (match.path / "done.json").unlink(missing_ok=True)
    path = match.path / "events.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:number]), "utf-8")
    attempts = Counter(
        event.request for event in events if isinstance(event, ActionAccepted | ActionRejected)
    )
    needed = (
        place
        for place, call in enumerate(calls, start=1)
        if call.request.call_id.attempt <= attempts[call.request.call_id.request]
    )
    return write_calls(match, calls[: max(needed, default=0)])


def write_calls(match: MatchRecord, calls: Iterable[RecordedCall]) -> int:
    """Write the calls of a match again; return how many there are."""
    codec, kept = CallCodec(), list(calls)
    text = "".join(f"{codec.encode(call)}\n" for call in kept)
    (match.path / "calls.jsonl").write_text(text, "utf-8")
    return len(kept)


def prompts_of(match: MatchRecord) -> dict[CallId, object]:
    """Return what each call of a match asked, and what was answered."""
    return {
        call_id: (
            [(m.role, m.text, m.picture and m.picture.sha256) for m in call.request.messages],
            call.request.max_tokens,
            call.request.constraint,
            call.completion and call.completion.text,
            call.error,
        )
        for call_id, call in match.calls().items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("player", CONTESTANTS.values(), ids=CONTESTANTS)
def test_a_resumed_seat_is_prompted_as_in_a_match_that_never_stopped(
    tmp_path: Path, player: str
) -> None:
    script = long_case(6000, clues=0) if SMALL in player else case()
    loaded, path = save_case(tmp_path / "case", script), tmp_path / "whole"

    async def play() -> None:
        context = 4096 if SMALL in player else 32_768
        async with fake_server(FakeServer(context=context)) as server:
            wanted = config(loaded, f"{server.url}#fake-vl+{player}", "naive", options=WIDE)
            played = await start_run(wanted, [loaded], path, concurrency=1, observer=BaseObserver())
            [whole] = played.run.matches()
            (whole.path / "done.json").unlink()
            events, prompts = whole.events(), prompts_of(whole)
            for part in range(1, 6):
                copy = tmp_path / f"part-{part}"
                shutil.copytree(path, copy)
                match = MatchRecord(path=copy / "matches" / whole.path.name, run=copy)
                kept, before = cut(match, part * len(events) // 6), len(server.bodies)
                await resume_run(copy, concurrency=1, observer=BaseObserver())
                assert match.events() == events
                assert prompts_of(match) == prompts
                assert len(server.bodies) - before == len(prompts) - kept

    asyncio.run(play())


@pytest.mark.slow
def test_an_adjustment_that_was_recorded_without_its_answer_is_not_recorded_twice(
    tmp_path: Path,
) -> None:
    loaded, path = save_case(tmp_path / "case", long_case(6000, clues=0)), tmp_path / "whole"
    player = f"direct:picture_mode=notes,overflow=summarise,{SMALL}"

    async def play() -> None:
        async with fake_server(FakeServer(context=4096)) as server:
            wanted = config(loaded, f"{server.url}#fake-vl+{player}", "naive", options=WIDE)
            played = await start_run(wanted, [loaded], path, concurrency=1, observer=BaseObserver())
            [whole] = played.run.matches()
            (whole.path / "done.json").unlink()
            events = whole.events()
            torn = [
                number
                for number, event in enumerate(events, start=1)
                if isinstance(event, PromptAdjusted)
                and not isinstance(events[number], ActionAccepted)
            ]
            assert torn
            for number in (torn[0], torn[len(torn) // 2], torn[-1], torn[-1] + 1):
                copy = tmp_path / f"cut-{number}"
                shutil.copytree(path, copy)
                match = MatchRecord(path=copy / "matches" / whole.path.name, run=copy)
                cut(match, number)
                assert isinstance(match.events()[-1], PromptAdjusted)
                await resume_run(copy, concurrency=1, observer=BaseObserver())
                assert match.events() == events

    asyncio.run(play())


@dataclass(frozen=True, kw_only=True)
class Continued:
    """A match that others continued, and what its models were asked then."""

    state: MatchState
    asked: list[Request]

    def prompts(self, seat: str) -> list[tuple[Message, ...]]:
        """Return the prompts of a seat, in order."""
        return [one.messages for one in self.asked if one.call_id.seat == seat]


LIMITS = ModelLimits(
    reply_tokens=256,
    context_tokens=None,
    count=lambda messages: sum(len(message.text) // 4 + 4 for message in messages),
    exact=True,
)


def reply(request: Request) -> str:
    """Return what the constraint allows, in words that no other seat uses."""
    words = f"I, {request.call_id.seat}, was at home."
    match request.constraint:
        case ChoiceConstraint(options=options):
            return options[0]
        case JsonConstraint(fields=fields):
            values = {one.name: one.options[0] if one.options else words for one in fields}
            return json.dumps(values)
        case _:
            return words


def go_on(
    record: MatchRecord,
    others: Mapping[str, Player | PromptingOptions],
    limits: ModelLimits = LIMITS,
) -> Continued:
    """Continue a match; the seats that are not `others` are played by `direct` models."""
    calls, made = RecordedCalls(record.calls()), list[RecordedCall]()
    before = record.events()
    replayed = replay_match(WHODUNIT, record.script(), before)

    def bind(seat: str) -> Player:
        who = others.get(seat, PromptingOptions())
        if not isinstance(who, PromptingOptions):
            return who
        recording = RecordingModel(FunctionModel(reply), save=made.append)
        return ModelPlayer(ReplayingModel(recording, calls=calls), who, limits)

    players = {SeatId(name): bind(name) for name in NAMES}

    async def play() -> MatchState:
        await restore_players(replayed, players, calls)
        loop = MatchLoop(
            game=WHODUNIT,
            seats={seat: SeatBinding(player=one, health=None) for seat, one in players.items()},
            control=TurnControl(deadline=60.0),
            sink=lambda steps: None,
            recorded=list(replayed.unanswered),
        )
        return await loop.run(replayed.state)

    state = asyncio.run(play())
    with record.open_writer() as writer:
        writer.events(state.history[len(before) :])
        for call in made:
            writer.call(call)
    return Continued(state=state, asked=[call.request for call in made])


def person(seat: str) -> ScriptedPlayer:
    """Return a person who says the same at every request of a kind."""
    other = BRAM if seat == ADA else ADA
    lines: dict[str, Action] = {
        "introduce": say("PERSON introduces herself."),
        "share_and_ask": fill(share="PERSON shares.", target=other, question="PERSON asks?"),
        "answer": say("PERSON answers."),
        "conclude": fill(method="PERSON method", motive="PERSON motive", culprit=other),
        "vote": choose(other),
    }
    return ScriptedPlayer({(seat, kind): repeat(line) for kind, line in lines.items()})


def text_of(messages: tuple[Message, ...]) -> str:
    return "\n".join(message.text for message in messages)


@pytest.fixture
def match(tmp_path: Path) -> MatchRecord:
    """Return a match that `direct` models of a fake server played to its end."""
    loaded = save_case(tmp_path / "case")
    run, _ = with_server(
        loaded,
        tmp_path / "run",
        lambda url: config(loaded, f"{url}#fake-vl", f"{url}#fake-vl", options={"rounds": "2"}),
    )
    [found] = run.run.matches()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.4, 0.6])
@pytest.mark.parametrize("seat", [ADA, MURDERER])
def test_a_person_takes_over_the_seat_of_a_model(
    match: MatchRecord, seat: str, share: float
) -> None:
    cut(match, int(share * len(match.events())))
    kept = match.events()
    state = go_on(match, {seat: person(seat)}).state
    assert state.history[: len(kept)] == kept
    assert state.ended is not None
    assert state.ended.outcome in {"civ_win", "murderer_win", "draw"}
    answered = {event.request for event in kept if isinstance(event, ActionAccepted)}
    later = [event for event in state.history[len(kept) :] if isinstance(event, Said)]
    own = [event for event in later if event.seat == seat and event.request not in answered]
    assert own
    assert all("PERSON" in event.text for event in own)
    assert not any("PERSON" in event.text for event in later if event.seat != seat)
    assert match.events() == state.history


def test_the_other_seats_hear_a_person_and_what_the_model_before_her_said(
    match: MatchRecord,
) -> None:
    cut(match, len(match.events()) // 3)
    earlier = [e.text for e in match.events() if isinstance(e, Said) and e.seat == ADA]
    assert earlier
    continued = go_on(match, {ADA: person(ADA)})
    assert not continued.prompts(ADA)
    last = text_of(continued.prompts(BRAM)[-1])
    assert "“PERSON shares.”" in last
    assert all(f"“{text}”" in last for text in earlier)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        PromptingOptions(),
        PromptingOptions(thought=True),
        PromptingOptions(thought=True, keep_thought=False),
    ],
    ids=["direct", "cot", "cot without its thoughts"],
)
def test_a_model_that_takes_over_from_a_person_reads_her_words_as_its_own_lines(
    match: MatchRecord, options: PromptingOptions
) -> None:
    cut(match, 4)
    whole = go_on(match, {ADA: person(ADA)}).state
    conclusion = next(
        number
        for number, event in enumerate(whole.history)
        if isinstance(event, Said) and event.parts[0][0] == "method"
    )
    cut(match, conclusion - 1)
    kept = match.events()
    spoken = [
        event.text
        for event in kept
        if isinstance(event, Said | QuestionAsked) and event.seat == ADA
    ]
    assert len(spoken) >= 5
    continued = go_on(match, {ADA: options})
    first, *_, last = continued.prompts(ADA)
    for prompt in (first, last):
        text = text_of(prompt)
        for words in spoken:
            assert text.count(f"“{words}”") == spoken.count(words)
    assert not any(message.role == "assistant" for message in first)
    assert any(message.role == "assistant" for message in last)
    assert not any("PERSON" in m.text for m in last if m.role == "assistant")
    assert continued.state.history[: len(kept)] == kept
    assert continued.state.ended is not None
    # Once more from the middle: of her words and its own, each is told as what it was.
    events = match.events()
    cut(match, len(events) - 4)
    assert go_on(match, {ADA: options}).state.history == events


def test_an_answer_of_a_person_replaces_the_recorded_call_of_the_model_before_her(
    match: MatchRecord,
) -> None:
    """The model's answer was recorded as a call, but the match stopped before it was an event."""
    calls = list(match.calls().values())
    cut(match, 4)
    write_calls(match, calls[:1])
    assert calls[0].request.call_id.seat == ADA
    go_on(match, {ADA: person(ADA)})
    events = match.events()
    cut(match, len(events) // 2)
    # `cut` keeps the unused call: it comes first.
    assert next(iter(match.calls().values())).request.call_id == calls[0].request.call_id
    continued = go_on(match, {})
    first = continued.prompts(ADA)[0]
    assert "“PERSON introduces herself.”" in text_of(first)
    assert calls[0].completion is not None
    assert not any(message.text == calls[0].completion.text for message in first)


@pytest.mark.slow
@pytest.mark.parametrize("overflow", ["summarise", "retrieve", "drop_oldest"])
def test_a_model_of_a_small_context_takes_over_from_a_person_and_again_from_itself(
    match: MatchRecord, overflow: Overflow
) -> None:
    cut(match, 4)
    limits = replace(
        LIMITS,
        reply_tokens=64,
        context_tokens=900,
        picture_mode="notes",
        overflow=overflow,
    )
    people: dict[str, Player] = {name: person(name) for name in NAMES}
    total = len(go_on(match, people).state.history)
    cut(match, total // 2)
    others = {**people, ADA: PromptingOptions(reply_tokens=64)}
    first = go_on(match, others, limits)
    kinds = {call.call_id.kind for call in first.asked}
    assert "reading" in kinds
    assert ("summary" in kinds) == (overflow == "summarise")
    assert any(
        isinstance(event, PromptAdjusted) and event.adjustment == "log_reset"
        for event in first.state.history
    )
    assert first.state.ended is not None
    assert first.state.ended.outcome != "error", first.state.ended.cause
    cut(match, len(first.state.history) - 4)
    assert go_on(match, others, limits).state.history == first.state.history
