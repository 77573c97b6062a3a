"""When a call is repeated, and after which pause."""

import itertools
import logging
import random
import time

import grpc
from errors import explain, requested_delay

MIN_BACKOFF = 0.2
MAX_BACKOFF = 5.0


def call(method, request, seconds: float = 30):
    """Makes a unary call that may be repeated, again where that helps, for so long. Every call of this program may be: each
    has an idempotency key, reads, or is a trainer's."""
    end = time.monotonic() + seconds
    for attempt in itertools.count():
        try:
            # The platform learns the deadline, and stops working on a call that is over.
            return method(request, timeout=end - time.monotonic())
        except grpc.RpcError as error:
            pause = backoff(error, attempt)
            if not retryable(error) or time.monotonic() + pause >= end:
                raise
            logging.info("again in %.1f s: %s", pause, explain(error))
            time.sleep(pause)


def retryable(error: grpc.RpcError) -> bool:
    """Whether the same call may succeed later: the platform is away, or said when to come back."""
    return error.code() == grpc.StatusCode.UNAVAILABLE or requested_delay(error) > 0


def backoff(error: grpc.RpcError, attempt: int) -> float:
    """Seconds before the next attempt: random, up to twice as long each time, and no shorter than was asked for."""
    bound = min(MAX_BACKOFF, MIN_BACKOFF * 2 ** min(attempt, 10))
    return requested_delay(error) + random.uniform(bound / 2, bound)
