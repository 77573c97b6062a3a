"""seccomp: system calls that Landlock and namespaces do not know."""

import ctypes
import errno
import os
import platform
import struct

from kernel import ARCHITECTURES, call, number

# name: (x86_64, aarch64); None where the architecture lacks it.
DENIED = {
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
    "bind": (49, 200),
    "connect": (42, 203),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
}
SECCOMP = (317, 277)

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN, AND = 0x20, 0x15, 0x35, 0x45, 0x06, 0x54
ALLOW, KILL_PROCESS, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
CLONE_THREAD, MSG_FASTOPEN, SOCKET_TYPE = 0x00010000, 0x20000000, 0xF
AF_UNIX, AF_INET, AF_INET6, SOCK_STREAM, IPPROTO_TCP = 1, 2, 10, 1, 6


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


def network_checks(egress, own_network):
    """No socket is opened without egress: what listens was opened before."""
    if not egress:
        return {name: [REFUSE] for name in ("socket", "bind", "connect")}
    # In a network of its own nothing is reached but the socket that was put there.
    families = (AF_INET, AF_INET6, AF_UNIX) if own_network else (AF_INET, AF_INET6)
    # Other protocols of this family (MPTCP, SCTP) pass by what Landlock knows of TCP.
    kinds = [*only(1, (SOCK_STREAM,), mask=SOCKET_TYPE), *only(2, (0, IPPROTO_TCP))]
    binds = [] if own_network else [REFUSE]
    return {"socket": [*only(0, families), *kinds], "bind": binds, "connect": []}


def checks(egress, own_network):
    me = os.getpid()  # The program keeps it.
    return {
        "kill": only(0, (me,)),
        "tgkill": only(0, (me,)),
        "clone": [argument(0), instruction(ANY_BIT, CLONE_THREAD, when_true=1), REFUSE],
        "prlimit64": only(0, (0, me)),
        "sched_setaffinity": only(0, (0,)),
        **network_checks(egress, own_network),
        # A send that opens a connection.
        "sendto": without(3, MSG_FASTOPEN),
        "sendmsg": without(2, MSG_FASTOPEN),
        "sendmmsg": without(3, MSG_FASTOPEN),
    }


def filter_of(egress, own_network):
    _, architecture = ARCHITECTURES[platform.machine()]
    program = [instruction(LOAD, 4), instruction(EQUAL, architecture, when_true=1), instruction(RETURN, KILL_PROCESS)]
    program += [instruction(LOAD, 0), instruction(AT_LEAST, 0x40000000, when_false=1), REFUSE]
    for denied in numbers_of(DENIED).values():
        program += [instruction(EQUAL, denied, when_false=1), REFUSE]
    for absent in numbers_of(ABSENT).values():
        program += [instruction(EQUAL, absent, when_false=1), instruction(RETURN, ERRNO | errno.ENOSYS)]
    for name, check in checks(egress, own_network).items():
        steps = [*check, PASS]
        program += [instruction(EQUAL, numbers_of(CHECKED)[name], when_false=len(steps)), *steps]
    return [*program, PASS]


def restrict_system_calls(egress, own_network):
    program = filter_of(egress, own_network)
    code = ctypes.create_string_buffer(b"".join(program))
    description = struct.pack("@HP", len(program), ctypes.addressof(code))
    call("seccomp", number(SECCOMP), 1, 0, description)
