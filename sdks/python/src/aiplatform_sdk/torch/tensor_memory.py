"""Memory of tensors, let go of in place."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable

import torch


class TensorMemory:
    """Storages that were let go of. The tensors stay the ones that the program refers to; they have no content until
    the memory is there again and is written."""

    def __init__(self) -> None:
        self._released: list[tuple[torch.UntypedStorage, int]] = []

    def release(self, tensors: Iterable[torch.Tensor]) -> int:
        """Bytes that this freed."""
        freed = 0
        for tensor in tensors:
            if not tensor.untyped_storage().resizable():
                # Memory of an array or a mapped file has another owner. The tensor moves to memory of its own.
                tensor.data = tensor.detach().clone()
            storage = tensor.untyped_storage()
            size = storage.nbytes()
            if size > 0:
                storage.resize_(0)
                self._released.append((storage, size))
                freed += size
        return freed

    def allocate(self) -> None:
        """Gives the tensors memory again, on the devices that they had."""
        while self._released:
            storage, size = self._released[-1]
            storage.resize_(size)
            self._released.pop()


def return_free_memory() -> None:
    """Returns memory that is free, and that allocators keep for later, to devices and to the system."""
    gc.collect()
    if torch.cuda.is_initialized():
        torch.cuda.empty_cache()
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
