"""Lists in pages: asks for one page after the other until there is none.

    for todo in fairlead.items(todos.list, done=False):
        ...
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, ParamSpec, TypedDict, TypeVar

from .errors import InternalError, WireError

Parameters = ParamSpec("Parameters")
Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    """What a page says of its list; it may say more."""

    items: list[Item]
    next: str | None
    """The `cursor` of the next page; `None` after the last."""


def items(
    method: Callable[Parameters, Page[Item]], *args: Parameters.args, **fields: Parameters.kwargs
) -> Iterator[Item]:
    """Every item of all pages that the method of a list gives, from `cursor` on. Asks for a page when its first item is wanted."""
    following = dict[str, object](fields)
    while True:
        page = _call(method, args, following)
        yield from page["items"]
        if page["next"] is None:
            return
        _follow(following, page["next"])


async def async_items(
    method: Callable[Parameters, Awaitable[Page[Item]]], *args: Parameters.args, **fields: Parameters.kwargs
) -> AsyncIterator[Item]:
    """The same for methods that are awaited."""
    following = dict[str, object](fields)
    while True:
        page = await _call(method, args, following)
        for item in page["items"]:
            yield item
        if page["next"] is None:
            return
        _follow(following, page["next"])


Result = TypeVar("Result")


def _call(method: Callable[..., Result], args: tuple[object, ...], fields: dict[str, object]) -> Result:
    return method(*args, **fields)


def _follow(fields: dict[str, object], cursor: str) -> None:
    if fields.get("cursor") == cursor:
        message = "a list names a page as the one after itself, so it has no end"
        raise InternalError(WireError(code="internal", message=message, retryable=False), "items")
    fields["cursor"] = cursor
