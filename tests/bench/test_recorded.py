"""Runs that were played, as traces: the prompts as they were, the waits as the rules force them."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.bench.content import read_picture
from arena.bench.course import dependencies
from arena.bench.ideal import dispatch_of
from arena.bench.recorded import trace_of
from arena.bench.trace import Piece, Trace, TraceMatch, Turn, load_trace, save_trace
from arena.core.actions import choose
from arena.core.specs import ABSTAIN
from arena.core.state import pending
from arena.errors import RecordError
from arena.games.whodunit.options import WhodunitOptions
from arena.models.chat import Message
from arena.models.recording import RecordedCall
from arena.records.run_record import RunRecord, open_run
from scripts_mm.files import LoadedScript
from tests.fakes.faults import Faults
from tests.fakes.openai_server import FakeServer
from tests.run.stage import config, save_case, start, with_server
from tests.table import NAMES, act, begin, legal, setup


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> LoadedScript:
    return save_case(tmp_path_factory.mktemp("scripts") / "harbour")


Play = Callable[..., tuple[Trace, RunRecord]]


@pytest.fixture
def play(loaded: LoadedScript, tmp_path: Path) -> Play:
    """Return what plays a match of a fake model against itself and reads it as a trace."""

    def played(
        civilians: str = "{url}", murderer: str = "{url}", server: Any = None, **more: Any
    ) -> tuple[Trace, RunRecord]:
        run, _ = with_server(
            loaded,
            tmp_path / "run",
            lambda url: config(loaded, civilians.format(url=url), murderer.format(url=url), **more),
            server=server,
        )
        return trace_of(run.run.path), run.run

    return played


def answered(run: RunRecord, match: str) -> list[RecordedCall]:
    return [call for call in run.match(match).calls().values() if call.completion is not None]


def said(message: Message | Piece) -> tuple[str, str, str]:
    picture = message.picture
    shown = picture if isinstance(picture, str) else (picture.sha256 if picture else "")
    return message.role, message.text, shown


def check(trace: Trace, run: RunRecord) -> None:
    """See that each turn's prompt is, message by message, the prompt that was sent."""
    for match in trace.matches:
        calls = answered(run, match.id)
        assert len(match.turns) == len(calls) > 10
        for turn, call in zip(match.turns, calls, strict=True):
            assert call.completion is not None
            prompt = trace.prompt(match, turn)
            assert [said(piece) for piece in prompt] == [said(m) for m in call.request.messages]
            replies = [piece.key for piece in prompt if piece.role == "assistant"]
            assert len(set(replies)) == len(replies)
            assert turn.output == call.completion.output_tokens
            assert (turn.seat, turn.ask) == (
                call.request.call_id.seat,
                call.request.call_id.request,
            )


def by_ask(match: TraceMatch, ask: str) -> list[Turn]:
    return [turn for turn in match.turns if turn.ask.startswith(ask)]


def test_prompts_are_those_that_were_sent(play: Play) -> None:
    trace, run = play(matches=2)
    assert len(trace.matches) == 2
    check(trace, run)
    match = trace.matches[0]
    assert match.script == "harbour-en"
    assert match.pair[0] == match.pair[1]
    assert not any(turn.whole for turn in match.turns)
    assert all(turn.choice == (turn.ask.startswith("voting")) for turn in match.turns)


def test_what_is_asked_in_turn_waits_for_the_ask_before_and_votes_for_the_last_word(
    play: Play,
) -> None:
    match = play()[0].matches[0]
    spoken = [turn for turn in match.turns if not turn.choice]
    assert [turn.parents for turn in spoken] == [(), *((n,) for n in range(len(spoken) - 1))]
    votes = by_ask(match, "voting")
    assert len(votes) == len(NAMES)
    assert {turn.parents for turn in votes} == {(len(spoken) - 1,)}


def test_asks_of_a_wave_wait_for_the_wave_before_and_not_for_each_other(play: Play) -> None:
    wide = {"introductions": "together", "answers": "batched", "reasoning": "together"}
    trace, run = play(options=wide, server=FakeServer(faults=Faults(seconds=0.002)))
    check(trace, run)
    match = trace.matches[0]
    intro, share = by_ask(match, "introduction"), by_ask(match, "discussion-1/share")
    shares = [turn for turn in share if not turn.ask.endswith("/answer")]
    answers = [turn for turn in share if turn.ask.endswith("/answer")]
    assert {turn.parents for turn in intro} == {()}
    assert {turn.parents for turn in shares} == {tuple(t.number for t in intro)}
    # Two answers of one seat are separate prompts, and later prompts hold both.
    for turn in answers:
        assert set(turn.parents) == {t.number for t in shares}
    conclusions, votes = by_ask(match, "reasoning"), by_ask(match, "voting")
    assert {turn.parents for turn in conclusions} == {tuple(t.number for t in answers)}
    assert {turn.parents for turn in votes} == {tuple(t.number for t in conclusions)}


def test_a_player_without_a_model_is_waited_through(play: Play) -> None:
    trace, run = play(murderer="naive")
    check(trace, run)
    match = trace.matches[0]
    seats = {turn.seat for turn in match.turns}
    assert len(seats) == len(NAMES) - 1
    spoken = [turn for turn in match.turns if not turn.choice]
    assert [turn.parents for turn in spoken] == [(), *((n,) for n in range(len(spoken) - 1))]


def test_thoughts_come_before_their_answers(play: Play) -> None:
    trace, run = play(civilians="{url}+cot", murderer="naive")
    check(trace, run)
    match = trace.matches[0]
    votes = by_ask(match, "voting")
    thoughts = [turn for turn in votes if not turn.choice]
    choices = [turn for turn in votes if turn.choice]
    assert len(thoughts) == len(choices) > 0
    for choice in choices:
        [before] = choice.parents
        assert match.turns[before].ask == choice.ask
        assert not match.turns[before].choice


def test_probes_are_marked_and_rest_on_what_was_said_at_their_moment(play: Play) -> None:
    trace, run = play(ballots=True, quiz="both")
    check(trace, run)
    match = trace.matches[0]
    probes = [turn for turn in match.turns if turn.probe]
    assert probes
    assert not any(turn.probe for turn in match.turns if not turn.ask.startswith("probe/"))
    before = by_ask(match, "probe/quiz-before")
    assert {turn.parents for turn in before} == {()}
    votes = {turn.number for turn in by_ask(match, "voting")}
    assert {turn.parents for turn in by_ask(match, "probe/quiz-after")} == {tuple(sorted(votes))}
    events = run.match(match.id).events()
    for turn in by_ask(match, "probe/ballot"):
        number = int(turn.ask.split("/")[2])
        # A probe that was put again rests on its first answer.
        spoken = {turn.ask, *(getattr(event, "request", "") for event in events[:number])}
        assert turn.parents
        assert all(match.turns[parent].ask in spoken for parent in turn.parents)


def test_equal_content_has_equal_keys_over_matches(play: Play) -> None:
    trace, _ = play(matches=2)
    first, second = ({t.seat: t.added[:2] for t in m.turns[:5]} for m in trace.matches)
    assert first == second
    keys: dict[str, Piece] = {}
    for match in trace.matches:
        for turn in match.turns:
            for piece in turn.added:
                assert keys.setdefault(piece.key, piece) == piece


def test_estimated_prompts_are_about_as_long_as_the_server_said(play: Play) -> None:
    trace, run = play()
    match = trace.matches[0]
    told = sum(c.completion.prompt_tokens for c in answered(run, match.id) if c.completion)
    counted = sum(p.tokens for turn in match.turns for p in trace.prompt(match, turn))
    assert 0.85 < counted / told < 1.15
    assert dispatch_of(trace, 16).infinite().rate > 0.5


def test_messages_are_counted_exactly_where_somebody_can(play: Play) -> None:
    _, run = play()
    trace = trace_of(run.path, count=lambda message: len(message.text) + 1)
    for turn in trace.matches[0].turns:
        assert all(piece.tokens == len(piece.text) + 1 for piece in turn.added)


def test_pictures_are_those_of_the_run(play: Play, tmp_path: Path) -> None:
    trace, run = play()
    assert len(trace.pictures) == 2
    for name, shown in trace.pictures.items():
        assert read_picture(trace, name) == run.read_picture(name)
        assert (shown.width, shown.height) == (96, 64)
        assert shown.size == len(run.read_picture(name))
    save_trace(trace, tmp_path / "t.jsonl")
    assert load_trace(tmp_path / "t.jsonl") == trace


def test_an_overflow_begins_the_log_anew(play: Play) -> None:
    trace, run = play(server=FakeServer(context=1500))
    check(trace, run)
    assert any(turn.whole for turn in trace.matches[0].turns)


def test_a_revote_waits_for_the_whole_vote_before() -> None:
    chance = Random(4)
    state = begin(setup(WhodunitOptions(tie="revote", revotes=2, vote="secret")))
    votes = (NAMES[1], NAMES[0], NAMES[1], NAMES[0], ABSTAIN)
    choices = dict(zip(map(str, NAMES), votes, strict=True))
    while requests := pending(state):
        for request in requests:
            is_vote = request.kind == "vote"
            action = choose(choices[request.seat]) if is_vote else legal(request, chance)
            state = act(state, request, action)
    order = dependencies(state.history).before
    for number in (2, 3):
        before = {order[one] for one in order if one.startswith(f"voting-{number}")}
        assert before == {tuple(one for one in order if one.startswith(f"voting-{number - 1}"))}


def test_a_run_without_calls_is_refused(loaded: LoadedScript, tmp_path: Path) -> None:
    run = start(config(loaded, "random", "naive"), loaded, tmp_path / "run").run
    with pytest.raises(RecordError, match=r"no complete match of the run .* asked a model"):
        trace_of(run.path)
    with pytest.raises(RecordError, match="no run at"):
        trace_of(tmp_path)
    assert open_run(run.path)
