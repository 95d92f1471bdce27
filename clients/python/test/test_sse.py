from fairlead._sse import SseEvent, SseParser

STREAM = "\ufeffid: 7\r\ndata: ä\rdata:b\n\n: comment\n\nevent: end\ndata\n\nid: 8\0\ndata: x\u2028y\x85z\n\nid\ndata: last\n\ndata: lost".encode()
EVENTS = [
    SseEvent("message", "ä\nb", "7"),
    SseEvent("end", "", "7"),
    SseEvent("message", "x\u2028y\x85z", "7"),
    SseEvent("message", "last", None),
]


def test_all_events_at_every_chunking() -> None:
    for size in range(1, len(STREAM) + 1):
        parser = SseParser()
        pieces = [STREAM[at : at + size] for at in range(0, len(STREAM), size)]
        assert [event for piece in pieces for event in parser.push(piece)] == EVENTS, size


def test_counts_what_it_keeps() -> None:
    parser = SseParser()
    parser.push(b"data: 12345")
    assert parser.pending == 11
    parser.push(b"\n")
    assert parser.pending == 6
    parser.push(b"\n")
    assert parser.pending == 0


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert SseParser().push(b"data: \xff\n\n") == [SseEvent("message", "\ufffd", None)]
