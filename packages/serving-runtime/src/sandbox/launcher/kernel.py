"""System calls that Python's standard library does not have."""

import ctypes
import os
import platform
import sys

NOT_STARTED = 77

libc = ctypes.CDLL(None, use_errno=True)
# Numbers of system calls: (x86_64, aarch64).
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


def is_known():
    return platform.system() == "Linux" and platform.machine() in ARCHITECTURES


def number(both):
    return both[ARCHITECTURES[platform.machine()][0]]


def fail(what):
    sys.stderr.write(f"the sandbox could not be set up: {what}\n")
    sys.stderr.flush()
    os._exit(NOT_STARTED)


def call(name, *arguments):
    """A system call that has to succeed: its number, then what it takes."""
    result = libc.syscall(*[ctypes.c_long(each) if isinstance(each, int) else each for each in arguments])
    if result < 0:
        fail(f"{name}: {os.strerror(ctypes.get_errno())}")
    return result
