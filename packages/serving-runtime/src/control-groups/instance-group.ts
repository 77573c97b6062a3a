import { closeSync, openSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { SandboxedCommand } from "../sandbox/sandbox.ts";
import type { Controller } from "./delegation.ts";
import { codeOf, countsOf, endAndRemove, writeTo, writing } from "./group-files.ts";

/** What the processes of one instance may take together. */
export interface GroupLimits {
  readonly memoryMb: number;
}

/** Why the kernel ended an instance: `limit`, its own; `machine`, that of a group around it, or of the machine. */
export type MemoryEnd = "limit" | "machine";

const mebibyte = 1_048_576;
/** As many as the sandbox allows where it counts them; Node has a dozen. */
const maxThreads = 512;
/** Enters the group, and becomes the command. Where it cannot enter, the command is not run. */
const entering = `echo $$ > "$0/cgroup.procs" && exec "$@"`;

/** The control group of one instance, from before its start until after its end. */
export class InstanceGroup implements AsyncDisposable {
  readonly #directory: string;
  readonly #controllers: ReadonlySet<Controller>;

  private constructor(directory: string, controllers: ReadonlySet<Controller>) {
    this.#directory = directory;
    this.#controllers = controllers;
  }

  /** Makes it, with the limits that the kernel holds here. @throws when it cannot be made */
  static async create(
    directory: string,
    controllers: ReadonlySet<Controller>,
    { memoryMb }: GroupLimits,
  ): Promise<InstanceGroup> {
    await mkdir(directory);
    try {
      if (controllers.has("memory")) {
        await writeTo(directory, "memory.max", memoryMb * mebibyte);
        await writeTo(directory, "memory.oom.group", 1);
        await withoutSwap(directory);
      }
      if (controllers.has("pids")) await writeTo(directory, "pids.max", maxThreads);
    } catch (error) {
      await endAndRemove(directory);
      throw error;
    }
    return new InstanceGroup(directory, controllers);
  }

  /** The command that runs another one in the group. Its program must be absolute. */
  commandWithin({ command, args }: SandboxedCommand): SandboxedCommand {
    return { command: "/bin/sh", args: ["-c", entering, this.#directory, command, ...args] };
  }

  /** Ends all of its processes at once. False: it is not there. */
  kill(): boolean {
    try {
      const file = openSync(join(this.#directory, "cgroup.kill"), writing);
      try {
        writeSync(file, "1");
      } finally {
        closeSync(file);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** Whether the kernel ended one of its processes for memory, and for whose. */
  async memoryEnd(): Promise<MemoryEnd | undefined> {
    if (!this.#controllers.has("memory")) return undefined;
    const counts = await countsOf(this.#directory, "memory.events");
    if (!counts.get("oom_kill")) return undefined;
    // Counted where the limit is, not where a process is chosen for it.
    return counts.get("oom") ? "limit" : "machine";
  }

  /** Ends what is left in it, and removes it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await endAndRemove(this.#directory);
  }
}

async function withoutSwap(directory: string): Promise<void> {
  try {
    await writeTo(directory, "memory.swap.max", 0);
  } catch (error) {
    // A kernel without swap has no such file.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}
