"""A channel to the gateway whose calls all carry the API key."""

from collections import namedtuple
from urllib.parse import urlsplit

import grpc

# Notices a connection that is lost without a word. A stream of the platform says something every ten seconds.
KEEPALIVE = (("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 10_000))


def connect(gateway: str, key: str) -> grpc.Channel:
    """Opens a channel: http:// without TLS, https:// with it."""
    address = urlsplit(gateway)
    if address.scheme == "https":
        target = f"{address.hostname}:{address.port or 443}"
        channel = grpc.secure_channel(target, grpc.ssl_channel_credentials(), KEEPALIVE)
    else:
        channel = grpc.insecure_channel(f"{address.hostname}:{address.port or 80}", KEEPALIVE)
    return grpc.intercept_channel(channel, ApiKey(key))


_fields = ("method", "timeout", "metadata", "credentials", "wait_for_ready", "compression")


class _Details(namedtuple("_Details", _fields), grpc.ClientCallDetails):
    pass


class ApiKey(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Adds the key to the metadata of each call. Call credentials of gRPC would do so over TLS alone."""

    def __init__(self, key: str) -> None:
        self._header = ("authorization", f"Bearer {key}")

    def _call(self, continuation, details, request):
        values = {field: getattr(details, field, None) for field in _fields}
        values["metadata"] = [*(details.metadata or ()), self._header]
        return continuation(_Details(**values), request)

    intercept_unary_unary = intercept_unary_stream = intercept_stream_unary = intercept_stream_stream = _call
