"""Faults of the engine and the proxy: they end, come back, forget, or serve another model."""

import signal
import time
from collections.abc import Callable, Mapping
from typing import Final

from arena.run.match.match_usage import SERVER_CHANGED
from tests.campaign.answer_faults import HASTY_DEADLINE
from tests.campaign.orchestrator_faults import stop_beyond_deadline, stop_shortly
from tests.campaign.stage import KEY
from tests.campaign.trial import (
    REFUSED,
    UNFINISHED,
    WHOLE,
    Trial,
)

_DOWN_SECONDS: Final = 1.5
_NOTICED_SECONDS: Final = 1.2
_EARLY: Final = 0.4
_OTHER_CONTEXT: Final = 30_000


def end_engine(number: signal.Signals) -> Callable[[Trial], None]:
    """Return the trial in which the engine ends and comes back with empty caches."""

    def end(trial: Trial) -> None:
        trial.stage.engine.signal(number)
        trial.stage.engine.wait_ended(30)
        time.sleep(trial.chance.random() * _DOWN_SECONDS)
        trial.stage.start_engine()

    return _in_play(end)


def end_proxy(number: signal.Signals) -> Callable[[Trial], None]:
    """Return the trial in which the proxy ends and comes back."""

    def end(trial: Trial) -> None:
        trial.stage.proxy.signal(number)
        trial.stage.proxy.wait_ended(30)
        time.sleep(trial.chance.random() * _DOWN_SECONDS)
        trial.stage.start_proxy()

    return _in_play(end)


def harm_engine(**faults: object) -> Callable[[Trial], None]:
    """Return the trial in which the engine's own faults are set: its caches drift or are empty."""
    return _in_play(lambda trial: trial.stage.post_faults(**faults))


def lose_replica(trial: Trial) -> None:
    """Kill one of two replicas for good: the same sitting ends whole without it."""
    trial.deadline = HASTY_DEADLINE
    child = trial.start()
    if trial.wait_for_calls(child, trial.choose_moment(0.6)):
        trial.count_fault()
        trial.stage.second_proxy.kill()
    trial.end(child, WHOLE)
    trial.finish()
    trial.compare()


def serve_other_model(*options: str) -> Callable[[Trial], None]:
    """Return the trial in which the engine comes back with another model or other limits."""

    def run(trial: Trial) -> None:
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(_EARLY)):
            trial.count_fault()
            trial.stage.restart_engine(*options)
        if _is_noticed(trial, trial.end(child, WHOLE, UNFINISHED).status):
            _resume_refused(trial)
        trial.stage.restart_engine()
        trial.finish()
        trial.compare()

    return run


def tell_other_model(resume: Callable[[Trial], None], **plan: object) -> Callable[[Trial], None]:
    """Return the trial in which the server tells other things of itself after an outage.

    `resume`: what must hold of a sitting at the server that has changed.
    """

    def run(trial: Trial) -> None:
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(_EARLY)):
            trial.count_fault()
            trial.spoil({}, is_down=True, **plan)
            time.sleep(_NOTICED_SECONDS)
            trial.spoil({}, **plan)
        if _is_noticed(trial, trial.end(child, WHOLE, UNFINISHED).status):
            resume(trial)
        trial.spoil({})
        trial.finish()
        trial.compare()

    return run


def quote_key(trial: Trial) -> None:
    """Let the server quote the key in its card and its version, from the start."""
    trial.spoil({}, card={"owned_by": f"vllm {KEY}", "root": KEY}, version=f"0.32 {KEY}")
    trial.count_fault()
    trial.count_fault()
    trial.end(trial.start(), WHOLE, UNFINISHED)
    trial.end(trial.start(), WHOLE)
    trial.compare()


def _is_noticed(trial: Trial, status: int) -> bool:
    """Check that a change was noticed: matches ended as errors, or they have the flag."""
    if not trial.faults:
        return False
    if status == WHOLE and not _flagged(trial):
        trial.problems.append("another model was served, and nothing noticed it")
        return False
    return True


def _resume_refused(trial: Trial) -> None:
    """Check that no resume goes on: the prompts would change."""
    before = {name: one.events for name, one in trial.observe().items()}
    trial.end(trial.start(), REFUSED, UNFINISHED)
    after = {name: one.events for name, one in trial.observe().items()}
    played = [name for name, events in after.items() if events != before.get(name, b"")]
    trial.problems.extend(f"{name}: it went on with another model" for name in played)


def _resume_flagged(trial: Trial) -> None:
    """Check that a resume ends the run, and that all that it played has the flag."""
    before = set(trial.finished)
    trial.end(trial.start(), WHOLE)
    silent = trial.observe().keys() - before - _flagged(trial)
    trial.problems.extend(f"{name}: it has no flag {SERVER_CHANGED!r}" for name in sorted(silent))


def _flagged(trial: Trial) -> set[str]:
    matches = trial.observe()
    return {name for name, one in matches.items() if SERVER_CHANGED in one.summary.get("flags", ())}


def _in_play(harm: Callable[[Trial], None]) -> Callable[[Trial], None]:
    """Return the trial that does `harm` to a server several times in one sitting."""

    def run(trial: Trial) -> None:
        child = trial.start()
        for _ in range(trial.id.faults):
            if not trial.wait_for_calls(child, trial.choose_moment(0.3)):
                break
            trial.count_fault()
            harm(trial)
        trial.end(child, WHOLE, UNFINISHED)
        trial.finish()
        trial.compare()

    return run


STOPS: Final[Mapping[str, Callable[[Trial], None]]] = {
    "stop-orchestrator": stop_shortly(lambda _, child: child),
    "stop-engine": stop_shortly(lambda trial, _: trial.stage.engine),
    "stop-proxy": stop_shortly(lambda trial, _: trial.stage.proxy),
    "stop-orchestrator-long": stop_beyond_deadline(lambda _, child: child),
    "stop-engine-long": stop_beyond_deadline(lambda trial, _: trial.stage.engine),
    "stop-proxy-long": stop_beyond_deadline(lambda trial, _: trial.stage.proxy),
}
"""Stops of each process, shorter and longer than the deadline."""
OTHER_MODELS: Final[Mapping[str, Callable[[Trial], None]]] = {
    "other-id": serve_other_model("--model", "another-model"),
    "other-context": serve_other_model("--context", f"{_OTHER_CONTEXT}"),
    "other-limit": tell_other_model(_resume_refused, card={"max_model_len": _OTHER_CONTEXT}),
    "other-template": tell_other_model(_resume_refused, is_template_other=True),
    "other-root": tell_other_model(_resume_flagged, card={"root": "/models/another"}),
    "other-version": tell_other_model(_resume_flagged, version="0.99.0"),
}
"""Servers that change in the middle of a run."""
