"""Runs, without I/O: what the kernel says of one, the procedures of the kernel that concern it, and what is sent to them.

Not here: the handles (`runs.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Generic, Literal, TypedDict, TypeVar, cast

from ._problem import wire_error
from .errors import CanceledError, FailedPreconditionError, UnavailableError, UnknownError, WireError
from .procedure import CallOptions, Procedure, Progress

Output = TypeVar("Output")

RunState = Literal["queued", "running", "waiting", "done", "failed", "cancelled"]
"""Where a run is; `waiting` for an answer. The last three are its end."""


class PendingQuestion(TypedDict):
    """What a run waits for."""

    id: str
    name: str
    """Its name in the contract."""
    kind: Literal["form", "confirm"]
    message: str
    """For people."""
    schema: dict[str, object]
    """JSON Schema of a form's answer; empty for yes or no."""


class RunLine(TypedDict):
    """A line that the handler wrote."""

    at: str
    text: str


class RunSnapshot(TypedDict, Generic[Output]):
    """A run as the kernel has it now."""

    id: str
    procedure: str
    """Full name of what runs."""
    key: str | None
    state: RunState
    attempt: int
    """Attempts begun so far."""
    progress: Progress | None
    log: list[RunLine]
    """The latest lines, oldest first."""
    question: PendingQuestion | None
    """`None` in any state but `waiting`."""
    output: Output | None
    """`None` before it is done."""
    error: dict[str, object] | None
    """Why it failed."""
    createdAt: str
    updatedAt: str


Answer = bool | Mapping[str, object] | None
"""Yes or no, the fields of a form, or `None` for a form that is declined."""

_START: Procedure[object] = Procedure("kernel.startRun", "mutation", "/api/kernel/startRun", "keyed")
_GET: Procedure[object] = Procedure("kernel.getRun", "query", "/api/kernel/getRun", "safe", query={"id": "string"})
_WATCH: Procedure[object] = Procedure(
    "kernel.watchRun", "subscription", "/api/kernel/watchRun", "safe", query={"id": "string"}
)
_CANCEL: Procedure[object] = Procedure("kernel.cancelRun", "mutation", "/api/kernel/cancelRun", "idempotent")
_ANSWER: Procedure[object] = Procedure("kernel.answerRun", "mutation", "/api/kernel/answerRun", "unsafe")
_RESUME: Procedure[object] = Procedure("kernel.resumeRun", "mutation", "/api/kernel/resumeRun", "idempotent")

RUN_PROCEDURES: Mapping[str, Procedure[object]] = {
    "startRun": _START,
    "getRun": _GET,
    "watchRun": _WATCH,
    "cancelRun": _CANCEL,
    "answerRun": _ANSWER,
    "resumeRun": _RESUME,
}
"""By their names in the contract of the kernel; a test holds them to it."""


def start_content(procedure: Procedure[object], content: object, options: CallOptions) -> Mapping[str, object]:
    """What starts a run. The key of the options is the key of the run."""
    key = options.idempotency_key
    return {"procedure": procedure.name, "input": content, **({} if key is None else {"key": key})}


def handle_options(options: CallOptions) -> CallOptions:
    """What the options of a call say about the calls of a handle: deadline and repeats, nothing of the run's own."""
    return CallOptions(timeout=options.timeout, retry=options.retry)


def started_id(reply: object, procedure: Procedure[object]) -> str:
    """The id in the answer to a start."""
    run = _field(reply, "run")
    found = _field(run, "id")
    if isinstance(found, str):
        return found
    wire = WireError("unknown", f"the answer to the start of {procedure.name} has no run")
    raise UnknownError(replace(wire, hint="check that the address is that of a Fairlead kernel"), procedure.name)


def answer_content(
    run: RunSnapshot[object], name: str, answer: Answer, procedure: Procedure[object]
) -> Mapping[str, object]:
    """What answers the question of that name, which the run has to wait for. Raises `TypeError` for an answer that it cannot take."""
    question = run["question"]
    if question is None or question["name"] != name:
        now = f"it is {run['state']}" if question is None else f"it asks {question['name']}"
        message = f"the run does not wait for {name}: {now}"
        raise FailedPreconditionError(
            WireError("failed_precondition", message, reason="not_asked"), procedure.name
        )
    is_form = question["kind"] == "form"
    is_declined = answer is None or answer is False
    # Nothing but True is yes: a text, a 0 or a list is an answer to something else.
    if not is_declined and not (isinstance(answer, Mapping) if is_form else answer is True):
        takes = "a mapping of its fields, or None" if is_form else "True or False"
        raise TypeError(f"the question {name} takes {takes}")
    return {
        "id": run["id"],
        "question": question["id"],
        "action": "decline" if is_declined else "accept",
        **({"content": answer} if is_form and not is_declined else {}),
    }


def result_of(run: RunSnapshot[Output] | None, run_id: str, procedure: Procedure[Output]) -> Output:
    """The output of a run that has ended; raises the error that it failed with."""
    state = None if run is None else run["state"]
    if run is not None and state == "done":
        return cast(Output, run["output"])
    error = None if run is None else wire_error(run["error"])
    if error is not None:
        raise procedure.error(error)
    if state == "cancelled":
        raise CanceledError(WireError("canceled", f"the run {run_id} was cancelled"), procedure.name)
    wire = WireError(
        "unavailable", f"the run {run_id} was not seen to its end", True, hint="ask for its result again"
    )
    raise UnavailableError(wire, procedure.name)


def _field(value: object, name: str) -> object:
    return cast(dict[str, object], value).get(name) if isinstance(value, dict) else None


__all__ = [
    "RUN_PROCEDURES",
    "Answer",
    "PendingQuestion",
    "RunLine",
    "RunSnapshot",
    "RunState",
    "answer_content",
    "handle_options",
    "result_of",
    "start_content",
    "started_id",
]
