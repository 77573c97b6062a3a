"""The client for programs that run on asyncio: `Platform` with `await`, of the extra `async`."""

from .client._async.models import AsyncDeployment, AsyncDeployments, AsyncModels
from .client._async.platform import AsyncPlatform
from .client._async.runs import AsyncPipelines, AsyncRun, AsyncRuns

__all__ = [
    "AsyncDeployment",
    "AsyncDeployments",
    "AsyncModels",
    "AsyncPipelines",
    "AsyncPlatform",
    "AsyncRun",
    "AsyncRuns",
]
