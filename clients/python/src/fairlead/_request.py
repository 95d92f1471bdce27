"""One attempt of a call as an HTTP request.

Pure. Not here: sending it, and repeats (`_steps.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from ._files import File, Form, form, range_headers
from ._json import to_json
from ._query import query_string
from .errors import InvalidArgumentError, WireError
from .procedure import CallOptions, Procedure

Token = str | Callable[[], str | None]
"""A bearer token, or where to get one before each attempt."""


@dataclass(frozen=True)
class Target:
    """Where the kernel is, and how to get in."""

    url: str
    """Address of the kernel, like `http://127.0.0.1:5099`; a path in it is kept, for a kernel behind a prefix."""
    token: Token | None = None
    """Sent as `Authorization: Bearer`. A function is called before each attempt."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with every request, under our own."""

    def __post_init__(self) -> None:
        """Raises `ValueError` for what is not an address."""
        if not _is_address(self.url):
            raise ValueError(f"url is the address of a kernel, like http://127.0.0.1:5099, not {self.url!r}")


@dataclass(frozen=True)
class Attempt:
    """What one attempt has beside its procedure and input."""

    options: CallOptions
    timeout: float | None = None
    """Seconds that are left."""
    attempts: int | None = None
    """How often the server may try it, in all: 1 where the client repeats it."""
    idempotency_key: str | None = None
    last_event_id: str | None = None
    file: File | None = None
    """What is sent beside the input."""


@dataclass(frozen=True)
class Request:
    """What is sent."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | Form | None


def build_request(target: Target, procedure: Procedure[object], content: object, attempt: Attempt) -> Request:
    """Raises `InvalidArgumentError` for an input that has no form in JSON, and for what no header can carry."""
    url = target.url.rstrip("/") + procedure.path
    headers = {**target.headers, **_headers(procedure, attempt), **_authorization(target.token)}
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            message = f"the header {name} of {procedure.name} cannot be sent: it has characters other than those of printable ASCII"
            raise InvalidArgumentError(WireError("invalid_argument", message), procedure.name)
    try:
        if attempt.file is not None:
            body = form(_utf8(to_json(content)), attempt.file)
            headers["content-type"] = body.content_type
            if body.length is not None:
                headers["content-length"] = str(body.length)
            return Request("POST", url, headers, body)
        query = None if procedure.query is None else query_string(content, procedure.query)
        if query is not None:
            return Request("GET", f"{url}?{query}" if query else url, headers, None)
        headers["content-type"] = "application/json"
        return Request("POST", url, headers, _utf8(to_json(content)))
    except (OSError, TypeError, ValueError) as cause:
        message = f"the input of {procedure.name} cannot be sent: {cause}"
        raise InvalidArgumentError(WireError("invalid_argument", message), procedure.name) from cause


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port >= 0)
    except ValueError:
        return False


def _headers(procedure: Procedure[object], attempt: Attempt) -> dict[str, str]:
    has_events = procedure.kind == "subscription" or attempt.options.on_progress is not None
    headers = {"accept": "text/event-stream" if has_events else "*/*" if procedure.gives_file else "application/json"}
    if procedure.gives_file:
        headers |= {"accept-encoding": "identity", **range_headers(attempt.options.range)}
    if attempt.timeout is not None:
        headers["fairlead-timeout-ms"] = str(max(1, math.ceil(attempt.timeout * 1000)))
    if attempt.attempts is not None:
        headers["fairlead-attempts"] = str(attempt.attempts)
    if attempt.idempotency_key is not None:
        headers["idempotency-key"] = attempt.idempotency_key
    if attempt.last_event_id is not None:
        headers["last-event-id"] = attempt.last_event_id
    return headers


def _authorization(token: Token | None) -> dict[str, str]:
    value = token() if callable(token) else token
    return {"authorization": f"Bearer {value}"} if value else {}


def _utf8(text: str) -> bytes:
    """Half a surrogate pair has no UTF-8; the kernel reads it as JSON's own escape."""
    return text.encode("utf-8", "backslashreplace")
