"""Values to JSON text and back: bytes as base64url, what is left out left out.

Not here: requests (`_request.py`).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final, cast


class Unset(Enum):
    """The type of `UNSET`."""

    UNSET = "UNSET"

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
"""An argument that is left out; `None` is JSON's `null`."""


def encode_bytes(data: bytes) -> str:
    """Bytes as the wire has them: base64url without padding. Inputs may hold bytes as they are."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decode_bytes(text: str) -> bytes:
    """The bytes of a field of an output."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def to_json(value: object) -> str:
    """Compact JSON text. Raises `TypeError` or `ValueError` for what JSON cannot say, like NaN, and for what is nested too deeply."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def from_json(text: str | bytes) -> object:
    """The value of a JSON text. Raises `ValueError` for what is none."""
    try:
        return cast(object, json.loads(text, parse_constant=_refuse))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def without_unset(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not UNSET}


def _plain(value: object) -> object:
    if isinstance(value, (bytes, bytearray)):
        return encode_bytes(bytes(value))
    if isinstance(value, Mapping):
        return dict(cast(Mapping[object, object], value))
    if isinstance(value, Sequence):
        return list(cast(Sequence[object], value))
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _refuse(word: str) -> object:
    raise ValueError(f"{word} is not JSON")
