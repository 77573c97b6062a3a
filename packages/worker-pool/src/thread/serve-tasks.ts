import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { SentError, TaskMessage, ThreadData, ThreadMessage } from "./messages.ts";

/** Functions that a thread runs, by name. Inputs and values are copied between threads, so they are plain data. */
// biome-ignore lint/suspicious/noExplicitAny: each task has an input type of its own
export type TaskTable = Readonly<Record<string, (input: any) => unknown>>;

/** Runs tasks in this thread, one at a time. The program of a pool's threads calls it once. */
export function serveTasks(tasks: TaskTable): void {
  if (!parentPort) throw new Error("serveTasks must be called in a worker thread");
  const port: MessagePort = parentPort;
  const { errors }: ThreadData = workerData;
  const say = (message: ThreadMessage) => port.postMessage(message);
  port.on("message", async ({ task, input }: TaskMessage) => {
    try {
      const work = tasks[task];
      if (!work) throw new Error(`there is no task ${task}`);
      const value = await work(input);
      say({ type: "done", value, cpuMs: cpuMs() });
    } catch (error) {
      say({ type: "failed", error: sentError(error, errors), cpuMs: cpuMs() });
    }
  });
  say({ type: "ready", cpuMs: cpuMs() });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function sentError(error: unknown, known: readonly string[]): SentError {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: undefined, own: {} };
  const { name, message, stack } = error;
  // Members of other errors may be anything, functions and whole parse trees included.
  const own: Record<string, unknown> = known.includes(name) ? JSON.parse(JSON.stringify({ ...error })) : {};
  return { name, message, stack, own };
}
