import { describe, expect, it } from "vitest";
import { directoryOfGroup } from "./own-group.ts";

const mount = (root: string, at: string) => `36 25 0:30 ${root} ${at} rw,nosuid shared:9 - cgroup2 cgroup2 rw\n`;
const others = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n30 24 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n";

describe("the directory of a process's control group", () => {
  it.each<[string, string, string, string | undefined]>([
    [
      "is below the mount",
      mount("/", "/sys/fs/cgroup"),
      "0::/system.slice/a.service",
      "/sys/fs/cgroup/system.slice/a.service",
    ],
    ["is the mount in a namespace of its own", mount("/", "/sys/fs/cgroup"), "0::/", "/sys/fs/cgroup"],
    [
      "is that of version 2 beside version 1",
      mount("/", "/sys/fs/cgroup/unified"),
      "4:memory:/a\n0::/b",
      "/sys/fs/cgroup/unified/b",
    ],
    [
      "is counted from the group that is mounted",
      mount("/docker/7", "/sys/fs/cgroup"),
      "0::/docker/7/a",
      "/sys/fs/cgroup/a",
    ],
    ["may have spaces in its path", mount("/", "/control\\040groups"), "0::/a", "/control groups/a"],
    [
      "is in none of the mounts that show other groups",
      mount("/docker/7", "/sys/fs/cgroup"),
      "0::/docker/78",
      undefined,
    ],
    ["is not shown outside of the namespace", mount("/", "/sys/fs/cgroup"), "0::/../b", undefined],
    ["is not there without version 2", "", "4:memory:/a", undefined],
  ])("%s", (_title, mounts, groups, expected) => {
    expect(directoryOfGroup(others + mounts, `${groups}\n`)).toBe(expected);
  });
});
