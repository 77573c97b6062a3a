import type { LocalPlatform } from "@aiplatform/local-platform";

/** Ends the process of a service with SIGKILL, and proves by its exit that this is what ended it. It stays away until it is restarted. */
export async function killed(running: Pick<LocalPlatform, "processes" | "kill">, service: string): Promise<void> {
  const child = running.processes.get(service);
  if (!child?.pid) throw new Error(`${service} is not a process of ours`);
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  await running.kill(service, "SIGKILL");
  const signal = await ended;
  if (signal !== "SIGKILL") throw new Error(`${service} ended by ${signal ?? "itself"}, and not by SIGKILL`);
  if (isThere(child.pid)) throw new Error(`the process ${child.pid} of ${service} is still there`);
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
