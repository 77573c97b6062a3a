"""Searching for good values: trials are runs of a pipeline. Of the extra `sweeps`."""

from .pruning import Pruning
from .search import Trial
from .space import Choice, Float, Int, SweepError
from .sweep import Sweep

__all__ = ["Choice", "Float", "Int", "Pruning", "Sweep", "SweepError", "Trial"]
