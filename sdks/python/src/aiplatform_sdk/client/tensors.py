"""Tensors of the Open Inference Protocol, in its binary form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..errors import SdkError
from ..http_messages import Answer

_types = {
    "bool": "BOOL",
    "uint8": "UINT8",
    "uint16": "UINT16",
    "uint32": "UINT32",
    "uint64": "UINT64",
    "int8": "INT8",
    "int16": "INT16",
    "int32": "INT32",
    "int64": "INT64",
    "float16": "FP16",
    "float32": "FP32",
    "float64": "FP64",
}
_names = {datatype: name for name, datatype in _types.items()}
header_length = "inference-header-content-length"


class TensorError(SdkError):
    """An array that the protocol has no type for."""


def request_of(inputs: Mapping[str, Any]) -> tuple[bytes, dict[str, str]]:
    """Body and headers of a request with arrays by their names."""
    import numpy as np

    heads, parts = [], []
    for name, given in inputs.items():
        array = np.ascontiguousarray(given)
        datatype = _types.get(array.dtype.name)
        if datatype is None:
            raise TensorError(f"{name} has the type {array.dtype}: convert it to one of {', '.join(_types)}")
        part = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        shape = list(np.shape(given))
        heads.append(
            {"name": name, "datatype": datatype, "shape": shape, "parameters": {"binary_data_size": len(part)}}
        )
        parts.append(part)
    text = json.dumps({"inputs": heads, "parameters": {"binary_data_output": True}}).encode()
    headers = {"content-type": "application/octet-stream", header_length: str(len(text))}
    return b"".join([text, *parts]), headers


def arrays_of(answer: Answer) -> dict[str, Any]:
    """The outputs of an answer by their names: arrays, or lists of texts."""
    length = int(answer.headers.get(header_length, len(answer.body)))
    head = json.loads(answer.body[:length])
    found, at = {}, length
    for output in head["outputs"]:
        size = output.get("parameters", {}).get("binary_data_size")
        part = None if size is None else answer.body[at : at + size]
        at += size or 0
        found[output["name"]] = _array(output, part)
    return found


def _array(output: Mapping[str, Any], part: bytes | None) -> Any:
    import numpy as np

    if output["datatype"] == "BYTES":
        return output["data"] if part is None else _texts(part)
    dtype = np.dtype(_names[output["datatype"]]).newbyteorder("<")
    flat = np.array(output["data"], dtype) if part is None else np.frombuffer(part, dtype)
    return flat.reshape(output["shape"])


def _texts(part: bytes) -> list[bytes]:
    texts, at = [], 0
    while at < len(part):
        size = int.from_bytes(part[at : at + 4], "little")
        texts.append(part[at + 4 : at + 4 + size])
        at += 4 + size
    return texts
