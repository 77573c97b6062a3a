"""The platform's REST API from Python."""

from ._sync.models import Deployment, Deployments, Models
from ._sync.platform import Platform
from ._sync.runs import Pipelines, Run, Runs
from .requests import NotSettledError, RetryPolicy
from .tensors import TensorError

__all__ = [
    "Deployment",
    "Deployments",
    "Models",
    "NotSettledError",
    "Pipelines",
    "Platform",
    "RetryPolicy",
    "Run",
    "Runs",
    "TensorError",
]
