"""What is sent for a run, and what came of it."""

from __future__ import annotations

from typing import cast

import pytest
from fairlead import CallOptions, CanceledError, FailedPreconditionError, FairleadError, RunSnapshot, UnavailableError, UnknownError
from fairlead._runs import Answer, answer_content, handle_options, result_of, start_content, started_id
from fixture import READ, GoneError


def snapshot(**parts: object) -> RunSnapshot[int]:
    return cast(RunSnapshot[int], {"id": "r1", "state": "running", "question": None, "error": None, "output": None, **parts})


def question(kind: str) -> dict[str, object]:
    return {"id": "q1", "name": "sure", "kind": kind, "message": "Sure?", "schema": {}}


def test_the_key_of_the_options_is_the_key_of_the_run_alone() -> None:
    options = CallOptions(timeout=2, idempotency_key="daily", last_event_id="7")
    assert start_content(READ, {"name": "x"}, options) == {"procedure": "shop.look", "input": {"name": "x"}, "key": "daily"}
    assert handle_options(options) == CallOptions(timeout=2)
    assert "key" not in start_content(READ, {}, CallOptions())


@pytest.mark.parametrize(
    ("kind", "answer", "sent"),
    [
        ("confirm", True, {"action": "accept"}),
        ("confirm", False, {"action": "decline"}),
        ("confirm", None, {"action": "decline"}),
        ("form", {"size": 3}, {"action": "accept", "content": {"size": 3}}),
        ("form", {}, {"action": "accept", "content": {}}),
        ("form", None, {"action": "decline"}),
    ],
)
def test_an_answer_is_that_of_its_question(kind: str, answer: Answer, sent: dict[str, object]) -> None:
    run = cast(RunSnapshot[object], snapshot(state="waiting", question=question(kind)))
    whole: dict[str, object] = {"id": "r1", "question": "q1", **sent}
    assert answer_content(run, "sure", answer, READ) == whole


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("confirm", {"yes": False}),
        ("confirm", {}),
        ("form", True),
        *(("confirm", odd) for odd in ("no", "", "yes", 0, 1, 0.0, [], [True], b"no", object())),
        *(("form", odd) for odd in ("no", "", 0, [], ["a"])),
    ],
)
def test_an_answer_of_another_kind_is_not_sent(kind: str, answer: object) -> None:
    run = cast(RunSnapshot[object], snapshot(state="waiting", question=question(kind)))
    with pytest.raises(TypeError, match="the question sure takes"):
        answer_content(run, "sure", cast(Answer, answer), READ)


OTHER: dict[str, object] = {**question("confirm"), "name": "other"}


@pytest.mark.parametrize("asked", [None, OTHER])
def test_what_is_not_asked_is_not_answered(asked: object) -> None:
    run = cast(RunSnapshot[object], snapshot(question=asked))
    with pytest.raises(FailedPreconditionError, match="does not wait for sure") as raised:
        answer_content(run, "sure", True, READ)
    assert raised.value.reason == "not_asked"


def test_a_run_ends_in_its_output() -> None:
    assert result_of(snapshot(state="done", output=3), "r1", READ) == 3
    assert result_of(snapshot(state="done"), "r1", READ) is None


def test_a_run_that_failed_raises_the_class_of_its_declared_error() -> None:
    error = {"code": "not_found", "reason": "gone", "message": "it is gone", "retryable": False}
    with pytest.raises(GoneError, match="it is gone"):
        result_of(snapshot(state="failed", error=error), "r1", READ)


@pytest.mark.parametrize(
    ("run", "expected"),
    [(snapshot(state="cancelled"), CanceledError), (snapshot(), UnavailableError), (None, UnavailableError)],
)
def test_a_run_without_a_result_says_why(run: RunSnapshot[int] | None, expected: type[FairleadError]) -> None:
    with pytest.raises(expected, match="r1"):
        result_of(run, "r1", READ)


@pytest.mark.parametrize("reply", [None, [], {}, {"run": {}}, {"run": {"id": 1}}])
def test_an_answer_that_is_no_run_is_an_error(reply: object) -> None:
    with pytest.raises(UnknownError, match="has no run"):
        started_id(reply, READ)
    assert started_id({"run": {"id": "r1"}}, READ) == "r1"
