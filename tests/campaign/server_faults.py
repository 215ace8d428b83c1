"""Faults of the engine and the proxy: they end, come back, forget, or serve another model."""

import signal
import time
from collections.abc import Callable, Mapping
from typing import Final

from tests.campaign.answer_faults import HASTY_DEADLINE
from tests.campaign.orchestrator_faults import stop_beyond_deadline, stop_shortly
from tests.campaign.stage import KEY
from tests.campaign.trial import REFUSED, UNFINISHED, WHOLE, Trial

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
        _refuse_change(trial, child_status=trial.end(child, WHOLE, UNFINISHED).status)
        trial.stage.restart_engine()
        trial.finish()
        trial.compare()

    return run


def tell_other_model(**plan: object) -> Callable[[Trial], None]:
    """Return the trial in which the server tells another card or version after an outage."""

    def run(trial: Trial) -> None:
        child = trial.start()
        if trial.wait_for_calls(child, trial.choose_moment(_EARLY)):
            trial.count_fault()
            trial.spoil({}, is_down=True, **plan)
            time.sleep(_NOTICED_SECONDS)
            trial.spoil({}, **plan)
        _refuse_change(trial, child_status=trial.end(child, WHOLE, UNFINISHED).status)
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


def _refuse_change(trial: Trial, *, child_status: int) -> None:
    """Check that the change was noticed: matches ended as errors, and no resume goes on."""
    if not trial.faults:
        return
    if child_status == WHOLE:
        trial.problems.append("another model was served, and nothing noticed it")
        return
    trial.end(trial.start(), REFUSED, UNFINISHED)


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
    "other-root": tell_other_model(card={"root": "/models/another"}),
    "other-limit": tell_other_model(card={"max_model_len": _OTHER_CONTEXT}),
    "other-version": tell_other_model(version="0.99.0"),
}
"""Servers that change in the middle of a run."""
