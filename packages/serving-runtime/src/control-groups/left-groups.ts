import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { endAndRemove } from "./group-files.ts";
import { processNamespace, startOf } from "./processes.ts";

const prefix = "aiplatform-instances";

/** Name of a group with the instances of this process. It tells exactly which process that is, also after its end. */
export async function nameOfGroup(id: string): Promise<string> {
  const pid = String(process.pid);
  return [prefix, await processNamespace(), pid, await startOf(pid), id].join(".");
}

/** Ends what runs in the groups of processes that are gone, and removes these groups. */
export async function removeLeftGroups(base: string): Promise<void> {
  const here = await processNamespace();
  for (const name of await readdir(base)) {
    const [kind, namespace, pid = "", startedAt] = name.split(".");
    // A process of another namespace cannot be seen from here, so that it may be running.
    if (kind !== prefix || namespace !== here) continue;
    if ((await startOf(pid)) === startedAt) continue;
    // One that this user may not change is left to its owner.
    await endAndRemove(join(base, name)).catch(() => undefined);
  }
}
