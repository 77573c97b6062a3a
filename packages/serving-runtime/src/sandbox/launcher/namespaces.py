"""Namespaces: users, files, processes, network, messages and names of its own, for a program that is process 1 there."""

import ctypes
import fcntl
import os
import re
import signal
import socket
import struct
import time

from kernel import call, fail, libc, number
from landlock import LIBRARIES, SETTINGS

NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = (
    *(0x00020000, 0x02000000, 0x04000000, 0x08000000),
    *(0x10000000, 0x20000000, 0x40000000),
)
UNSHARE, PIVOT_ROOT, UMOUNT, SETHOSTNAME = (272, 97), (155, 41), (166, 39), (170, 161)
OPEN_TREE, MOVE_MOUNT, FSOPEN, FSCONFIG, FSMOUNT, MOUNT_SETATTR = 428, 429, 430, 431, 432, 442
CLOEXEC, AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = 0o2000000, -100, 0x1000, 0x8000
OPEN_TREE_CLONE, MOVE_FROM_DESCRIPTOR, MNT_DETACH = 1, 4, 2
FSCONFIG_SET_STRING, FSCONFIG_CREATE = 1, 6
READ_ONLY, NO_SETUID, NO_DEVICES, NO_PROGRAMS = 1, 2, 4, 8
PRIVATE = 1 << 18
PR_SET_PDEATHSIG = 1
SIOCSIFFLAGS, IFF_UP = 0x8914, 1

# Where the socket of the way out is put.
EGRESS = "/egress"

INNER_ID = 1000
# Ids of ours as root: one for each launcher, of a range that no system hands out. Otherwise the only id is the user's own.
FIRST_ID, OTHER_ID = 0x70000000, 65534
# Of one instance; Node has a dozen.
MOST_THREADS = 512


def own_id():
    """An id outside of the sandbox that nothing else has."""
    wanted = FIRST_ID + os.getpid()
    with open("/proc/self/uid_map") as ranges:
        inside = [tuple(map(int, line.split())) for line in ranges]
    is_mapped = any(first <= wanted < first + length for first, _, length in inside)
    return wanted if is_mapped else OTHER_ID


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def unshare(what, flags):
    call(what, number(UNSHARE), flags)


def enter_users_and_processes():
    """New users for this process, and new processes for its children."""
    flags = NEWUSER | NEWPID
    if os.geteuid() != 0:
        user, group = os.geteuid(), os.getegid()
        unshare("a user namespace", flags)
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{INNER_ID} {user} 1\n")
        write("/proc/self/gid_map", f"{INNER_ID} {group} 1\n")
        return
    # Two ids: root, who prepares, and the one that the program gets. Only a process outside may say so.
    me, other = os.getpid(), own_id()
    waiting, ready = os.pipe()
    helper = os.fork()
    if helper == 0:
        os.close(ready)
        set_users_of(me, f"0 0 1\n{INNER_ID} {other} 1\n", waiting)
    unshare("a user namespace", flags)
    os.write(ready, b"!")
    os.close(ready)
    os.close(waiting)
    _, status = os.waitpid(helper, 0)
    if status != 0:
        fail("the users of the namespace cannot be set")


def set_users_of(process, ids, waiting):
    """Waits until the process says that it is in its namespace. Ends this one."""
    try:
        if os.read(waiting, 1) == b"":
            os._exit(1)
        for kind in ("uid", "gid"):
            write(f"/proc/{process}/{kind}_map", ids)
        os._exit(0)
    except OSError:
        os._exit(1)


# --- Files ---


def attributes(descriptor, flags, recursive=True):
    given = struct.pack("=QQQQ", flags, 0, 0, 0)
    at = AT_EMPTY_PATH | (AT_RECURSIVE if recursive else 0)
    call("mount_setattr", MOUNT_SETATTR, descriptor, b"", at, given, len(given))


def tree_of(path, flags):
    """What is at a path, to be put somewhere else. None: nothing is there."""
    if not os.path.exists(path):
        return None
    tree = call(f"open_tree of {path}", OPEN_TREE, AT_FDCWD, path.encode(), OPEN_TREE_CLONE | CLOEXEC | AT_RECURSIVE)
    attributes(tree, NO_SETUID | flags)
    return tree


def file_system(kind, options, flags):
    opened = call(f"fsopen of {kind}", FSOPEN, kind.encode(), 1)
    for key, value in options.items():
        call(f"option {key} of {kind}", FSCONFIG, opened, FSCONFIG_SET_STRING, key.encode(), value.encode(), 0)
    call(f"a new {kind}", FSCONFIG, opened, FSCONFIG_CREATE, None, None, 0)
    mounted = call(f"a mount of {kind}", FSMOUNT, opened, 1, flags)
    os.close(opened)
    return mounted


def attach(tree, path):
    call(f"move_mount to {path}", MOVE_MOUNT, tree, b"", AT_FDCWD, path.encode(), MOVE_FROM_DESCRIPTOR)


def enter_files(program, read, egress, scratch):
    """A root that has the given paths and the system's libraries, and is read-only but for the directory `scratch`."""
    given = struct.pack("=QQQQ", 0, 0, PRIVATE, 0)
    call("private mounts", MOUNT_SETATTR, AT_FDCWD, b"/", AT_RECURSIVE, given, len(given))
    as_is, data = READ_ONLY | NO_DEVICES, READ_ONLY | NO_DEVICES | NO_PROGRAMS
    wanted = {
        **{path: (path, READ_ONLY) for path in ("/dev/null", "/dev/urandom")},
        **{path: (path, data) for path in SETTINGS},
        **{path: (path, as_is) for path in (*LIBRARIES, *read, program)},
        **({EGRESS: (egress, data)} if egress is not None else {}),
        **({scratch: (scratch, NO_DEVICES | NO_PROGRAMS)} if scratch is not None else {}),
    }
    # Those of outer directories first, so that the inner ones are put into them.
    trees = {path: (tree_of(source, flags), os.path.isdir(source)) for path, (source, flags) in sorted(wanted.items())}
    root = file_system("tmpfs", {"size": "1m", "mode": "755"}, NO_SETUID | NO_DEVICES)
    processes = file_system("proc", {}, as_is | NO_SETUID | NO_PROGRAMS)
    working_directory = os.getcwd()
    attach(root, "/")
    os.fchdir(root)
    call("pivot_root", number(PIVOT_ROOT), b".", b".")
    call("umount", number(UMOUNT), b".", MNT_DETACH)
    os.chdir("/")
    os.mkdir("/proc")
    attach(processes, "/proc")
    for path, (tree, is_directory) in trees.items():
        if tree is None:
            continue
        os.makedirs(path if is_directory else os.path.dirname(path), exist_ok=True)
        if not is_directory and not os.path.exists(path):
            write(path, "")
        attach(tree, path)
    attributes(root, READ_ONLY, recursive=False)
    for opened in (root, processes, *(tree for tree, _ in trees.values() if tree is not None)):
        os.close(opened)
    if os.path.isdir(working_directory):
        os.chdir(working_directory)


# --- The rest ---


def bring_loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))


def enter_the_rest(program, read, egress, scratch):
    """Files, network, messages and names; then the id that the program gets. For process 1 of the namespace."""
    unshare("namespaces", NEWNS | NEWNET | NEWIPC | NEWUTS | NEWCGROUP)
    call("sethostname", number(SETHOSTNAME), b"instance", 8)
    bring_loopback_up()
    if scratch is not None and os.geteuid() != INNER_ID:
        # The program has an id of its own, to which the directory is given.
        os.chown(scratch, INNER_ID, INNER_ID)
    enter_files(program, read, egress, scratch)
    if os.geteuid() != INNER_ID:
        os.setgroups([])
        os.setresgid(INNER_ID, INNER_ID, INNER_ID)
        os.setresuid(INNER_ID, INNER_ID, INNER_ID)
    # A launcher that is killed passes nothing on: the program ends with it.
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        fail("the end with the launcher")


FORWARDED = (signal.SIGTERM, signal.SIGINT)
HEARD_AFTER_S = 0.05


def become_launcher_of_child():
    """Forks. Returns in the child, which is process 1; the parent passes signals on, and ends as the child ends."""
    signal.pthread_sigmask(signal.SIG_BLOCK, FORWARDED)
    child = os.fork()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
        return
    os.closerange(3, 64)

    def forward(name, _):
        os.kill(child, name)
        time.sleep(HEARD_AFTER_S)
        # The kernel keeps signals from a process 1 that has no handler for them. Node's own one takes itself away and signals again.
        if not is_caught(child, name):
            os.kill(child, signal.SIGKILL)

    for name in FORWARDED:
        signal.signal(name, forward)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, FORWARDED)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        os._exit(os.WEXITSTATUS(status))
    ended_by = os.WTERMSIG(status)
    if ended_by != signal.SIGKILL:
        signal.signal(ended_by, signal.SIG_DFL)
    os.kill(os.getpid(), ended_by)
    os._exit(128 + ended_by)


def is_caught(process, name):
    with open(f"/proc/{process}/status") as status:
        caught = re.search(r"^SigCgt:\s*([0-9a-f]+)$", status.read(), re.MULTILINE)
    return caught is not None and int(caught[1], 16) >> (name - 1) & 1 == 1
