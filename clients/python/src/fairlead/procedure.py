"""What generated code says about a procedure, and what a caller may say about one call.

Not here: anything that runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, NotRequired, TypedDict, TypeVar

from ._files import FileRange
from ._retry import Retry
from .errors import FairleadError, WireError, error_class

Output = TypeVar("Output", covariant=True)


QueryType = Literal["string", "number", "boolean", "string[]", "number[]", "boolean[]"]
"""How a field is written in a query string: as one parameter, or, for a list, as one for each item."""


@dataclass(frozen=True)
class Procedure(Generic[Output]):
    """How one procedure is called over HTTP, how a repeat behaves, and which errors it declares."""

    name: str
    """Full name, like `rules.resolveAttack`."""
    kind: Literal["query", "mutation", "subscription"]
    path: str
    """Path of the HTTP API from the server's root, like `/api/rules/resolveAttack`."""
    retry: Literal["safe", "idempotent", "keyed", "unsafe"]
    """`safe` changes nothing, `idempotent` leaves the same state, `keyed` needs an idempotency key."""
    query: Mapping[str, QueryType] | None = None
    """
    The fields that a query string can have. A call whose input has no others and is short is a GET, any other a POST; a procedure without it is
    always a POST.
    """
    errors: Mapping[str, type[FairleadError]] = field(default_factory=dict[str, type[FairleadError]])
    """Classes of its declared errors, by reason."""
    gives_file: bool = False
    """A download: the answer is a file."""

    @property
    def may_repeat(self) -> bool:
        """Whether a repeat does no harm, whatever became of the first attempt."""
        return self.retry != "unsafe"

    def error(self, wire: WireError) -> FairleadError:
        """An error of this procedure; one that it does not declare has the class of its code."""
        declared = self.errors.get(wire.reason) if wire.reason is not None else None
        return (declared or error_class(wire.code))(wire, self.name)


class Progress(TypedDict):
    """How far a long call has come."""

    progress: float
    """What is done so far, in the unit of `total`; never less than before."""
    total: NotRequired[float]
    """All there is to do, when known."""
    message: NotRequired[str]
    """What is being done, for people."""


@dataclass(frozen=True)
class CallOptions:
    """What a caller says about its calls; `with_options` of a service makes one that has them."""

    timeout: float | None = None
    """Seconds for the whole call, repeats included; sent to the server. None of its own when left out: the kernel has one."""
    idempotency_key: str | None = None
    """For keyed procedures; one is made for each call when left out."""
    retry: Retry | None = None
    """When a failed call is made again."""
    on_progress: Callable[[Progress], object] | None = None
    """Called as often as the service reports; nothing is reported where the service does not."""
    last_event_id: str | None = None
    """For subscriptions: start after this event, seen in an earlier run."""
    range: FileRange | None = None
    """For downloads: a part of the file."""
