import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Readiness } from "../checks/readiness.ts";
import type { AdminAnswer, AdminData, FromAdmin, ToAdmin } from "./admin-messages.ts";

export interface AdminServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface AdminServerParts {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly readiness: () => Readiness | undefined;
  /** The metrics in Prometheus' exposition format. */
  readonly exposeMetrics: () => Promise<string>;
  /** Silence of the event loop from which on `/livez` is 503, in milliseconds. Default 15,000: a loop that is only busy turns sooner. */
  readonly stuckAfterMs?: number;
}

/** Beside this file, as a source or bundled. */
const threadProgram = new URL(`admin-thread${extname(import.meta.filename)}`, import.meta.url);
/** How often the event loop gives a sign of life, in milliseconds. */
const signEveryMs = 2_500;
const heapMb = 32;

/**
 * `/livez` (the event loop turns), `/readyz` (calls may come) and `/metrics`, on a port of their own and in a thread of their own:
 * who is busy is neither ended for being silent nor taken for not ready. @throws the listen error, e.g. EADDRINUSE
 */
export async function startAdminServer(parts: AdminServerParts): Promise<AdminServer> {
  const sign = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT);
  const signedAt = new BigInt64Array(sign);
  const giveSign = () => Atomics.store(signedAt, 0, process.hrtime.bigint());
  giveSign();
  const { host, stuckAfterMs = 15_000 } = parts;
  const workerData: AdminData = { host, port: parts.port, sign, stuckAfterMs };
  const thread = new Worker(threadProgram, {
    workerData,
    env: {},
    argv: [],
    name: "admin",
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const port = await new Promise<number>((resolve, reject) => {
    thread.once("error", reject);
    thread.on("message", (message: FromAdmin) => {
      if (message.kind === "listening") resolve(message.port);
      else if (message.kind === "failed") reject(Object.assign(new Error(message.message), { code: message.code }));
      else void answer(thread, parts, message);
    });
  }).catch(async (error: unknown) => {
    await thread.terminate();
    throw error;
  });
  const signs = setInterval(giveSign, signEveryMs).unref();
  return {
    port,
    async close() {
      clearInterval(signs);
      await thread.terminate();
    },
  };
}

async function answer(
  thread: Worker,
  parts: AdminServerParts,
  { id, path }: { id: number; path: string },
): Promise<void> {
  const send = (message: ToAdmin) => thread.postMessage(message);
  send({ kind: "heard", id });
  const answered = path === "/metrics" ? await metricsOf(parts) : await readinessOf(parts);
  send({ kind: "answered", id, answer: answered });
}

async function metricsOf({ exposeMetrics }: AdminServerParts): Promise<AdminAnswer> {
  try {
    return { status: 200, type: "text/plain", body: await exposeMetrics() };
  } catch (error) {
    return { status: 500, type: "text/plain", body: `# failed to collect metrics: ${error}\n` };
  }
}

async function readinessOf({ readiness }: AdminServerParts): Promise<AdminAnswer> {
  const report = (await readiness()?.report()) ?? { ready: false, phase: "starting", checks: {}, dependencies: {} };
  return { status: report.ready ? 200 : 503, type: "application/json", body: `${JSON.stringify(report)}\n` };
}
