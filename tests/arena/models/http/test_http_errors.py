"""What is made of a refusal: how long its reading takes, and which of its numbers count."""

import json

import pytest

from arena.models.api.capabilities import Feature, features_in_error, next_feature_to_drop
from arena.models.http.http_errors import (
    is_context_overflow,
    is_media_miss,
    parse_retry_after,
    reduce_logprobs,
    reduce_max_tokens,
)
from arena.models.http.responses import HttpResponse, parse_error
from tests.long_texts import PIECES, slow_pieces

HUGE = "9" * 5000
EVERYTHING = frozenset(Feature)


STARTS = (
    "",
    "maximum context length is 9 (",
    "cannot be greater than max_model_len",
    "cache miss for ",
    "logprob",
    "at most ",
)


@pytest.mark.slow
@pytest.mark.parametrize("is_json", [True, False])
@pytest.mark.parametrize("start", STARTS)
def test_a_long_refusal_is_read_in_linear_time(start: str, is_json: bool) -> None:
    def classify(text: str) -> None:
        whole = json.dumps({"error": {"message": text}}) if is_json else text
        response = HttpResponse(status=400, content=whole.encode(errors="replace"))
        error = parse_error(response.content)
        is_media_miss(response, error)
        is_context_overflow(error)
        reduce_max_tokens(error, 100)
        reduce_logprobs(error, 100)
        features_in_error(error, EVERYTHING)
        next_feature_to_drop(error, EVERYTHING)

    pieces = (*PIECES, *STARTS[1:], "contains ", "9", "greater than max allowed: ")
    assert slow_pieces(classify, pieces, start=start) == []


@pytest.mark.parametrize(
    "text",
    [
        f"maximum context length is {HUGE} tokens (7 in the messages",
        f"maximum context length is 700 tokens ({HUGE} in the messages",
        f"maximum context length is 700 tokens and contains at least {HUGE} input tokens",
        f"cannot be greater than max_model_len={HUGE}",
        f"cannot be greater than max_model_len = {HUGE}",
    ],
)
def test_a_number_of_thousands_of_digits_is_no_limit(text: str) -> None:
    assert reduce_max_tokens(text, 100) is None


def test_a_limit_of_thousands_of_digits_is_not_known() -> None:
    assert reduce_logprobs(f"logprobs, which is greater than max allowed: {HUGE}", 9) == 8
    assert reduce_logprobs("logprobs, which is greater than max allowed: 5", 9) == 5


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("2.5", 2.5),
        ("0", 0),
        ("99999999", 3600),
        (HUGE, None),
        ("nan", None),
        ("inf", None),
        ("-1", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", None),
        ("", None),
        (None, None),
    ],
)
def test_a_requested_delay_is_an_hour_at_most(header: str | None, seconds: float | None) -> None:
    assert parse_retry_after(header) == seconds
