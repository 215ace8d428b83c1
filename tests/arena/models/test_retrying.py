"""Which failures are asked again, how often and after how long."""

import asyncio

import pytest

from arena.errors import ContextLengthError, EndpointUnavailableError, ModelError
from arena.models.chat import Completion, Request
from arena.models.function_model import FunctionModel
from arena.models.http.http_errors import ServerBusyError, parse_retry_after
from arena.models.retrying import RetryingModel, exponential_backoff
from tests.arena.models.conversation import FakeTime, asked


class Failing:
    """Fails as told, then answers."""

    def __init__(self, *errors: ModelError) -> None:
        self._errors = list(errors)
        self.asked = 0

    async def complete(self, request: Request) -> Completion:
        self.asked += 1
        if self._errors:
            raise self._errors.pop(0)
        return await FunctionModel(lambda request: "well").complete(request)


def complete(model: Failing, *, tries: int = 4) -> tuple[Completion, list[float]]:
    time = FakeTime()
    patient = RetryingModel(
        model, max_attempts=tries, backoff=exponential_backoff(sleep=time.sleep), clock=time.clock
    )
    return asyncio.run(patient.complete(asked())), time.slept


def test_a_model_that_is_up_is_asked_once() -> None:
    completion, slept = complete(Failing())
    assert completion.retries == 0
    assert slept == []


def test_each_pause_is_twice_the_last() -> None:
    completion, slept = complete(Failing(*[EndpointUnavailableError("away")] * 3))
    assert slept == [0.5, 1, 2]
    assert completion.retries == 3
    assert completion.seconds == 3.5


def test_the_last_failure_is_raised_as_it_came() -> None:
    last = EndpointUnavailableError("still away")
    model = Failing(EndpointUnavailableError("away"), last)
    with pytest.raises(EndpointUnavailableError) as caught:
        complete(model, tries=2)
    assert caught.value is last
    assert model.asked == 2


@pytest.mark.parametrize("error", [ContextLengthError("too long"), ModelError("no such model")])
def test_what_would_be_refused_again_is_not_asked_again(error: ModelError) -> None:
    model = Failing(error)
    with pytest.raises(type(error)):
        complete(model)
    assert model.asked == 1


@pytest.mark.parametrize(("asks", "pause"), [(None, 0.5), (0.1, 0.5), (4.0, 4.0), (9e9, 30.0)])
def test_a_server_is_given_the_time_that_it_asks_for_within_reason(
    asks: float | None, pause: float
) -> None:
    assert complete(Failing(ServerBusyError("busy", retry_after=asks)))[1] == [pause]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("3", 3.0), ("0.5", 0.5), (None, None), ("", None), ("-1", None), ("nan", None)],
)
def test_a_retry_after_that_makes_no_sense_is_ignored(
    header: str | None, seconds: float | None
) -> None:
    assert parse_retry_after(header) == seconds


def test_an_infinite_and_a_dated_retry_after_are_ignored() -> None:
    assert parse_retry_after("inf") is None
    assert parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") is None


def test_a_pause_can_be_cut_short_by_a_deadline() -> None:
    async def play() -> None:
        patient = RetryingModel(
            Failing(*[EndpointUnavailableError("away")] * 9),
            max_attempts=9,
            backoff=exponential_backoff(initial=60),
        )
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await patient.complete(asked())

    asyncio.run(play())
