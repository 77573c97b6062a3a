import { setTimeout as delay } from "node:timers/promises";
import { afterAll } from "vitest";
import { workerResources } from "./worker-resources.ts";

/** What keeps a process alive and is of a file's own making: servers, child processes, watched files. */
const handles = new Set(["TCPServerWrap", "ProcessWrap", "FSEventWrap", "FSEvent"]);
/** Time in which what was told to close closes, ms. */
const graceMs = 5_000;

function openHandles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (handles.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function leftOpen(before: ReadonlyMap<string, number>): string[] {
  return [...openHandles()].flatMap(([name, count]) => {
    const left = count - (before.get(name) ?? 0);
    return left > 0 ? [`${left} × ${name}`] : [];
  });
}

function changedVariables(before: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)]);
  return [...names].filter((name) => before[name] !== process.env[name]);
}

const environment = { ...process.env };
const open = openHandles();
const shared = workerResources.size;

// The files of a worker share one process: what one of them leaves behind changes what the next one sees.
afterAll(async () => {
  const changed = changedVariables(environment);
  for (const name of changed) {
    if (environment[name] === undefined) delete process.env[name];
    else process.env[name] = environment[name];
  }
  if (changed.length > 0) throw new Error(`this file left environment variables changed: ${changed.join(", ")}`);
  // The platform that files share began in this one, and stays.
  if (workerResources.size !== shared) return;
  const until = performance.now() + graceMs;
  while (leftOpen(open).length > 0 && performance.now() < until) await delay(50);
  const left = leftOpen(open);
  if (left.length > 0) throw new Error(`this file left open: ${left.join(", ")}`);
});
