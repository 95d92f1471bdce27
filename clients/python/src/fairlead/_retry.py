"""When a failed attempt is made again, and after how long: exponential with full jitter, never sooner than the server asked.

Pure: randomness is an argument. Not here: the waiting.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Retry:
    """How often and when a failed call is made again. Only errors that are `retryable`, and only procedures that may be repeated."""

    attempts: int | None = None
    """Attempts in all, the first included; 1 means never again. 3 when left out; for subscriptions, in a row without an event, 8."""
    base: float = 0.1
    """Seconds; the upper bound of the first pause, doubled each time."""
    cap: float = 2.0
    """Seconds; the longest pause of our own choosing."""


LONGEST_WAIT = 300.0
"""Seconds: a server that asks for more is not waited for; the error says how long."""

NO_RETRY = Retry(attempts=1)
"""A failed call is not made again."""


def attempts_allowed(retry: Retry, *, may_repeat: bool, is_stream: bool) -> int:
    """How many attempts a call has; one that may not be repeated has one, whatever the caller says."""
    if not may_repeat:
        return 1
    if retry.attempts is not None:
        return retry.attempts
    return 8 if is_stream else 3


def pause_after(retry: Retry, attempt: int, retry_after: float | None, random: float) -> float:
    """Seconds to wait after failed attempt number `attempt` (from 1). `random` is in [0, 1)."""
    bound = min(retry.cap, retry.base * 2.0 ** (min(attempt, 60) - 1))
    return max(retry_after or 0.0, random * bound)
