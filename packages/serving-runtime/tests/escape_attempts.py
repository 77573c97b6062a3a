"""Tries to leave a sandbox, and prints what came of each attempt as JSON: `done`, or the name of the error.

    python3 escape_attempts.py '{"directory": …, "foreign": …, "port": …, "socket": …, "abstract": …, "victim": …}'
"""

import contextlib
import ctypes
import errno
import json
import os
import platform
import socket
import sys

given = json.loads(sys.argv[1])
directory, foreign, victim = given["directory"], given["foreign"], given["victim"]
libc = ctypes.CDLL(None, use_errno=True)
column = {"x86_64": 0, "aarch64": 1}[platform.machine()]
NUMBERS = {
    "process_vm_readv": (310, 270),
    "pidfd_open": (434, 434),
    "tgkill": (234, 131),
    "memfd_create": (319, 279),
    "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "setxattr": (188, 5),
}
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
MSG_FASTOPEN, IPPROTO_MPTCP = 0x20000000, 262


def call(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def system_call(name, *arguments):
    # The kernel reads whole words; ctypes passes a number as half of one, and leaves the rest as it was.
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return call(libc.syscall(NUMBERS[name][column], *words))


def connect(family, address, kind=socket.SOCK_STREAM):
    with socket.socket(family, kind) as client:
        client.settimeout(5)
        client.connect(address)


def send(family, kind, address, flags=0):
    with socket.socket(family, kind) as client:
        client.sendto(b"x", flags, address)


def listen(port):
    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", port))
        server.listen()


def listen_on_any(ports):
    # Another program may have taken one since.
    *others, last = ports
    for port in others:
        with contextlib.suppress(OSError):
            return listen(port)
    return listen(last)


def write(path, mode="w"):
    with open(path, mode) as file:
        file.write("x")


def write_temporarily():
    path = "/tmp/escaped-from-a-sandbox"
    write(path)
    os.remove(path)


def read(path):
    with open(path, "rb") as file:
        file.read()


def child():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def attach():
    call(libc.ptrace(16, victim, None, None))
    os.waitpid(victim, 0)
    call(libc.ptrace(17, victim, None, None))


def shared_memory():
    call(libc.shmctl(call(libc.shmget(0, 4096, 0o1600)), 0, None))


def others():
    if str(victim) not in os.listdir("/proc"):
        raise OSError(errno.ENOENT, "")


def enter_group():
    with open(given["group"], "w") as processes:
        processes.write("0")


def program():
    # Replaces this process: the answer is then missing, unless it is refused.
    os.execv("/bin/sh", ["/bin/sh", "-c", "exit 0"])


attempts = {
    "read a file of the system": lambda: read("/etc/passwd"),
    "read a file of another organisation": lambda: read(foreign),
    "list the files of another organisation": lambda: os.listdir(os.path.dirname(foreign)),
    "list processes": others,
    "read the environment of another process": lambda: read(f"/proc/{victim}/environ"),
    "read the command line of another process": lambda: read(f"/proc/{victim}/cmdline"),
    "write to its own directory": lambda: write(f"{directory}/written"),
    "write to a temporary directory": write_temporarily,
    "append to a file of another organisation": lambda: write(foreign, "a"),
    "truncate a file of another organisation": lambda: os.truncate(foreign, 1),
    "make a directory": lambda: os.mkdir(f"{directory}/made"),
    "make a named pipe": lambda: os.mkfifo(f"{directory}/pipe"),
    "make a symbolic link": lambda: os.symlink(foreign, f"{directory}/link"),
    "make a hard link": lambda: os.link(foreign, f"{directory}/hard"),
    "rename a file of another organisation": lambda: os.rename(foreign, f"{foreign}.renamed"),
    "delete a file of another organisation": lambda: os.remove(f"{foreign}.renamed"),
    "change the mode of its own directory": lambda: os.chmod(directory, 0o700),
    "change the times of its own directory": lambda: os.utime(directory),
    "change the owner of its own directory": lambda: os.chown(directory, -1, -1),
    "label its own directory": lambda: system_call("setxattr", directory.encode(), b"user.x", b"x", 1, 0),
    "connect over IPv4": lambda: connect(socket.AF_INET, ("127.0.0.1", given["port"])),
    "connect over IPv6": lambda: connect(socket.AF_INET6, ("::1", given["port6"])),
    "connect by sending": lambda: send(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", given["port"]), MSG_FASTOPEN),
    "send a datagram": lambda: send(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", given["port"])),
    "open a socket of Multipath TCP": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_MPTCP).close(),
    "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close(),
    "connect to a socket file": lambda: connect(socket.AF_UNIX, given["socket"]),
    "connect to an abstract socket": lambda: connect(socket.AF_UNIX, "\0" + given["abstract"]),
    "listen on a port of its choice": lambda: listen_on_any(given["free"]),
    "ask whether another process is there": lambda: os.kill(victim, 0),
    "signal a thread of another process": lambda: system_call("tgkill", victim, victim, 0),
    "signal every process": lambda: os.kill(-1, 0),
    "open another process": lambda: os.close(system_call("pidfd_open", victim, 0)),
    "trace another process": attach,
    "read the memory of another process": lambda: system_call("process_vm_readv", victim, None, 0, None, 0, 0),
    "slow another process": lambda: os.setpriority(os.PRIO_PROCESS, victim, 10),
    "move another process to one processor": lambda: os.sched_setaffinity(victim, {0}),
    "limit another process": lambda: call(libc.prlimit(victim, 4, None, None)),
    "start a process": child,
    "make a file in memory": lambda: os.close(system_call("memfd_create", b"x", 0)),
    "share memory": shared_memory,
    "keep a key in the kernel": lambda: system_call("add_key", b"user", b"x", b"x", 1, -3),
    "enter another control group": enter_group,
    "enter a user namespace": lambda: call(libc.unshare(CLONE_NEWUSER)),
}
# What root alone may do anyway.
of_root = {
    "change the root directory": lambda: call(libc.chroot(b"/")),
    "enter a network namespace": lambda: call(libc.unshare(CLONE_NEWNET)),
    "open a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1).close(),
}
# What some kernels refuse to all, or what ends this process where it succeeds.
never = {
    "use io_uring": lambda: os.close(system_call("io_uring_setup", 1, ctypes.create_string_buffer(120))),
    "handle page faults": lambda: os.close(system_call("userfaultfd", 0)),
    "load a program into the kernel": lambda: system_call("bpf", 0, ctypes.create_string_buffer(128), 128),
    "watch performance events": lambda: system_call("perf_event_open", ctypes.create_string_buffer(128), -1, 0, -1, 0),
    "run a shell": program,
}


def outcome(attempt):
    try:
        attempt()
        return "done"
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error.errno))


if given["inside"]:
    chosen = {**attempts, **of_root, **never}
else:
    chosen = {**attempts, **(of_root if os.getuid() == 0 else {})}
print(json.dumps({name: outcome(attempt) for name, attempt in chosen.items()}))
