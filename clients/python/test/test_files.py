import io
from pathlib import Path

import pytest
from fixture import HERE

from fairlead import CallOptions, File, FileRange, InvalidArgumentError, Procedure, UnavailableError
from fairlead._download import PartFile
from fairlead._files import Form, file_head
from fairlead._request import Attempt, build_request
from fairlead._steps import Clock, Failure, Head, Open, advance, call_steps, download_steps

KEEP: Procedure[object] = Procedure("shop.keep", "mutation", "/api/shop/keep", "idempotent")
KEPT: Procedure[object] = Procedure("shop.kept", "query", "/api/shop/kept", "safe", query={"as": "string"}, gives_file=True)
CLOCK = Clock(now=lambda: 0.0, random=lambda: 0.0)


def sent(file: File) -> Form:
    body = build_request(HERE, KEEP, {"as": "x"}, Attempt(CallOptions(), file=file)).body
    assert isinstance(body, Form)
    return body


def test_a_form_has_the_input_and_then_the_file_and_says_its_length() -> None:
    request = build_request(HERE, KEEP, {"as": "x"}, Attempt(CallOptions(), file=File(b"meow", "image/png", 'a "b"\r\n.png')))
    assert isinstance(request.body, Form)
    content = b"".join(request.body.pieces())
    boundary = request.headers["content-type"].removeprefix("multipart/form-data; boundary=")
    assert request.method == "POST" and request.headers["content-length"] == str(len(content))
    assert content.decode() == (
        f'--{boundary}\r\ncontent-disposition: form-data; name="input"\r\ncontent-type: application/json\r\n\r\n{{"as":"x"}}\r\n'
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="a %22b%22%0D%0A.png"\r\ncontent-type: image/png\r\n\r\n'
        f"meow\r\n--{boundary}--\r\n"
    )


def test_a_path_gives_name_type_and_length_and_a_stream_none_of_them(tmp_path: Path) -> None:
    path = tmp_path / "cat.png"
    path.write_bytes(b"x" * 100_000)
    assert (File(path).sent_name, File(path).sent_type, File(path).size) == ("cat.png", "image/png", 100_000)
    assert sum(map(len, sent(File(path)).pieces())) == sent(File(path)).length
    stream = File(io.BytesIO(b"x" * 100_000))
    assert (stream.sent_name, stream.sent_type, sent(stream).length) == (None, "application/octet-stream", None)
    assert [File(b"").may_repeat, File(path).may_repeat, stream.may_repeat] == [True, True, False]


def test_a_small_file_is_sent_at_once_and_a_stream_as_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "small"
    path.write_bytes(b"meow")
    for file in (File(b"meow"), File(path), File(b"")):
        body = sent(file)
        [piece] = body.pieces()
        assert len(piece) == body.length
    assert len(list(sent(File(b"x" * 100_000)).pieces())) == 3
    assert list(sent(File(iter([b"a", b"b"]))).pieces())[1:3] == [b"a", b"b"]


@pytest.mark.parametrize("file", [File(b"", type="a\r\nb: c"), File(b"", type="ä/b"), File(Path("/no/such/file"))])
def test_what_cannot_be_sent_is_refused_before_anything_is(file: File) -> None:
    with pytest.raises(InvalidArgumentError, match="shop.keep cannot be sent"):
        sent(file)


def test_a_failed_upload_is_repeated_only_where_its_bytes_are_still_there() -> None:
    for file, is_repeated in ((File(b"x"), True), (File(iter([b"x"])), False)):
        steps = call_steps(HERE, KEEP, {}, CallOptions(), CLOCK, file)
        assert isinstance(advance(steps, None), Open)
        if is_repeated:
            advance(steps, Failure("broken", "gone"))
        else:
            with pytest.raises(UnavailableError):
                advance(steps, Failure("broken", "gone"))


def test_the_head_of_a_download_ends_its_steps_and_asks_for_a_part() -> None:
    steps = download_steps(HERE, KEPT, {"as": "x"}, CallOptions(range=FileRange(2, 5, "t")), CLOCK)
    command = advance(steps, None)
    assert isinstance(command, Open)
    headers = command.request.headers
    assert (headers["range"], headers["if-range"], headers["accept-encoding"]) == ("bytes=2-5", '"t"', "identity")
    with pytest.raises(StopIteration) as end:
        advance(steps, Head(206, "image/png", None, {"content-type": "image/png", "content-range": "bytes 2-5/70"}))
    assert (end.value.value.start, end.value.value.size, end.value.value.type) == (2, 70, "image/png")


@pytest.mark.parametrize(
    ("headers", "name", "size", "etag"),
    [
        ({}, None, None, None),
        ({"content-length": "7", "etag": '"a"'}, None, 7, "a"),
        ({"content-disposition": "attachment; filename=\"na_ve\"; filename*=UTF-8''na%C3%AFve"}, "naïve", None, None),
        ({"content-disposition": 'attachment; filename="x y.txt"'}, "x y.txt", None, None),
        ({"content-length": "many", "etag": "W/x", "content-disposition": "inline"}, None, None, None),
    ],
)
def test_a_head_is_read_as_far_as_it_says_something(
    headers: dict[str, str], name: str | None, size: int | None, etag: str | None
) -> None:
    found = file_head(200, headers)
    assert (found.name, found.size, found.etag, found.start) == (name, size, etag, 0)


def test_a_file_is_at_its_path_when_all_of_it_has_come(tmp_path: Path) -> None:
    path = tmp_path / "copy"
    with PartFile(path) as part:
        part.write(b"abc")
        assert not path.exists()
    assert path.read_bytes() == b"abc" and part.size == 3
    with pytest.raises(RuntimeError), PartFile(path) as part:
        part.write(b"d")
        raise RuntimeError
    assert path.read_bytes() == b"abc" and list(tmp_path.iterdir()) == [path]
