"""Where a download's bytes are kept on the disk: at its path when all of them have come.

Not here: getting them (`client.py` and `aio.py`).
"""

from __future__ import annotations

import os
import uuid
from types import TracebackType
from typing import Self


class PartFile:
    """Written beside its path, and renamed at the end of its `with` block; removed where that ends with an error."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._unfinished = f"{self._path}.{uuid.uuid4()}.part"
        self._file = open(self._unfinished, "xb")
        self.size = 0

    def write(self, piece: bytes) -> None:
        self._file.write(piece)
        self.size += len(piece)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if error is None:
            os.replace(self._unfinished, self._path)
        else:
            os.unlink(self._unfinished)
