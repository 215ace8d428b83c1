"""The short form of `make campaign`, and proof that it reports the faults that it looks for."""

import json
from collections.abc import Generator
from pathlib import Path
from signal import SIGKILL, SIGSTOP

import pytest

from arena.models.api.chat_serialization import MessageJsonCache, serialize
from arena.models.api.request_params import RequestParams
from arena.models.chat import CallId, Message, Request
from scripts_mm.script import Picture
from tests.campaign.answer_faults import spoil_answers
from tests.campaign.campaign import Campaign, find_kinds, plan_trials
from tests.campaign.catalogue import SPOILS
from tests.campaign.journal import (
    AnsweredLine,
    AskedLine,
    Entry,
    JournalReader,
    JournalWriter,
    digest_of_body,
    digest_of_messages,
)
from tests.campaign.kinds import KINDS
from tests.campaign.ledger import RequestLedger
from tests.campaign.orchestrator_faults import kill_in_play
from tests.campaign.planted import AFTER, BEFORE
from tests.campaign.processes import CampaignError, Child, wait_for
from tests.campaign.server_faults import OTHER_MODELS
from tests.campaign.stage import Stage
from tests.campaign.trial import WHOLE, Trial, TrialId

SHORT = {
    "answer-mixed": 12,
    "answer-usage-huge": 4,
    "answer-surrogate-cut": 3,
    "kill": 2,
    "kill-making": 1,
    "engine-kill": 1,
    "proxy-kill": 1,
    "stop-orchestrator": 2,
    "disk-limit": 1,
    "clock-steps": 2,
}
"""Kinds that the suite tries, and how many faults of each."""
SETUP = "small"


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Generator[Campaign]:
    """Return a campaign whose servers run."""
    with Stage(tmp_path_factory.mktemp("campaign")) as stage:
        found = Campaign(stage=stage)
        found.reference(SETUP)
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("kind", SHORT)
def test_a_run_with_faults_ends_as_the_undisturbed_run(campaign: Campaign, kind: str) -> None:
    trial = TrialId(kind=kind, seed=1, faults=SHORT[kind])
    result = campaign.play(trial, KINDS[kind].run, SETUP)
    assert result.problems == ()
    assert result.faults > 0


def play(trial: Trial) -> None:
    """Play a run without faults."""
    trial.end(trial.start(), WHOLE)
    trial.compare()


def play_twice(trial: Trial) -> None:
    """Play a run, and resume it when it is whole."""
    trial.end(trial.start(), WHOLE)
    trial.end(trial.start(), WHOLE)
    trial.compare()


def skip_busy(trial: Trial) -> None:
    """Play a run with a busy server and a deadline that is soon over."""
    trial.deadline = 2.0
    spoil_answers("429")(trial)


PLANTED = {
    "lose-event": (play, "events.jsonl line 10"),
    "lose-call": (play, "asked and not recorded"),
    "record-twice": (play, "call recorded twice"),
    "change-finished": (play_twice, "a finished match was changed or lost"),
    "forget-unfinished": (kill_in_play, "asked again"),
    "lose-index": (play, "there is no index.sqlite"),
    "print-traceback": (play, "on the screen"),
    "print-words": (play, "--json printed 'these words are no JSON'"),
    "leak-key": (play, "the key stands in stderr"),
    "end-oddly": (play, "exit status 3"),
    "leave-process": (play, "was left over"),
    "hold-memory": (play, "MiB of memory"),
    "ask-twice": (play, "asked and not recorded"),
    "skip-busy": (skip_busy, "turn_skipped"),
    "take-any-template": (OTHER_MODELS["other-template"], "it went on with another model"),
    "lose-flag": (OTHER_MODELS["other-root"], "it has no flag 'server changed'"),
}
"""Each planted fault: the trial that meets it, and words of the report."""


@pytest.mark.slow
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_reported(campaign: Campaign, fault: str) -> None:
    run, words = PLANTED[fault]
    healthy = campaign.stage.program
    campaign.stage.program = ("-m", "tests.campaign.planted", fault)
    try:
        result = campaign.play(TrialId(kind=fault, seed=1, faults=1), run, SETUP)
    finally:
        campaign.stage.program = healthy
    assert any(words in problem for problem in result.problems), result.problems


def test_every_planted_fault_is_tried() -> None:
    assert PLANTED.keys() == BEFORE.keys() | AFTER.keys()


def test_a_request_has_one_digest_on_the_wire_and_in_the_record() -> None:
    picture = Picture(sha256="ab" * 32, file="a.png", mime="image/png", width=9, height=9)
    messages = (
        Message(role="system", text="规则 \ud83d"),
        Message(role="user", text="look", picture=picture),
        Message(role="user", text="", picture=picture),
        Message(role="assistant", text="I see"),
    )
    request = Request(
        call_id=CallId(seat="Ada", request="r"), messages=messages, max_tokens=9, temperature=0.5
    )
    params = RequestParams(unsupported=frozenset(), max_tokens=9, is_vllm=True)
    url = b"data:image/png;base64,AAAA"
    bodies = [
        serialize(request, "m", params, urls, MessageJsonCache()).body
        for urls in ({}, {picture.sha256: url})
    ]
    assert {digest_of_body(body) for body in bodies} == {digest_of_messages(messages)}


def test_a_request_with_other_words_has_another_digest() -> None:
    def body(text: str) -> bytes:
        return json.dumps({"messages": [{"role": "user", "content": text}]}).encode()

    assert digest_of_body(body("a")) != digest_of_body(body("b"))


def entry(digest: str, *, status: int = 200, spoilt: str = "", is_delivered: bool = True) -> Entry:
    """Return a request and its answer."""
    return Entry(
        asked=AskedLine(number="1", at=1.0, digest=digest, spoilt=spoilt),
        answered=AnsweredLine(number="1", until=2.0, status=status, is_delivered=is_delivered),
    )


@pytest.mark.parametrize(
    "second",
    [
        entry("a", status=500),
        entry("a", spoilt="429"),
        entry("a", is_delivered=False),
        Entry(asked=AskedLine(number="2", at=1.0, digest="a"), answered=None),
    ],
)
def test_a_request_may_be_repeated_after_an_answer_that_did_not_arrive(second: Entry) -> None:
    ledger = RequestLedger()
    lost = ledger.settle([entry("a"), second], {}, allowed=1)
    assert lost == ""
    assert ledger.lost.total() == 1


def test_a_request_that_is_repeated_without_a_reason_is_reported() -> None:
    report = RequestLedger().settle([entry("a"), entry("a")], {}, allowed=1)
    assert report.startswith("2 answered requests were asked and not recorded")


def test_an_answer_that_was_lost_once_is_not_reported_again() -> None:
    ledger = RequestLedger()
    assert ledger.settle([entry("a")], {}, allowed=1) == ""
    assert ledger.settle([entry("a")], {}, allowed=0) == ""
    assert ledger.settle([entry("a"), entry("b")], {}, allowed=0) != ""


def test_a_journal_is_read_while_it_grows(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    reader, writer = JournalReader(path), JournalWriter(path)
    assert reader.entries() == []
    writer.append(AskedLine(number="1", at=1.0, digest="a"))
    [first] = reader.entries()
    assert (first.answered, first.is_good, reader.count_answered()) == (None, False, 0)
    writer.append(AnsweredLine(number="1", until=2.0, status=200, is_delivered=True))
    with path.open("a") as file:
        file.write('{"number": "2", "at"')
    [first] = reader.entries()
    assert (first.is_good, reader.count_answered()) == (True, 1)
    writer.close()


def test_a_stopped_process_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    ready = tmp_path / "ready"
    sleep = "import time; time.sleep(60)"
    start = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', '{sleep}'])"
    child = Child(["-c", f"{start}; open('{ready}', 'w'); {sleep}"], tmp_path, "sleeper")
    assert wait_for(ready.exists, 20)
    child.signal(SIGSTOP)
    assert child.kill().status == -SIGKILL
    assert wait_for(lambda: child.leftover() == [], 20)


def test_a_plan_of_trials_is_the_same_for_the_same_seed() -> None:
    once, again, other = (plan_trials(seed, find_kinds("")) for seed in (3, 3, 4))
    first = [next(once) for _ in range(300)]
    assert first == [next(again) for _ in range(300)]
    assert first != [next(other) for _ in range(300)]


def test_a_campaign_of_a_thousand_faults_tries_every_kind() -> None:
    plan = plan_trials(1, find_kinds(""))
    first = [next(plan) for _ in KINDS]
    assert {trial.kind for trial in first} == KINDS.keys()
    assert sum(trial.faults for trial in first) <= 1000


def test_kinds_are_found_by_patterns() -> None:
    assert find_kinds("kill,stop-*") == ["kill", *(k for k in KINDS if k.startswith("stop-"))]
    with pytest.raises(CampaignError, match="no kind of fault is called 'nothing'"):
        find_kinds("nothing")


@pytest.mark.slow
def test_every_spoilt_answer_is_a_kind() -> None:
    assert {f"answer-{name}" for name in SPOILS} <= KINDS.keys()
