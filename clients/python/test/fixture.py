"""A procedure of each kind, and steps that are answered from a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from fairlead import CallOptions, FairleadError, NotFoundError, Procedure, Retry
from fairlead._request import Target
from fairlead.procedure import QueryType
from fairlead._steps import Answer, Clock, Command, Emit, Failure, Head, Open, Pause, Steps, advance

Result = TypeVar("Result")


class GoneError(NotFoundError):
    """When it is gone."""


LOOK: dict[str, QueryType] = {
    "name": "string",
    "count": "number",
    "height": "number",
    "odd": "number",
    "yes": "boolean",
    "tags": "string[]",
}
READ: Procedure[int] = Procedure("shop.look", "query", "/api/shop/look", "safe", query=LOOK, errors={"gone": GoneError})
ORDER: Procedure[int] = Procedure("shop.order", "mutation", "/api/shop/order", "keyed")
BURN: Procedure[int] = Procedure("shop.burn", "mutation", "/api/shop/burn", "unsafe")
WATCH: Procedure[int] = Procedure("shop.watch", "subscription", "/api/shop/watch", "safe", query={})

HERE = Target("http://kernel")
JSON = Head(200, "application/json", None)
EVENTS = Head(200, "text/event-stream", None)
BUSY = b'{"code":"unavailable","message":"busy","retryable":true}'
UNREACHABLE = Failure("never_sent", "ECONNREFUSED")

Script = Sequence[Answer | Failure | Callable[[], None]]


def problem(status: int = 503, retry_after: str | None = None) -> Head:
    return Head(status, "application/problem+json", retry_after)


class FakeTime:
    """Time that goes on when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.clock = Clock(now=lambda: self.now, random=lambda: 1.0)

    def passes(self, seconds: float) -> Callable[[], None]:
        def go_on() -> None:
            self.now += seconds

        return go_on


def play(steps: Steps[Result], script: Script, time: FakeTime) -> tuple[list[Command], Result | FairleadError]:
    """Runs steps, answering requests and reads from the script; pauses pass at once. Gives the commands and how it ended."""
    commands: list[Command] = []
    left = list(script)
    answer: Answer | Failure = None
    while True:
        try:
            command = advance(steps, answer)
        except StopIteration as end:
            return commands, end.value
        except FairleadError as error:
            return commands, error
        commands.append(command)
        if isinstance(command, Pause):
            time.now += command.seconds
        answer = None if isinstance(command, (Pause, Emit)) else next_answer(left)


def next_answer(left: list[Answer | Failure | Callable[[], None]]) -> Answer | Failure:
    while True:
        each = left.pop(0)
        if not callable(each):
            return each
        each()


def opened(commands: list[Command]) -> list[Open]:
    return [command for command in commands if isinstance(command, Open)]


def options(retry: Retry | None = None, timeout: float | None = None, last_event_id: str | None = None) -> CallOptions:
    return CallOptions(timeout=timeout, retry=retry, last_event_id=last_event_id)
