import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, wordsOf, writeTo } from "./group-files.ts";
import { strangersAmong } from "./processes.ts";

/** What the kernel can hold groups to. */
export const controllers = ["memory", "cpu", "pids"] as const;
export type Controller = (typeof controllers)[number];

/** The group beside those of instances that a service puts itself into, where a group with processes may not be divided. */
export const serviceGroup = "aiplatform-service";

/** Reads and moves of processes that are started meanwhile. */
const maxRounds = 10;

/** Controllers for the groups below one, or why they lack each. */
export type Delegation = ReadonlyMap<Controller, { readonly lacks?: string }>;

/** Turns controllers on for the groups below `base`. One that cannot be turned on does not keep the others from it. */
export async function turnOnControllers(base: string): Promise<Delegation> {
  const [offered, enabled] = await Promise.all(
    ["cgroup.controllers", "cgroup.subtree_control"].map(async (file) => new Set(await wordsOf(base, file))),
  );
  const isWanted = controllers.some((name) => offered?.has(name) && !enabled?.has(name));
  const obstacle = isWanted ? await obstacleIn(base) : undefined;
  const found = new Map<Controller, { lacks?: string }>();
  for (const name of controllers) {
    if (enabled?.has(name)) found.set(name, {});
    else if (!offered?.has(name)) found.set(name, { lacks: `${base} does not have it` });
    else if (obstacle !== undefined) found.set(name, { lacks: obstacle });
    else found.set(name, await turnOn(base, name));
  }
  return found;
}

async function turnOn(base: string, name: Controller): Promise<{ lacks?: string }> {
  try {
    await writeTo(base, "cgroup.subtree_control", `+${name}`);
    return {};
  } catch (error) {
    return { lacks: `${base} cannot pass it on (${codeOf(error)})` };
  }
}

/**
 * A group that has processes of its own may not pass controllers on, unless it is the root of all: they are moved into a group
 * below it. Undefined: it has none now; otherwise the reason why it has.
 */
async function obstacleIn(base: string): Promise<string | undefined> {
  const isRoot = await access(join(base, "cgroup.type")).then(
    () => false,
    () => true,
  );
  if (isRoot) return undefined;
  try {
    return await moveProcesses(base, join(base, serviceGroup));
  } catch (error) {
    return `the service cannot be moved into a group below ${base} (${codeOf(error)})`;
  }
}

async function moveProcesses(base: string, target: string): Promise<string | undefined> {
  for (let round = 0; round < maxRounds; round += 1) {
    const pids = await wordsOf(base, "cgroup.procs");
    if (pids.length === 0) return undefined;
    const strangers = await strangersAmong(pids);
    if (strangers.length > 0) return `${base} has ${strangers.length} processes that are not of this service`;
    await mkdir(target, { recursive: true });
    for (const pid of pids) await moveProcess(pid, target);
  }
  return `processes go on being started in ${base}`;
}

async function moveProcess(pid: string, target: string): Promise<void> {
  try {
    await writeTo(target, "cgroup.procs", pid);
  } catch (error) {
    // It has ended.
    if (codeOf(error) !== "ESRCH") throw error;
  }
}
