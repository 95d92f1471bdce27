"""The query string of a call, where it can have all of the input: the client decides for each call between GET and POST.

Pure. Not here: which fields a query string can have; the description of the procedure lists them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import cast
from urllib.parse import urlencode

from ._json import to_json
from .procedure import QueryType

_LONGEST = 2_000
"""Characters. Servers and proxies take addresses of 8,000 at least; a short one leaves room for all that is in front of it."""


def query_string(content: object, fields: Mapping[str, QueryType]) -> str | None:
    """None where the input has a field that no query string can have, a value that is not of its field's type, or too much text."""
    if not isinstance(content, Mapping):
        return None
    pairs: list[tuple[str, str]] = []
    for name, value in cast(Mapping[object, object], content).items():
        if not isinstance(name, str) or name not in fields:
            return None
        texts = _texts(value, fields[name])
        if texts is None:
            return None
        pairs.extend((name, text) for text in texts)
    query = urlencode(pairs)
    return None if len(query) > _LONGEST else query


def _texts(value: object, field: QueryType) -> list[str] | None:
    """The texts of a parameter; a list without items would be absent."""
    scalar = field.removesuffix("[]")
    values: list[object] = []
    if scalar == field:
        values = [value]
    elif isinstance(value, (list, tuple)):
        values = list(cast(Iterable[object], value))
    texts = [text for text in (_scalar(each, scalar) for each in values) if text is not None]
    return texts if texts and len(texts) == len(values) else None


def _scalar(value: object, scalar: str) -> str | None:
    if scalar == "string":
        return value if isinstance(value, str) and _has_utf8(value) else None
    if isinstance(value, bool):
        return to_json(value) if scalar == "boolean" else None
    if scalar != "number" or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    # In a query string 2.0 is not a whole number.
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < 2**53
    return to_json(int(value) if is_whole else value)


def _has_utf8(text: str) -> bool:
    """Half a surrogate pair has none."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
