"""Starts a program under what the default profile of container runtimes refuses: namespaces and mounts.

    python3 -I -S container_profile.py [--without-landlock] launcher program argument…

With `--without-landlock` nothing is left to contain a program, as on an old kernel.
"""

import ctypes
import os
import struct
import sys

without_landlock = sys.argv[1] == "--without-landlock"
launcher, *command = sys.argv[2 if without_landlock else 1 :]
sys.dont_write_bytecode = True
sys.path.insert(0, launcher)

from kernel import call, libc, number  # noqa: E402
from seccomp import ANY_BIT, EQUAL, LOAD, PASS, REFUSE, SECCOMP, argument, instruction  # noqa: E402

REFUSED = {
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    **({"landlock_create_ruleset": (444, 444)} if without_landlock else {}),
}
CLONE, NEW_NAMESPACES, NO_NEW_PRIVS = (56, 220), 0x7E020000, 38

program = [instruction(LOAD, 0)]
for both in REFUSED.values():
    program += [instruction(EQUAL, number(both), when_false=1), REFUSE]
program += [instruction(EQUAL, number(CLONE), when_false=3), argument(0), instruction(ANY_BIT, NEW_NAMESPACES, when_false=1)]
program += [REFUSE, PASS]
code = ctypes.create_string_buffer(b"".join(program))
libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0)
call("seccomp", number(SECCOMP), 1, 0, struct.pack("@HP", len(program), ctypes.addressof(code)))
os.execvp(command[0], command)
