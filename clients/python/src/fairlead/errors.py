"""What a call raises: one class for each code of the closed table, which a declared error's own class extends.

Not here: reading errors off a reply (`problem.py`), and the classes of declared errors, which are generated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict, get_args

Code = Literal[
    "canceled",
    "unknown",
    "invalid_argument",
    "deadline_exceeded",
    "not_found",
    "already_exists",
    "permission_denied",
    "resource_exhausted",
    "failed_precondition",
    "aborted",
    "out_of_range",
    "unimplemented",
    "internal",
    "unavailable",
    "data_loss",
    "unauthenticated",
]
"""The sixteen codes that every transport uses."""

CODES: tuple[Code, ...] = get_args(Code)


class Issue(TypedDict):
    """One problem of an input."""

    path: str
    """From the input's root, like `game.npcs[0].ac`; empty for the input itself."""
    expected: str
    """What the contract takes there, like `a whole number from 1 to 20`."""
    fix: str
    """What to do about it."""


@dataclass(frozen=True)
class WireError:
    """An error as it is sent; the same on every transport."""

    code: Code
    message: str
    """What failed and where, for people."""
    retryable: bool = False
    """Whether the same request can be sent again and may succeed."""
    reason: str | None = None
    """Name of the declared error, when the contract declares it."""
    hint: str | None = None
    """The next thing to try, for people."""
    data: object = None
    """Data of a declared error."""
    issues: tuple[Issue, ...] = ()
    """For `invalid_argument`: what is wrong with the input, at most 20."""
    id: str | None = None
    """For `internal`: finds the line in the kernel's log."""
    retry_after: float | None = None
    """Seconds to wait before trying again, when known."""


class FairleadError(Exception):
    """A call that failed. Programs read its class, `code`, `reason` and `data`; people read the message and the notes below it."""

    def __init__(self, wire: WireError, procedure: str) -> None:
        super().__init__(wire, procedure)
        self.wire = wire
        self.procedure = procedure
        """Full name of the procedure that was called."""
        if wire.hint is not None:
            self.add_note(f"hint: {wire.hint}")

    def __str__(self) -> str:
        """The message with the issues, on one line."""
        issues = [f"{issue['path'] or 'the input'}: expected {issue['expected']}; {issue['fix']}" for issue in self.wire.issues]
        return "; ".join([self.wire.message, *issues])

    @property
    def code(self) -> Code:
        return self.wire.code

    @property
    def reason(self) -> str | None:
        """Name of the declared error; `None` for the errors of the infrastructure."""
        return self.wire.reason

    @property
    def message(self) -> str:
        return self.wire.message

    @property
    def hint(self) -> str | None:
        return self.wire.hint

    @property
    def data(self) -> object:
        """Data of a declared error; the class of that error has its type."""
        return self.wire.data

    @property
    def issues(self) -> tuple[Issue, ...]:
        return self.wire.issues

    @property
    def id(self) -> str | None:
        return self.wire.id

    @property
    def retryable(self) -> bool:
        return self.wire.retryable

    @property
    def retry_after(self) -> float | None:
        """Seconds."""
        return self.wire.retry_after


class CanceledError(FairleadError):
    """The caller gave up, or the kernel is going down."""


class UnknownError(FairleadError):
    """Nobody knows; the answer came from no Fairlead kernel."""


class InvalidArgumentError(FairleadError):
    """The input is wrong; `issues` says where."""


class DeadlineExceededError(FairleadError):
    """The time of the call is over; the work may have happened."""


class NotFoundError(FairleadError):
    """What was meant is not there."""


class AlreadyExistsError(FairleadError):
    """What was to be made is there already."""


class PermissionDeniedError(FairleadError):
    """This caller may not do that."""


class ResourceExhaustedError(FairleadError):
    """Too much at once, or too large."""


class FailedPreconditionError(FairleadError):
    """The state does not allow it."""


class AbortedError(FairleadError):
    """Something else changed the same at the same time."""


class OutOfRangeError(FairleadError):
    """A value is beyond what is there."""


class UnimplementedError(FairleadError):
    """The service does not offer that."""


class InternalError(FairleadError):
    """A defect of the service; `id` finds the line in the kernel's log."""


class UnavailableError(FairleadError):
    """Not right now; a repeat may succeed where `retryable` says so."""


class DataLossError(FairleadError):
    """Data is damaged."""


class UnauthenticatedError(FairleadError):
    """No valid token was sent."""


_CLASSES: dict[Code, type[FairleadError]] = {
    "canceled": CanceledError,
    "unknown": UnknownError,
    "invalid_argument": InvalidArgumentError,
    "deadline_exceeded": DeadlineExceededError,
    "not_found": NotFoundError,
    "already_exists": AlreadyExistsError,
    "permission_denied": PermissionDeniedError,
    "resource_exhausted": ResourceExhaustedError,
    "failed_precondition": FailedPreconditionError,
    "aborted": AbortedError,
    "out_of_range": OutOfRangeError,
    "unimplemented": UnimplementedError,
    "internal": InternalError,
    "unavailable": UnavailableError,
    "data_loss": DataLossError,
    "unauthenticated": UnauthenticatedError,
}


def error_class(code: Code) -> type[FairleadError]:
    return _CLASSES[code]
