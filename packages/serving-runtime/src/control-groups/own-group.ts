import { resolve } from "node:path";

/**
 * Directory of the control group (version 2) that a process is in, by its /proc/self/mountinfo and /proc/self/cgroup.
 * Undefined where no mount shows that group.
 */
export function directoryOfGroup(mounts: string, groups: string): string | undefined {
  const line = groups.split("\n").find((each) => each.startsWith("0::/"));
  // A path with `..` leads out of the namespace of control groups that this process is in.
  if (line === undefined || line.includes("/..")) return undefined;
  const path = line.slice("0::".length);
  for (const mount of mounts.split("\n")) {
    const [given = "", kind = ""] = mount.split(" - ");
    if (!kind.startsWith("cgroup2 ")) continue;
    const [, , , root = "", mountPoint = ""] = given.split(" ").map(unescaped);
    const below = pathBelow(root, path);
    if (below !== undefined) return resolve(mountPoint, `.${below}`);
  }
  return undefined;
}

function pathBelow(root: string, path: string): string | undefined {
  if (root === "/") return path;
  if (path === root) return "/";
  return path.startsWith(`${root}/`) ? path.slice(root.length) : undefined;
}

/** The kernel writes spaces and backslashes of paths as octal numbers. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
