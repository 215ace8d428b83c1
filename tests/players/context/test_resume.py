"""A match with summaries and readings is played again from its record, from wherever it stopped."""

from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import pytest

from arena.core.options import Options
from arena.errors import ContextError
from arena.models.chat import CallId, Completion, Message, Request
from arena.models.recording import RecordedCall
from arena.players.means import Overflow, PictureMode
from arena.players.style import Style
from arena.run.tally import Tally
from arena.store.codec import CallCodec
from arena.store.match_folder import MatchFolder
from tests.players.fitting.stage import Played, SmallModel, board, count, means, played

WAYS = [(mode, policy) for mode in get_args(PictureMode) for policy in get_args(Overflow)]
every_way = pytest.mark.parametrize(("mode", "policy"), WAYS)
OPTIONS = Options(rounds=2, answers="batched")


class Silent(SmallModel):
    """A model that nobody may ask."""

    async def complete(self, request: Request) -> Completion:
        raise AssertionError(request.call_id)


def too_few(messages: Sequence[Message]) -> int:
    return count(messages) - 40


def play(
    mode: PictureMode,
    policy: Overflow,
    calls: dict[CallId, RecordedCall] | None = None,
    model: SmallModel | None = None,
) -> Played:
    wanted = means(
        picture_mode=mode,
        overflow=policy,
        compose=board,
        count=too_few,
    )
    return played(Style(cot=True), wanted, options=OPTIONS, calls=calls, model=model)


@every_way
def test_a_match_is_the_same_again_from_any_part_of_its_record(
    mode: PictureMode, policy: Overflow
) -> None:
    whole = play(mode, policy)
    assert any(call.error for call in whole.order) == (whole.model.refused > 0)
    assert play(mode, policy, whole.calls, Silent()).events == whole.events
    total = len(whole.order)
    for kept in (1, total // 3, total // 2, total - 1):
        calls = {call.request.call_id: call for call in whole.order[:kept]}
        again = play(mode, policy, calls)
        assert again.events == whole.events
        assert len(again.order) == total - kept


@every_way
def test_calls_with_readings_and_summaries_come_back_from_disk_as_they_were(
    tmp_path: Path, mode: PictureMode, policy: Overflow
) -> None:
    whole = play(mode, policy)
    folder = MatchFolder(path=tmp_path / "m", run="r")
    with folder.writing() as pens:
        for call in whole.order:
            pens.call(call)
    back = list(folder.calls().values())
    assert [said(call) for call in back] == [said(call) for call in whole.order]
    assert play(mode, policy, dict(folder.calls()), Silent()).events == whole.events


def said(call: RecordedCall) -> tuple[object, ...]:
    shown = [(m.role, m.text, m.picture.sha256 if m.picture else "") for m in call.request.messages]
    return call.request.call_id, shown, call.completion, call.error


def asked(label: CallId, *texts: str) -> RecordedCall:
    messages = tuple(Message(role="user", text=text) for text in texts)
    request = Request(call_id=label, messages=messages, max_tokens=8, temperature=0.0)
    return RecordedCall(request=request, error=str(ContextError("too long")))


def test_a_reading_does_not_disturb_what_a_seats_calls_share() -> None:
    codec = CallCodec()
    lines = [
        codec.encode(asked(CallId(seat="Ada", request="1"), "rules", "script")),
        codec.encode(
            asked(CallId(seat="Ada", request="reading", kind="reading", chunk="plan/1"), "look")
        ),
        codec.encode(asked(CallId(seat="Ada", request="1", kind="summary", chunk="1/1"), "rules")),
        codec.encode(asked(CallId(seat="Ada", request="2"), "rules", "script", "more")),
    ]
    assert ['"shared":2' in line for line in lines] == [False, False, False, True]
    assert '"shared":0' in lines[2]


def test_a_record_from_before_there_were_pieces_is_read() -> None:
    old = (
        '{"label":{"seat":"Ada","ask":"1","attempt":1,"part":"answer","level":0},"shared":0,'
        '"messages":[{"role":"user","text":"hi","picture":null}],"max_tokens":8,'
        '"temperature":0.0,"constraint":null,"completion":null,"error":"too long"}'
    )
    call = CallCodec().decode(old)
    assert call.request.call_id == CallId(seat="Ada", request="1")


def test_readings_and_summaries_are_no_turns_of_the_game() -> None:
    whole, tally = play("notes", "summarise"), Tally()
    for call in whole.order:
        if call.completion is not None:
            tally.add(call.request, call.completion)
    assert tally.turns == {
        (c.request.call_id.seat, c.request.call_id.request)
        for c in whole.order
        if c.request.call_id.kind in {"thought", "answer"}
    }
    assert tally.prompt_tokens == sum(count(c.request.messages) for c in whole.order if not c.error)
