"""Starts a program that runs code of others inside a boundary that Linux enforces: Landlock, seccomp and no capabilities.

    python3 -I -S launch.py --probe            what this machine can enforce, as JSON
    python3 -I -S launch.py '{"read": ["/directory"], "network": false}' program argument…

The program reads the given paths and the system's libraries, writes nothing, starts no process, and sees, signals or slows no
other one. It listens on ports that the kernel chooses. Without `network` it connects to nothing and sends no datagram. Exit code
77: the boundary could not be drawn, and the program was not started. Standard library only, so that any Python 3 runs it.
"""

import ctypes
import errno
import json
import os
import platform
import resource
import struct
import sys

NOT_STARTED = 77
MIN_ABI = 4  # The first Landlock that knows TCP.

libc = ctypes.CDLL(None, use_errno=True)


def fail(what):
    sys.stderr.write(f"the sandbox could not be set up: {what}\n")
    sys.exit(NOT_STARTED)


def call(name, *arguments):
    """A system call that has to succeed."""
    result = libc.syscall(*[ctypes.c_long(each) if isinstance(each, int) else each for each in arguments])
    if result < 0:
        fail(f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


# --- Landlock: files, TCP ports, signals (include/uapi/linux/landlock.h; the numbers are those of every architecture) ---

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
SCOPE_ABSTRACT_UNIX_SOCKET, SCOPE_SIGNAL = 1 << 0, 1 << 1
RULE_PATH_BENEATH, RULE_NET_PORT = 1, 2
O_PATH = 0o10000000

# What Node needs besides itself: libraries, names of time zones, and what the kernel says of this process and machine.
SYSTEM_FILES = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/localtime"),
    *("/usr/share/zoneinfo", "/etc/ssl/openssl.cnf", "/usr/lib/ssl/openssl.cnf", "/dev/urandom"),
    *("/proc/self", "/proc/meminfo", "/proc/cpuinfo", "/proc/stat", "/proc/sys/vm/overcommit_memory"),
    *("/sys/devices/system/cpu", "/sys/fs/cgroup"),
)
# For callers that may use the network: names and certificates.
NETWORK_FILES = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf", "/etc/ssl/certs")
LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1")


def landlock_abi():
    return max(0, libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def restrict_files_and_ports(program, read, network):
    abi = landlock_abi()
    if abi < MIN_ABI:
        fail(f"Landlock has ABI {abi}, and {MIN_ABI} is needed")
    handled = (1 << (16 if abi >= 5 else 15)) - 1
    ports = BIND_TCP if network else BIND_TCP | CONNECT_TCP
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

    for path in (*SYSTEM_FILES, *(NETWORK_FILES if network else ()), *read):
        allow(path, READ_FILE | READ_DIR)
    for path in (program, *LOADERS):
        allow(path, READ_FILE | EXECUTE)
    allow("/dev/null", READ_FILE | WRITE_FILE)
    # Port 0 is any that the kernel chooses.
    call("landlock_add_rule", ADD_RULE, ruleset, RULE_NET_PORT, struct.pack("=QQ", BIND_TCP, 0), 0)
    call("landlock_restrict_self", RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


# --- Capabilities: a program of root is then one without rights over what is not its own ---

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
CAPABILITY_VERSION_3 = 0x20080522


def drop_capabilities(numbers):
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    call("capset", numbers["capset"], header, bytes(24))


# --- seccomp: system calls that Landlock does not know ---

# name: (x86_64, aarch64); None where the architecture lacks it.
SYSTEM_CALLS = {
    "capset": (126, 91),
    "seccomp": (317, 277),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # New processes, and programs that are no file.
    "fork": (57, None),
    "vfork": (58, None),
    "execveat": (322, 281),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    # Namespaces and mounts.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "quotactl": (179, 60),
    # Rights, times and labels of files, which Landlock leaves to their owner.
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    # The kernel's own surface.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "syslog": (103, 116),
    "personality": (135, 92),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    # The machine.
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    # Memory and messages that processes share.
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgctl": (71, 187),
    "msgrcv": (70, 188),
    "msgsnd": (69, 189),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
}
DENIED = tuple(name for name in SYSTEM_CALLS if name not in ("capset", "seccomp"))
# Answered as if the kernel lacked them: their callers know another way.
ABSENT = {
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
}
# Allowed for some arguments.
CHECKED = {
    "kill": (62, 129),
    "tgkill": (234, 131),
    "clone": (56, 220),
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "socket": (41, 198),
    "connect": (42, 203),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
}
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN, AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
CLONE_THREAD, MSG_FASTOPEN, SOCKET_TYPE = 0x00010000, 0x20000000, 0xF
AF_INET, AF_INET6, SOCK_STREAM, SOCK_DGRAM, IPPROTO_TCP = 2, 10, 1, 2, 6


def numbers_of(table):
    column, _ = ARCHITECTURES[platform.machine()]
    return {name: numbers[column] for name, numbers in table.items() if numbers[column] is not None}


def instruction(code, value, when_true=0, when_false=0):
    return struct.pack("=HBBI", code, when_true, when_false, value & 0xFFFFFFFF)


def argument(index):
    """Loads the lower half of an argument: flags, kinds and process ids are no longer."""
    return instruction(LOAD, 16 + 8 * index)


REFUSE = instruction(RETURN, ERRNO | errno.EPERM)
PASS = instruction(RETURN, ALLOW)


def only(index, allowed, mask=None):
    """Refuses unless an argument is one of these; goes on otherwise."""
    masked = [instruction(AND, mask)] if mask is not None else []
    tests = [instruction(EQUAL, value, when_true=len(allowed) - place) for place, value in enumerate(allowed)]
    return [argument(index), *masked, *tests, REFUSE]


def without(index, bits):
    """Refuses when an argument has one of these bits; goes on otherwise."""
    return [argument(index), instruction(ANY_BIT, bits, when_false=1), REFUSE]


def checks(network):
    me = os.getpid()  # The program keeps it.
    kinds = (SOCK_STREAM, SOCK_DGRAM) if network else (SOCK_STREAM,)
    protocols = (0, IPPROTO_TCP, 17) if network else (0, IPPROTO_TCP)
    return {
        "kill": only(0, (me,)),
        "tgkill": only(0, (me,)),
        "clone": [argument(0), instruction(ANY_BIT, CLONE_THREAD, when_true=1), REFUSE],
        "prlimit64": only(0, (0, me)),
        "sched_setaffinity": only(0, (0,)),
        # Other protocols of this family (MPTCP, SCTP) pass by what Landlock knows of TCP.
        "socket": [*only(0, (AF_INET, AF_INET6)), *only(1, kinds, mask=SOCKET_TYPE), *only(2, protocols)],
        "connect": [] if network else [REFUSE],
        # A send that opens a connection.
        "sendto": without(3, MSG_FASTOPEN),
        "sendmsg": without(2, MSG_FASTOPEN),
        "sendmmsg": without(3, MSG_FASTOPEN),
    }


def filter_of(network):
    _, architecture = ARCHITECTURES[platform.machine()]
    program = [instruction(LOAD, 4), instruction(EQUAL, architecture, when_true=1), instruction(RETURN, KILL_PROCESS)]
    program += [instruction(LOAD, 0), instruction(AT_LEAST, 0x40000000, when_false=1), REFUSE]
    for name, number in numbers_of({name: SYSTEM_CALLS[name] for name in DENIED}).items():
        program += [instruction(EQUAL, number, when_false=1), REFUSE]
    for number in numbers_of(ABSENT).values():
        program += [instruction(EQUAL, number, when_false=1), instruction(RETURN, ERRNO | errno.ENOSYS)]
    for name, check in checks(network).items():
        steps = [*check, PASS]
        program += [instruction(EQUAL, numbers_of(CHECKED)[name], when_false=len(steps)), *steps]
    return [*program, PASS]


def restrict_system_calls(numbers, network):
    program = filter_of(network)
    code = ctypes.create_string_buffer(b"".join(program))
    description = struct.pack("@HP", len(program), ctypes.addressof(code))
    call("seccomp", numbers["seccomp"], 1, 0, description)


def can_filter(numbers):
    action = struct.pack("=I", ERRNO)
    return libc.syscall(numbers["seccomp"], ctypes.c_uint(2), ctypes.c_uint(0), action) == 0


def probe():
    known = platform.system() == "Linux" and platform.machine() in ARCHITECTURES
    found = {"python": sys.executable, "system": f"{platform.system()} {platform.release()} {platform.machine()}"}
    found["landlock"] = landlock_abi() if known else 0
    found["seccomp"] = known and can_filter(numbers_of(SYSTEM_CALLS))
    found["usable"] = found["landlock"] >= MIN_ABI and found["seccomp"]
    print(json.dumps(found))


def launch(rules, command):
    numbers = numbers_of(SYSTEM_CALLS)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        fail("no_new_privs")
    restrict_files_and_ports(command[0], rules["read"], rules["network"])
    drop_capabilities(numbers)
    restrict_system_calls(numbers, rules["network"])
    os.execve(command[0], command, os.environ)


if __name__ == "__main__":
    if sys.argv[1:] == ["--probe"]:
        probe()
    else:
        launch(json.loads(sys.argv[1]), sys.argv[2:])
