import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { access, mkdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Controller, controllers, type Delegation, serviceGroup, turnOnControllers } from "./delegation.ts";
import { codeOf, endAndRemove, writeTo } from "./group-files.ts";
import { type GroupLimits, InstanceGroup } from "./instance-group.ts";

export type { InstanceGroup };

import { nameOfGroup, removeLeftGroups } from "./left-groups.ts";
import { directoryOfGroup } from "./own-group.ts";

/** What an operator may ask for. `auto`: what the machine offers. `required`: all of it. */
export const controlGroupChoices = ["auto", "required", "none"] as const;

/** The control groups of instances, or why there are none. */
export type ControlGroups = InstanceGroups | { readonly kind: "none"; readonly reason: string };

/** Control groups were asked for, and cannot be used here. */
export class ControlGroupsUnavailableError extends Error {
  override name = "ControlGroupsUnavailableError";
}

/** Share of processors that all instances of a service have beside it, where processors are scarce: that of niceness 5. */
const instancesWeight = 33;
/** Of a shell that enters a group and ends. */
const probeTimeoutMs = 20_000;
const remedy =
  "Start the service in a control group of its own that it may change, such as a unit of systemd with Delegate=cpu memory pids";

/** The group in which a service has one group for each instance. */
export class InstanceGroups implements AsyncDisposable {
  readonly kind = "cgroup";
  readonly directory: string;
  /** What the kernel holds instances to. */
  readonly controllers: ReadonlySet<Controller>;
  /** Why it does not hold them to the rest; undefined where there is no rest. */
  readonly lacks: string | undefined;
  #made = 0;

  constructor(directory: string, delegation: Delegation) {
    this.directory = directory;
    this.controllers = new Set(controllers.filter((name) => delegation.get(name)?.lacks === undefined));
    const lacking = Map.groupBy(controllers, (name) => delegation.get(name)?.lacks ?? "");
    lacking.delete("");
    const lacks = [...lacking].map(([reason, names]) => `${names.join(", ")}: ${reason}`);
    this.lacks = lacks.length === 0 ? undefined : lacks.join("; ");
  }

  /** Makes the group of one instance. `name`: what people find it by. @throws when it cannot be made */
  create(name: string, limits: GroupLimits): Promise<InstanceGroup> {
    this.#made += 1;
    return InstanceGroup.create(join(this.directory, `${name}.${this.#made}`), this.controllers, limits);
  }

  /** Ends all instances, and removes their groups. */
  async [Symbol.asyncDispose](): Promise<void> {
    await endAndRemove(this.directory);
  }
}

/**
 * Makes the group of this process's instances, below the group that this process is in, and removes those that processes before it
 * have left there. Where the kernel demands it, this process moves into a group of its own beside that.
 * @throws ControlGroupsUnavailableError
 */
export async function openControlGroups(choice: string = "auto"): Promise<ControlGroups> {
  if (choice === "none") return { kind: "none", reason: "SERVING_CONTROL_GROUPS is none" };
  const groups = await openGroups().catch(
    (error: unknown): ControlGroups => ({
      kind: "none",
      reason: error instanceof Error ? error.message : String(error),
    }),
  );
  const lacks = groups.kind === "none" ? groups.reason : groups.lacks;
  if (choice !== "required" || lacks === undefined) return groups;
  if (groups.kind !== "none") await groups[Symbol.asyncDispose]();
  const message = `SERVING_CONTROL_GROUPS is required, and control groups cannot hold every limit here: ${lacks}. ${remedy}.`;
  throw new ControlGroupsUnavailableError(message);
}

async function openGroups(): Promise<InstanceGroups> {
  if (process.platform !== "linux") throw new Error(`${process.platform} has no control groups`);
  const [mounts = "", groups = ""] = await Promise.all(
    ["mountinfo", "cgroup"].map((name) => readFile(`/proc/self/${name}`, "utf8")),
  );
  const own = directoryOfGroup(mounts, groups);
  if (own === undefined)
    throw new Error("no file system of control groups of version 2 shows the group of this service");
  const base = basename(own) === serviceGroup ? dirname(own) : own;
  await removeLeftGroups(base);
  const directory = join(base, await nameOfGroup(randomUUID()));
  try {
    await mkdir(directory);
  } catch (error) {
    throw new Error(`the service may not make groups below ${base} (${codeOf(error)})`);
  }
  try {
    return await setUp(base, directory);
  } catch (error) {
    await endAndRemove(directory);
    throw error;
  }
}

async function setUp(base: string, directory: string): Promise<InstanceGroups> {
  await access(join(directory, "cgroup.kill")).catch(() => {
    throw new Error("the kernel is older than Linux 5.14, and cannot end a group");
  });
  const delegation = await turnOnControllers(base);
  const groups = new InstanceGroups(directory, delegation);
  for (const name of groups.controllers) await writeTo(directory, "cgroup.subtree_control", `+${name}`);
  if (groups.controllers.has("cpu")) await writeTo(directory, "cpu.weight", instancesWeight);
  await using probe = await groups.create("probe", { memoryMb: 64 });
  const { command, args } = probe.commandWithin({ command: "/bin/sh", args: ["-c", ":"] });
  await promisify(execFile)(command, [...args], { timeout: probeTimeoutMs }).catch((error: unknown) => {
    throw new Error(`processes cannot be moved into groups below ${base}: ${String(error)}`);
  });
  return groups;
}
