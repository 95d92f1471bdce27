"""The client of Fairlead services: what generated modules like `fairlead_services.rules` stand on.

    with fairlead.Client("http://127.0.0.1:5099") as client:
        Rules(client).roll_dice(...)
"""

from ._files import File, FileHead, FileRange
from ._json import UNSET, Unset, decode_bytes, encode_bytes
from ._pages import Page, async_items, items
from ._request import Token
from ._retry import NO_RETRY, Retry
from ._runs import PendingQuestion, RunLine, RunSnapshot, RunState
from .aio import AsyncClient, AsyncDownload, AsyncSubscription
from .client import Client, Download, Subscription
from .errors import (
    AbortedError,
    AlreadyExistsError,
    CanceledError,
    Code,
    DataLossError,
    DeadlineExceededError,
    FailedPreconditionError,
    FairleadError,
    InternalError,
    InvalidArgumentError,
    Issue,
    NotFoundError,
    OutOfRangeError,
    PermissionDeniedError,
    ResourceExhaustedError,
    UnauthenticatedError,
    UnavailableError,
    UnimplementedError,
    UnknownError,
    WireError,
)
from .procedure import CallOptions, Procedure, Progress
from .runs import AsyncRun, AsyncWork, Run, Work
from .service import (
    AsyncRunnable,
    AsyncRunnableMethod,
    AsyncService,
    Runnable,
    RunnableMethod,
    Service,
    async_runnable,
    runnable,
)

__all__ = [
    "NO_RETRY",
    "UNSET",
    "AbortedError",
    "AlreadyExistsError",
    "AsyncClient",
    "AsyncDownload",
    "AsyncRun",
    "AsyncRunnable",
    "AsyncRunnableMethod",
    "AsyncService",
    "AsyncSubscription",
    "AsyncWork",
    "CallOptions",
    "CanceledError",
    "Client",
    "Code",
    "DataLossError",
    "DeadlineExceededError",
    "Download",
    "FailedPreconditionError",
    "FairleadError",
    "File",
    "FileHead",
    "FileRange",
    "InternalError",
    "InvalidArgumentError",
    "Issue",
    "NotFoundError",
    "OutOfRangeError",
    "Page",
    "PendingQuestion",
    "PermissionDeniedError",
    "Procedure",
    "Progress",
    "ResourceExhaustedError",
    "Retry",
    "Run",
    "RunLine",
    "RunSnapshot",
    "RunState",
    "Runnable",
    "RunnableMethod",
    "Service",
    "Subscription",
    "Token",
    "UnauthenticatedError",
    "UnavailableError",
    "UnimplementedError",
    "UnknownError",
    "Unset",
    "WireError",
    "Work",
    "async_items",
    "async_runnable",
    "decode_bytes",
    "encode_bytes",
    "items",
    "runnable",
]
