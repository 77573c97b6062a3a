import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Controller } from "./delegation.ts";

/** What holds the instances of a service to each of their limits. */
export interface Enforcement {
  readonly memory: "cgroup" | "watched";
  readonly processor: "cgroup and watched" | "niceness and watched";
  readonly threads: "cgroup" | "prlimit" | "nothing";
  /** Why control groups do not hold all of it; absent where they do. */
  readonly lacks?: string;
}

/** What is known of control groups: those that were opened, or why there are none. */
type Opened =
  | { readonly kind: "cgroup"; readonly controllers: ReadonlySet<Controller>; readonly lacks: string | undefined }
  | { readonly kind: "none"; readonly reason: string };

const noControllers: ReadonlySet<Controller> = new Set();

/** Each limit is held by its controller, and by what does without control groups where that is missing. */
export function enforcementOf(groups: Opened, { kind }: Pick<Sandbox, "kind">): Enforcement {
  const [held, lacks] = groups.kind === "none" ? [noControllers, groups.reason] : [groups.controllers, groups.lacks];
  const unheldThreads = kind === "namespaces" ? "prlimit" : "nothing";
  return {
    memory: held.has("memory") ? "cgroup" : "watched",
    processor: held.has("cpu") ? "cgroup and watched" : "niceness and watched",
    threads: held.has("pids") ? "cgroup" : unheldThreads,
    ...(lacks !== undefined && { lacks }),
  };
}

/** The limits and what holds each, on one line. */
export function enforcementText({ memory, processor, threads }: Enforcement): string {
  return `memory: ${memory}, processor: ${processor}, threads: ${threads}`;
}

const fileName = "limits.json";
/** What is read of such a file. */
type Written = Enforcement & { readonly pid: number };

/** Writes it into the directory of a running service's instances, for other programs to read. */
export async function writeEnforcement(directory: string, enforcement: Enforcement): Promise<void> {
  await mkdir(directory, { recursive: true });
  const written: Written = { ...enforcement, pid: process.pid };
  await writeFile(join(directory, fileName), JSON.stringify(written), { mode: 0o600 });
}

/**
 * What holds the instances of the service that runs now and has its files below `directory` (SERVING_DIRECTORY). Undefined: none runs, or
 * its files may not be read.
 */
export async function readEnforcement(directory: string): Promise<Enforcement | undefined> {
  const names = await readdir(directory).catch(() => []);
  const all = await Promise.all(names.map((name) => readWritten(join(directory, name, fileName))));
  return all.find((each) => each !== undefined && isThere(each.pid));
}

async function readWritten(path: string): Promise<Written | undefined> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}
