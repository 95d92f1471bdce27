"""What both drivers read of httpx: the head of a reply, and why there was none. Only what httpx has had from 0.23 to 0.28."""

from __future__ import annotations

import httpx

from ._steps import Failure, Head

CONNECT_TIMEOUT = 10.0
"""Seconds to make a connection, or to get one of a full pool, where the call has no less."""

LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)
"""Each open subscription has a connection of its own, which must not be one that a call waits for."""


def head_of(reply: httpx.Response) -> Head:
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return Head(reply.status_code, headers.get("content-type", ""), headers.get("retry-after"), headers)


def as_failure(error: httpx.HTTPError | httpx.StreamError) -> Failure:
    detail = str(error) or type(error).__name__
    if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)):
        return Failure("never_sent", detail)
    return Failure("timeout" if isinstance(error, httpx.TimeoutException) else "broken", detail)
