import json
import math

import pytest
from fixture import BURN, HERE, ORDER, READ, WATCH

from fairlead import CallOptions, InvalidArgumentError, decode_bytes, encode_bytes
from fairlead._request import Attempt, Target, build_request

PLAIN = Attempt(CallOptions())


def test_flat_inputs_travel_in_the_query_string() -> None:
    content = {"name": "a b&c", "count": 2, "height": 2.0, "odd": 2.5, "yes": True, "tags": ["x", "y"]}
    request = build_request(HERE, READ, content, PLAIN)
    assert request.url == "http://kernel/api/shop/look?name=a+b%26c&count=2&height=2&odd=2.5&yes=true&tags=x&tags=y"
    assert request.body is None
    assert request.headers == {"accept": "application/json"}


@pytest.mark.parametrize(
    "content",
    [
        {"deep": {}},
        {"count": None},
        {"count": "2"},
        {"count": True},
        {"tags": []},
        {"tags": ["x", 1]},
        {"name": "a" * 2_001},
        {"name": "\ud800"},
        [1],
    ],
)
def test_what_no_query_string_can_have_is_a_post(content: object) -> None:
    request = build_request(HERE, READ, content, PLAIN)
    assert (request.method, request.url) == ("POST", "http://kernel/api/shop/look")
    assert isinstance(request.body, bytes) and json.loads(request.body) == content


def test_all_else_is_json() -> None:
    request = build_request(HERE, BURN, {"data": b"\xfb\xff", "list": (1, "ä")}, PLAIN)
    assert request.body == '{"data":"-_8","list":[1,"ä"]}'.encode()
    assert request.headers["content-type"] == "application/json"


def test_half_a_surrogate_pair_is_sent_as_an_escape() -> None:
    assert build_request(HERE, BURN, {"text": "\ud800"}, PLAIN).body == b'{"text":"\\ud800"}'


@pytest.mark.parametrize("value", [math.nan, math.inf, object(), {1, 2}])
def test_what_json_cannot_say_is_refused_before_it_is_sent(value: object) -> None:
    with pytest.raises(InvalidArgumentError, match="the input of shop.burn cannot be sent"):
        build_request(HERE, BURN, {"it": value}, PLAIN)


def test_headers_say_what_the_attempt_has() -> None:
    target = Target("http://kernel/behind/a/prefix/", token=lambda: "secret", headers={"x-own": "1", "accept": "mine"})
    request = build_request(target, ORDER, {}, Attempt(CallOptions(), timeout=0.0121, idempotency_key="k"))
    assert request.url == "http://kernel/behind/a/prefix/api/shop/order"
    assert request.headers == {
        "x-own": "1",
        "accept": "application/json",
        "fairlead-timeout-ms": "13",
        "idempotency-key": "k",
        "authorization": "Bearer secret",
        "content-type": "application/json",
    }


def test_streams_and_progress_ask_for_events() -> None:
    stream = build_request(HERE, WATCH, {}, Attempt(CallOptions(), last_event_id="7"))
    assert (stream.headers["accept"], stream.headers["last-event-id"]) == ("text/event-stream", "7")
    call = build_request(HERE, READ, {}, Attempt(CallOptions(on_progress=print)))
    assert call.headers["accept"] == "text/event-stream"


def test_bytes_come_back() -> None:
    for length in range(5):
        data = bytes(range(251, 251 + length))
        assert decode_bytes(encode_bytes(data)) == data
        assert "=" not in encode_bytes(data)
