"""Reads an error reply: the kernel's `application/problem+json`, or whatever a proxy in front of it said.

Pure: takes the parts of a response. Not here: the network.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import cast

from ._json import from_json
from .errors import CODES, Code, Issue, WireError

_CODE_OF_STATUS: dict[int, Code] = {
    400: "invalid_argument",
    401: "unauthenticated",
    403: "permission_denied",
    404: "not_found",
    405: "unimplemented",
    408: "deadline_exceeded",
    409: "aborted",
    412: "failed_precondition",
    413: "resource_exhausted",
    415: "invalid_argument",
    416: "out_of_range",
    422: "invalid_argument",
    429: "resource_exhausted",
    499: "canceled",
    500: "internal",
    501: "unimplemented",
    502: "unavailable",
    503: "unavailable",
    504: "deadline_exceeded",
}

_MOST_MS = 2**53
"""Milliseconds: more is not a number that JSON can carry."""

_NOTHING_RAN = (429, 503)
_NOBODY_KNOWS = (502, 504)


def parse_json(text: str | bytes) -> object:
    """The JSON in a text; `None` where there is none."""
    try:
        return from_json(text)
    except ValueError:
        return None


def wire_error(body: object) -> WireError | None:
    """Reads an envelope that came as JSON; `None` when it is none. `detail` is what problem details call the message."""
    fields = _record(body)
    code = _code(fields.get("code"))
    if code is None:
        return None
    after = fields.get("retryAfterMs")
    issues = fields.get("issues")
    return WireError(
        code=code,
        message=_text(fields.get("message")) or _text(fields.get("detail")) or code,
        retryable=fields.get("retryable") is True,
        reason=_text(fields.get("reason")),
        hint=_text(fields.get("hint")),
        data=fields.get("data"),
        issues=tuple(_issues(cast(list[object], issues))) if isinstance(issues, list) else (),
        id=_text(fields.get("id")),
        retry_after=_seconds(after),
    )


def http_error(status: int, body: bytes, retry_after: str | None, *, may_repeat: bool) -> WireError:
    """The error of a reply that is not a success. `may_repeat`: should the first attempt have had its effect, a repeat does no harm."""
    content = parse_json(body)
    wire = wire_error(content) or _foreign(status, _record(content), may_repeat)
    if wire.retry_after is not None:
        return wire
    return replace(wire, retry_after=parse_retry_after(retry_after, datetime.now(timezone.utc)))


def parse_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds that a `Retry-After` asks for: a number or an HTTP date; `None` when it says nothing readable."""
    if value is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", value):
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - now).total_seconds())
    except (TypeError, ValueError):
        return None


def _foreign(status: int, body: Mapping[str, object], may_repeat: bool) -> WireError:
    said = _text(body.get("detail")) or _text(body.get("title")) or _text(body.get("message"))
    return WireError(
        code=_CODE_OF_STATUS.get(status, "unknown"),
        message=said or f"the server answered with HTTP status {status} and no Fairlead error",
        hint="check that the address is that of a Fairlead kernel, and what stands between",
        retryable=status in _NOTHING_RAN or (may_repeat and status in _NOBODY_KNOWS),
    )


def _seconds(milliseconds: object) -> float | None:
    """`None` for what no wait can be."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, (int, float)):
        return None
    return milliseconds / 1000 if 0 <= milliseconds <= _MOST_MS else None


def _code(value: object) -> Code | None:
    codes: dict[object, Code] = {code: code for code in CODES}
    return codes.get(value) if isinstance(value, str) else None


def _record(value: object) -> Mapping[str, object]:
    return cast(Mapping[str, object], value) if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value != "" else None


def _issues(values: list[object]) -> list[Issue]:
    found: list[Issue] = []
    for each in map(_record, values):
        path, expected, fix = each.get("path"), each.get("expected"), each.get("fix")
        if isinstance(path, str) and isinstance(expected, str) and isinstance(fix, str):
            found.append({"path": path, "expected": expected, "fix": fix})
    return found
