"""Landlock: files, TCP ports, signals (include/uapi/linux/landlock.h; the numbers are those of every architecture)."""

import ctypes
import os
import struct

from kernel import call, fail, libc

MIN_ABI = 4  # The first Landlock that knows TCP.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
SCOPE_ABSTRACT_UNIX_SOCKET, SCOPE_SIGNAL = 1 << 0, 1 << 1
REMOVE_FILE, MAKE_REGULAR = 1 << 5, 1 << 8
RULE_PATH_BENEATH, RULE_NET_PORT = 1, 2
O_PATH = 0o10000000

# What Node needs besides itself: libraries, names of time zones, and what the kernel says of this process and machine.
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
SETTINGS = (
    *("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/etc/ssl/openssl.cnf", "/usr/lib/ssl/openssl.cnf"),
    *("/etc/ssl/certs", "/sys/devices/system/cpu", "/sys/fs/cgroup"),
)
PROCESS_FILES = ("/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm/overcommit_memory")
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1")


def landlock_abi():
    return max(0, libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def restrict_files_and_ports(program, read, port, own_network, scratch):
    """`port`: the one that may be connected to. `scratch`: the directory in which files may be made. `own_network`: ports are those of a network of its own, and all of them are left."""
    abi = landlock_abi()
    if abi < MIN_ABI:
        fail(f"Landlock has ABI {abi}, and {MIN_ABI} is needed")
    handled = (1 << (16 if abi >= 5 else 15)) - 1
    ports = 0 if own_network else BIND_TCP | CONNECT_TCP
    scopes = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL if abi >= 6 else 0
    attributes = struct.pack("=QQQ", handled, ports, scopes)[: 24 if abi >= 6 else 16]
    ruleset = call("landlock_create_ruleset", CREATE_RULESET, attributes, len(attributes), 0)

    def allow(path, access):
        try:
            opened = os.open(path, O_PATH | os.O_CLOEXEC)
        except OSError:
            return  # What is not there cannot be used either.
        if not os.path.isdir(path):
            access &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
        rule = struct.pack("=Qi", access, opened)
        call("landlock_add_rule", ADD_RULE, ruleset, RULE_PATH_BENEATH, rule, 0)
        os.close(opened)

    for path in (*LIBRARIES, *SETTINGS, *PROCESS_FILES, "/dev/urandom", *read):
        allow(path, READ_FILE | READ_DIR)
    for path in (program, *LOADERS):
        allow(path, READ_FILE | EXECUTE)
    allow("/dev/null", READ_FILE | WRITE_FILE)
    if scratch is not None:
        allow(scratch, READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | REMOVE_FILE | MAKE_REGULAR)
    if port is not None:
        rule = struct.pack("=QQ", CONNECT_TCP, port)
        call("landlock_add_rule", ADD_RULE, ruleset, RULE_NET_PORT, rule, 0)
    call("landlock_restrict_self", RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
