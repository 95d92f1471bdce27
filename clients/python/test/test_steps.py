import pickle

import pytest
from fixture import (
    BURN,
    BUSY,
    EVENTS,
    HERE,
    JSON,
    ORDER,
    READ,
    UNREACHABLE,
    WATCH,
    FakeTime,
    GoneError,
    Script,
    opened,
    options,
    play,
    problem,
)

from fairlead import (
    NO_RETRY,
    CallOptions,
    DeadlineExceededError,
    FairleadError,
    InvalidArgumentError,
    Procedure,
    Progress,
    Retry,
    UnavailableError,
    UnknownError,
    WireError,
)
from fairlead._request import Target
from fairlead._steps import Command, Emit, Failure, Pause, call_steps, subscribe_steps

REFUSED: Script = [problem(), BUSY, b""]
ANSWERED: Script = [JSON, b"4", b"2", b""]


def call(procedure: Procedure[object], script: Script, chosen: CallOptions, time: FakeTime | None = None) -> tuple[list[Command], object]:
    time = time or FakeTime()
    return play(call_steps(HERE, procedure, {}, chosen, time.clock), script, time)


def watch(script: Script, chosen: CallOptions) -> tuple[list[Command], object]:
    time = FakeTime()
    return play(subscribe_steps(HERE, WATCH, {}, chosen, time.clock), script, time)


def pauses(commands: list[Command]) -> list[float]:
    return [command.seconds for command in commands if isinstance(command, Pause)]


def values(commands: list[Command]) -> list[object]:
    return [command.value for command in commands if isinstance(command, Emit)]


def test_gives_the_output() -> None:
    commands, result = call(READ, ANSWERED, options())
    assert result == 42
    assert len(opened(commands)) == 1


def test_nothing_at_all_is_none() -> None:
    assert call(READ, [JSON, b""], options())[1] is None


def test_an_answer_that_is_no_json_is_unknown() -> None:
    assert isinstance(call(READ, [JSON, b"NaN", b""], options())[1], UnknownError)


def test_repeats_three_times_with_growing_pauses() -> None:
    commands, result = call(READ, [*REFUSED, *REFUSED, *REFUSED], options())
    assert isinstance(result, UnavailableError)
    assert pauses(commands) == [0.1, 0.2]
    assert call(READ, [*REFUSED, UNREACHABLE, *ANSWERED], options())[1] == 42


def test_never_waits_less_than_the_server_asks() -> None:
    commands, _ = call(READ, [problem(503, "7"), BUSY, b"", *ANSWERED], options())
    assert pauses(commands) == [7.0]


def test_one_key_for_all_attempts_of_a_call() -> None:
    commands, _ = call(ORDER, [*REFUSED, *ANSWERED], options())
    keys = [each.request.headers["idempotency-key"] for each in opened(commands)]
    assert len(keys) == 2 and keys[0] == keys[1]
    other, _ = call(ORDER, ANSWERED, options())
    assert opened(other)[0].request.headers["idempotency-key"] != keys[0]


@pytest.mark.parametrize(("procedure", "chosen"), [(BURN, options(Retry(attempts=9))), (READ, options(NO_RETRY))])
def test_some_calls_are_never_repeated(procedure: Procedure[object], chosen: CallOptions) -> None:
    commands, result = call(procedure, REFUSED, chosen)
    assert isinstance(result, UnavailableError)
    assert len(opened(commands)) == 1


def test_only_what_was_never_sent_is_retryable_for_an_unsafe_call() -> None:
    for failure, retryable in [(UNREACHABLE, True), (Failure("broken", "reset"), False)]:
        error = call(BURN, [failure], options())[1]
        assert isinstance(error, UnavailableError)
        assert error.retryable is retryable


def test_the_deadline_is_that_of_the_whole_call() -> None:
    time = FakeTime()
    script: Script = [time.passes(0.5), *REFUSED, *ANSWERED]
    commands, result = call(READ, script, options(Retry(base=0.25), timeout=2.0), time)
    assert result == 42
    assert [each.request.headers["fairlead-timeout-ms"] for each in opened(commands)] == ["2000", "1250"]


def test_does_not_wait_beyond_the_deadline() -> None:
    commands, result = call(READ, [problem(503, "3"), BUSY, b""], options(timeout=2.0))
    assert isinstance(result, UnavailableError)
    assert pauses(commands) == []


@pytest.mark.parametrize("at", [0, 1])
def test_a_deadline_that_passes_says_so(at: int) -> None:
    time = FakeTime()
    before: Script = [Failure("timeout", "slow")]
    between: Script = [JSON, time.passes(3), b"4", b"2"]
    _, result = call(READ, (before, between)[at], options(NO_RETRY, timeout=2.0), time)
    assert isinstance(result, DeadlineExceededError)
    assert result.hint == "allow it more time"


def test_declared_errors_have_their_class() -> None:
    body = b'{"code":"not_found","reason":"gone","message":"it is gone","data":{"name":"x"},"retryable":false,"hint":"look elsewhere"}'
    _, error = call(READ, [problem(404), body, b""], options())
    assert isinstance(error, GoneError)
    assert (error.code, error.reason, error.data, str(error)) == ("not_found", "gone", {"name": "x"}, "it is gone")
    assert error.__notes__ == ["hint: look elsewhere"]
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, GoneError) and copy.wire == error.wire and copy.procedure == "shop.look"
    _, other = call(ORDER, [problem(404), body, b""], options())
    assert type(other).__name__ == "NotFoundError"


def test_reports_progress_and_then_the_result() -> None:
    seen: list[Progress] = []
    stream = b'event: progress\ndata: {"progress":1,"total":2}\n\nevent: progress\ndata: 5\n\nevent: result\ndata: 42\n\n'
    chosen = CallOptions(on_progress=seen.append)
    assert call(READ, [EVENTS, stream[:30], stream[30:]], chosen)[1] == 42
    assert seen == [{"progress": 1, "total": 2}]


def test_emits_the_events_of_a_subscription_to_its_end() -> None:
    commands, result = watch([EVENTS, b"id: 1\ndata: 1\n\nid: 2\nda", b"ta: 2\n\nevent: end\ndata:\n\n"], options())
    assert result is None
    assert values(commands) == [1, 2]


def test_resumes_after_the_last_event() -> None:
    first: Script = [EVENTS, b"id: 1\ndata: 1\n\nid: 2\ndata: 2\n\n", b""]
    second: Script = [EVENTS, b"id: 3\ndata: 3\n\nevent: end\ndata:\n\n"]
    commands, result = watch([*first, UNREACHABLE, *second], options(last_event_id="0"))
    assert result is None
    assert values(commands) == [1, 2, 3]
    assert [each.request.headers["last-event-id"] for each in opened(commands)] == ["0", "2", "2"]


def test_a_stream_without_ids_is_not_resumed() -> None:
    commands, error = watch([EVENTS, b"data: 1\n\n", b""], options())
    assert isinstance(error, UnavailableError)
    assert str(error) == "shop.watch: the server closed the stream without ending it"
    assert len(opened(commands)) == 1


def test_gives_up_after_eight_attempts_without_an_event() -> None:
    commands, error = watch([UNREACHABLE] * 8, options())
    assert isinstance(error, UnavailableError)
    assert len(opened(commands)) == 8
    assert max(pauses(commands)) == 2.0


def test_an_error_event_ends_the_stream() -> None:
    data = b'event: error\ndata: {"code":"aborted","message":"cut off","retryable":false}\n\n'
    _, error = watch([EVENTS, b"id: 1\ndata: 1\n\n" + data], options())
    assert isinstance(error, FairleadError)
    assert (error.code, str(error)) == ("aborted", "cut off")


def test_an_event_without_end_is_cut_off() -> None:
    _, error = watch([EVENTS, b"data: " + b"x" * (16 * 1_048_576 + 1)], options(NO_RETRY))
    assert isinstance(error, UnavailableError)
    assert "longer than" in str(error)


def test_json_that_is_too_deep_is_an_error_of_the_call() -> None:
    _, error = call(READ, [JSON, b"[" * 100_000, b""], options())
    assert isinstance(error, UnknownError)
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    _, error = play(call_steps(HERE, ORDER, {"deep": deep}, options(), FakeTime().clock), [], FakeTime())
    assert isinstance(error, InvalidArgumentError)


def test_a_wait_of_hours_is_the_callers_own() -> None:
    commands, error = call(READ, [problem(503, "999999999"), BUSY, b""], options())
    assert isinstance(error, UnavailableError)
    assert (error.retry_after, pauses(commands)) == (999999999.0, [])


@pytest.mark.parametrize("token", ["gehéim", "two\nlines", "\u2028"])
def test_a_token_that_no_header_can_carry(token: str) -> None:
    target = Target("http://kernel", token)
    _, error = play(call_steps(target, READ, {}, options(), FakeTime().clock), [], FakeTime())
    assert isinstance(error, InvalidArgumentError)
    assert "authorization" in str(error)
    assert token not in str(error)


def test_the_text_of_an_error_has_its_issues() -> None:
    wire = WireError("invalid_argument", "the input is wrong", issues=({"path": "a", "expected": "a number", "fix": "give one"},))
    error = InvalidArgumentError(wire, "shop.look")
    assert str(error) == "the input is wrong; a: expected a number; give one"
    assert error.message == "the input is wrong"
