"""Starts a program that runs code of others inside a boundary that Linux enforces. Two tiers:

    namespaces   users, files, processes and network of its own; within them all that the other tier has
    landlock     Landlock, seccomp and no capabilities

    python3 -I -S -B launcher --probe '{"read": […]}' program     what this machine can enforce for the program, as JSON
    python3 -I -S -B launcher '{"tier": "landlock", "read": […]}' program argument…

The program reads the paths of `read` and the system's libraries, writes nothing, starts no process, and sees, signals or slows no
other one. `write`: `{"directory": …, "file": …}`, the one directory in which it makes, reads and removes files, each of at most so many MiB.
`parent`: id of the process that starts the launcher, with which the program ends. It opens no socket. `listen`: an address; the program gets a socket that listens on a port of it, and its descriptor in
LISTEN_FD. `memory`: MiB that it may take for data. `egress`: its only way to the network, `{"port": …}` of 127.0.0.1 with Landlock, or
`{"socket": …}`, which is at /egress, with namespaces. Exit code 77: the boundary could not be drawn, and the program was not started.
Standard library only, so that any Python 3 runs it.
"""

import json
import os
import platform
import resource
import signal
import socket
import struct
import sys

from kernel import call, fail, is_known, libc, number
from landlock import MIN_ABI, landlock_abi, restrict_files_and_ports
from namespaces import MOST_THREADS, become_launcher_of_child, enter_the_rest, enter_users_and_processes
from seccomp import restrict_system_calls

TIERS = ("namespaces", "landlock")
LISTENING = 3
BACKLOG = 511
MOST_FILES = 4_096

PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
CAPABILITY_VERSION_3 = 0x20080522
CAPSET = (126, 91)


def drop_capabilities():
    """A program of root is then one without rights over what is not its own."""
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    call("capset", number(CAPSET), struct.pack("=Ii", CAPABILITY_VERSION_3, 0), bytes(24))


def limit(rules):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    longest = rules["write"]["file"] * 1_048_576 if "write" in rules else 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (longest, longest))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = MOST_FILES if most == resource.RLIM_INFINITY else min(MOST_FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    if rules["tier"] == "namespaces":
        # Outside of a user namespace all processes of the user would be counted.
        resource.setrlimit(resource.RLIMIT_NPROC, (MOST_THREADS, MOST_THREADS))
    if "memory" in rules:
        data = rules["memory"] * 1_048_576
        resource.setrlimit(resource.RLIMIT_DATA, (data, data))


def listen(host):
    """Before the network is left: whom the socket belongs to no longer matters then."""
    server = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        server.bind((host, 0))
        server.listen(BACKLOG)
    except OSError as error:
        fail(f"a socket that listens on {host}: {error.strerror}")
    if server.fileno() != LISTENING:
        os.dup2(server.fileno(), LISTENING)
    os.set_inheritable(LISTENING, True)
    server.detach()
    os.environ["LISTEN_FD"] = str(LISTENING)


def end_with(parent):
    """The kernel ends this process when the one that started it has ended, in whatever way."""
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        fail("the end with the parent")
    # It may have ended before the kernel was told.
    if os.getppid() != parent:
        fail("the parent has ended")


def enter(rules, program):
    """Draws the boundary around this process, or around a child that goes on instead of it."""
    read, egress = rules["read"], rules.get("egress") or {}
    scratch = rules["write"]["directory"] if "write" in rules else None
    own_network = rules["tier"] == "namespaces"
    if "listen" in rules:
        listen(rules["listen"])
    if own_network:
        enter_users_and_processes()
        become_launcher_of_child()
        enter_the_rest(program, read, egress.get("socket"), scratch)
    limit(rules)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        fail("no_new_privs")
    if not own_network or landlock_abi() >= MIN_ABI:
        restrict_files_and_ports(program, read, egress.get("port"), own_network, scratch)
    drop_capabilities()
    restrict_system_calls(egress, own_network)


def launch(rules, command):
    if "parent" in rules:
        end_with(rules["parent"])
    try:
        enter(rules, command[0])
    except OSError as error:
        fail(f"{error.filename or rules['tier']}: {error.strerror}")
    os.execve(command[0], command, os.environ)


def attempt(rules, program):
    """Sets a tier up in a process of its own, and looks at what the program needs. None: it can be used; or why not."""
    incoming, outgoing = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(outgoing, 2)
        try:
            enter(rules, program)
            missing = [path for path in (program, *rules["read"]) if not os.access(path, os.R_OK)]
        except OSError as error:
            fail(f"{error.filename or rules['tier']}: {error.strerror}")
        if missing:
            fail(f"{missing[0]} cannot be read by another user")
        os._exit(0)
    os.close(outgoing)
    with open(incoming) as said:
        reason = said.read().strip()
    _, status = os.waitpid(child, 0)
    return None if status == 0 else reason.rpartition("set up: ")[2] or "it ended"


def probe(rules, program):
    found = {"python": sys.executable, "system": f"{platform.system()} {platform.release()} {platform.machine()}"}
    found["landlock"] = landlock_abi() if is_known() else 0
    unknown = None if is_known() else "only Linux on x86-64 and ARM64 has what is needed"
    found["tiers"] = {tier: unknown or attempt({**rules, "tier": tier}, program) for tier in TIERS}
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1] == "--probe":
        probe(json.loads(sys.argv[2]), sys.argv[3])
    else:
        launch(json.loads(sys.argv[1]), sys.argv[2:])
