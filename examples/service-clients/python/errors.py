"""What an error of the platform says: code, reason, the fields that are wrong, and when to come back."""

from collections.abc import Iterator

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status


def explain(error: grpc.RpcError) -> str:
    """One line for people. Programs decide by the code and the reason; the message may change."""
    parts = [error.code().name]
    parts += [info.reason for info in _details(error, error_details_pb2.ErrorInfo)]
    for bad_request in _details(error, error_details_pb2.BadRequest):
        parts += [f"{violation.field}: {violation.description}" for violation in bad_request.field_violations]
    return ", ".join(parts if len(parts) > 2 else [*parts, error.details()])


def requested_delay(error: grpc.RpcError) -> float:
    """Seconds that the platform asks to wait before the next attempt. 0: it does not say."""
    return next((info.retry_delay.ToTimedelta().total_seconds() for info in _details(error, error_details_pb2.RetryInfo)), 0)


def _details(error: grpc.RpcError, kind: type) -> Iterator:
    status = rpc_status.from_call(error)
    for packed in status.details if status else ():
        if packed.Is(kind.DESCRIPTOR):
            detail = kind()
            packed.Unpack(detail)
            yield detail
