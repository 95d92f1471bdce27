from datetime import datetime, timezone

import pytest

from fairlead import WireError
from fairlead._problem import http_error, parse_retry_after

HINT = "check that the address is that of a Fairlead kernel, and what stands between"


def test_reads_the_envelope_of_the_kernel() -> None:
    body = (
        b'{"type":"about:blank","status":400,"code":"invalid_argument","detail":"wrong","retryable":false,"retryAfterMs":1500,'
        b'"issues":[{"path":"a","expected":"a number","fix":"give one"},{"path":1}],"hint":"look","data":{"x":1},"id":"i"}'
    )
    assert http_error(400, body, "9", may_repeat=True) == WireError(
        code="invalid_argument",
        message="wrong",
        hint="look",
        data={"x": 1},
        issues=({"path": "a", "expected": "a number", "fix": "give one"},),
        id="i",
        retry_after=1.5,
    )


@pytest.mark.parametrize(
    ("status", "may_repeat", "code", "retryable"),
    [
        (429, False, "resource_exhausted", True),
        (503, False, "unavailable", True),
        (502, False, "unavailable", False),
        (502, True, "unavailable", True),
        (504, True, "deadline_exceeded", True),
        (418, True, "unknown", False),
    ],
)
def test_reads_what_a_proxy_said(status: int, may_repeat: bool, code: str, retryable: bool) -> None:
    error = http_error(status, b"<html>", None, may_repeat=may_repeat)
    assert (error.code, error.retryable, error.hint) == (code, retryable, HINT)
    assert error.message == f"the server answered with HTTP status {status} and no Fairlead error"


@pytest.mark.parametrize("after", [b"1e999", b"-1", b"true", b"1" + b"0" * 400])
def test_a_wait_that_is_none_is_left_out(after: bytes) -> None:
    body = b'{"code":"unavailable","message":"busy","retryable":true,"retryAfterMs":' + after + b"}"
    assert http_error(503, body, None, may_repeat=True).retry_after is None


def test_json_that_is_too_deep_is_none() -> None:
    assert http_error(500, b"[" * 100_000, None, may_repeat=True).message.startswith("the server answered with HTTP status 500")


def test_a_proxys_own_words_are_kept() -> None:
    assert http_error(404, b'{"title":"no such route"}', None, may_repeat=True).message == "no such route"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("3", 3.0), ("Sun, 22 Nov 2026 12:00:10 GMT", 10.0), ("Sun, 22 Nov 2026 11:00:00 GMT", 0.0), ("soon", None), (None, None), ("-1", None)],
)
def test_reads_retry_after(value: str | None, seconds: float | None) -> None:
    assert parse_retry_after(value, datetime(2026, 11, 22, 12, tzinfo=timezone.utc)) == seconds
