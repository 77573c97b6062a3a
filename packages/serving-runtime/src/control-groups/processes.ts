import { readFile, readlink } from "node:fs/promises";

/** Places in /proc/<pid>/stat, counted behind the name, which may hold anything. */
const [parent, startedAt] = [1, 19];

async function fieldOf(pid: string, place: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[place];
  } catch {
    return undefined;
  }
}

/** When a process was started, in ticks since the machine was: with its id it names one process alone. Undefined where it is gone. */
export const startOf = (pid: string): Promise<string | undefined> => fieldOf(pid, startedAt);

/** The process that started this one, the one that started that, and so on. */
async function ancestorsOf(pid: string): Promise<string[]> {
  const found: string[] = [];
  for (let next = await fieldOf(pid, parent); next !== undefined && next !== "0"; next = await fieldOf(next, parent)) {
    found.push(next);
  }
  return found;
}

/** Of these processes, those that neither are this one nor have started it nor were started by it. */
export async function strangersAmong(pids: readonly string[]): Promise<string[]> {
  const me = String(process.pid);
  const kin = new Set([me, ...(await ancestorsOf(me))]);
  const strangers: string[] = [];
  for (const pid of pids) {
    const isGone = pid !== "0" && (await startOf(pid)) === undefined;
    if (!kin.has(pid) && !isGone && !(await ancestorsOf(pid)).includes(me)) strangers.push(pid);
  }
  return strangers;
}

/** The numbering of processes that ids here belong to. */
export async function processNamespace(): Promise<string> {
  return (await readlink("/proc/self/ns/pid")).replace(/\D/g, "");
}
