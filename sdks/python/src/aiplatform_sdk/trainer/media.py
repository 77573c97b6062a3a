"""What a trainer shows at a step beside numbers, as the platform takes it."""

from __future__ import annotations

import io
import json
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import SdkError

max_inline_text = 8_192
"""Characters of a text in a report; a longer one is uploaded."""
max_inline_table_bytes = 16_384
max_image_bytes = 10_485_760
max_text_bytes = 1_048_576
"""Of a text or table that is uploaded."""
max_side = 8_192
"""Pixels of each side of an image."""
max_bins = 512
max_columns = 100
max_name_chars = 255

_signatures = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))


class MediaError(SdkError):
    """Something that cannot be shown; the message says why."""


@dataclass(frozen=True)
class File:
    """Bytes that are uploaded."""

    content: bytes
    media_type: str


@dataclass(frozen=True)
class Medium:
    """What is shown at the step under way: its content within the report, or a file."""

    name: str
    kind: str
    inline: dict[str, Any]
    file: File | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= max_name_chars:
            raise MediaError(f"a name has 1 to {max_name_chars} characters")


def image(name: str, shown: Any) -> Medium:
    """An image from encoded bytes, an image of Pillow, or an array of pixels. Raises MediaError."""
    if isinstance(shown, (bytes, bytearray, memoryview)):
        content = bytes(shown)
        media_type = _type_of(content)
    elif hasattr(shown, "save") and hasattr(shown, "mode"):
        buffer = io.BytesIO()
        shown.save(buffer, format="PNG")
        content, media_type = buffer.getvalue(), "image/png"
    else:
        content, media_type = _png_of(shown), "image/png"
    if len(content) > max_image_bytes:
        raise MediaError(f"the image has {len(content)} bytes, and an image may have {max_image_bytes}")
    return Medium(name, "image", {}, File(content, media_type))


def text(name: str, shown: str) -> Medium:
    """Raises MediaError."""
    if len(shown) <= max_inline_text:
        return Medium(name, "text", {"text": shown})
    return Medium(name, "text", {}, _text_file(shown, "text/plain"))


def table(name: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Medium:
    """Cells that are neither number, text, truth value nor None are shown as text. Raises MediaError."""
    if not 1 <= len(columns) <= max_columns or any(len(column) > max_name_chars for column in columns):
        raise MediaError(
            f"a table has 1 to {max_columns} columns, whose names have at most {max_name_chars} characters"
        )
    cells = [[_cell(cell) for cell in row] for row in rows]
    for number, row in enumerate(cells):
        if len(row) != len(columns):
            raise MediaError(f"row {number} has {len(row)} cells for {len(columns)} columns")
    whole = {"columns": list(columns), "rows": cells}
    written = json.dumps(whole, separators=(",", ":"))
    if len(written) <= max_inline_table_bytes:
        return Medium(name, "table", {"table": whole})
    return Medium(name, "table", {}, _text_file(written, "application/json"))


def histogram(name: str, values: Any, bins: int = 64) -> Medium:
    """Of the values that are finite numbers, in ranges of equal width. Raises MediaError."""
    if not 1 <= bins <= max_bins:
        raise MediaError(f"a histogram has 1 to {max_bins} bins")
    if hasattr(values, "__array__"):
        edges, counts = _array_histogram(values, bins)
    else:
        edges, counts = _list_histogram([float(value) for value in values if math.isfinite(value)], bins)
    return Medium(name, "histogram", {"histogram": {"edges": edges, "counts": counts}})


def _text_file(written: str, media_type: str) -> File:
    content = written.encode()
    if len(content) > max_text_bytes:
        raise MediaError(f"it has {len(content)} bytes, and a text or table may have {max_text_bytes}")
    return File(content, media_type)


def _cell(cell: Any) -> Any:
    if hasattr(cell, "item") and getattr(cell, "ndim", 0) == 0:
        cell = cell.item()
    if cell is None or isinstance(cell, (bool, int, str)):
        return cell
    return cell if isinstance(cell, float) and math.isfinite(cell) else str(cell)


def _type_of(content: bytes) -> str:
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    for signature, media_type in _signatures:
        if content.startswith(signature):
            return media_type
    raise MediaError("the bytes are no PNG, JPEG or WebP")


def _list_histogram(values: list[float], bins: int) -> tuple[list[float], list[float]]:
    low, high = _range_of(min(values, default=0.0), max(values, default=0.0))
    width = (high - low) / bins
    counts = [0.0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / width))] += 1
    return _edges_of(low, high, bins), counts


def _array_of(shown: Any) -> Any:
    """Also of a tensor that has gradients, or lies on another device."""
    import numpy as np

    return np.asarray(shown.detach().cpu() if hasattr(shown, "detach") else shown)


def _array_histogram(values: Any, bins: int) -> tuple[list[float], list[float]]:
    import numpy as np

    array = _array_of(values).astype(np.float64).ravel()
    array = array[np.isfinite(array)]
    low, high = _range_of(float(array.min()), float(array.max())) if array.size else _range_of(0.0, 0.0)
    counts, _ = np.histogram(array, bins=bins, range=(low, high))
    return _edges_of(low, high, bins), [float(count) for count in counts]


def _range_of(low: float, high: float) -> tuple[float, float]:
    """One whose ranges differ, also where all values are the same."""
    margin = max(abs(low), abs(high)) * 1e-6 or 0.5
    return (low, high) if high - low > margin / 2 else (low - margin, high + margin)


def _edges_of(low: float, high: float, bins: int) -> list[float]:
    return [*(low + (high - low) * number / bins for number in range(bins)), high]


def _png_of(shown: Any) -> bytes:
    """Pixels of an array: height by width, or with 1, 3 or 4 channels; bytes, truth values, or numbers from 0 to 1."""
    import numpy as np

    pixels = _array_of(shown)
    if pixels.ndim == 2:
        pixels = pixels[:, :, np.newaxis]
    is_image = pixels.ndim == 3 and pixels.shape[2] in _colour_types
    if not is_image or not all(1 <= side <= max_side for side in pixels.shape):
        wanted = f"give height by width, or with 1, 3 or 4 channels, up to {max_side} pixels each"
        raise MediaError(f"an array of the shape {tuple(pixels.shape)} is no image: {wanted}")
    if pixels.dtype == np.bool_ or np.issubdtype(pixels.dtype, np.floating):
        pixels = np.nan_to_num(pixels.astype(np.float64)).clip(0, 1) * 255
        pixels = pixels.round()
    elif pixels.dtype != np.uint8:
        raise MediaError(f"pixels are of uint8, bool or floats from 0 to 1, and these are of {pixels.dtype}")
    return _encoded(np.ascontiguousarray(pixels.astype(np.uint8)))


_colour_types = {1: 0, 3: 2, 4: 6}
"""How PNG calls an image of so many channels."""


def _encoded(pixels: Any) -> bytes:
    height, width, channels = pixels.shape
    # Each row says first by which filter it is written: none.
    rows = b"".join(b"\0" + pixels[row].tobytes() for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, _colour_types[channels], 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 1)), (b"IEND", b""))
    return _signatures[0][0] + b"".join(_chunk(tag, data) for tag, data in parts)


def _chunk(tag: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))
