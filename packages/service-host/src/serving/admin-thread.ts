// The thread of the admin port: it answers probes in time while the event loop of the process is busy with requests.
import { once } from "node:events";
import { createServer } from "node:http";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import type { AdminAnswer, AdminData, FromAdmin, ToAdmin } from "./admin-messages.ts";

/** How long the process may take to hear of a question; probes are in a hurry and get its last answer then. */
const heardWithinMs = { "/readyz": 500, "/metrics": 5_000 } as const;
/** How long its last answer about readiness holds. */
const lastAnswerMs = 15_000;

interface Question {
  readonly heard: () => void;
  readonly answered: (answer: AdminAnswer) => void;
}

const { host, port, sign, stuckAfterMs }: AdminData = workerData;
const signedAt = new BigInt64Array(sign);
const questions = new Map<number, Question>();
let asked = 0;
let lastReadiness: { at: number; answer: AdminAnswer } | undefined;

const send = (message: FromAdmin) => parentPort?.postMessage(message);
const json = (status: number, body: unknown): AdminAnswer => ({
  status,
  type: "application/json",
  body: `${JSON.stringify(body)}\n`,
});

parentPort?.on("message", (message: ToAdmin) => {
  const question = questions.get(message.id);
  if (message.kind === "heard") question?.heard();
  else question?.answered(message.answer);
});

function livez(): AdminAnswer {
  const silentMs = Number(process.hrtime.bigint() - Atomics.load(signedAt, 0)) / 1e6;
  if (silentMs < stuckAfterMs) return json(200, { status: "ok" });
  return json(503, { status: "stuck", event_loop_silent_ms: Math.round(silentMs) });
}

/** Asks the process; undefined when it does not hear of it in time. What it has heard it answers, however long that takes. */
function ask(path: keyof typeof heardWithinMs): Promise<AdminAnswer | undefined> {
  asked += 1;
  const id = asked;
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), heardWithinMs[path]);
    const answered = (answer: AdminAnswer) => {
      clearTimeout(timer);
      questions.delete(id);
      if (path === "/readyz") lastReadiness = { at: performance.now(), answer };
      resolve(answer);
    };
    questions.set(id, { heard: () => clearTimeout(timer), answered });
    send({ kind: "asked", id, path });
  });
}

async function readyz(): Promise<AdminAnswer> {
  const answer = await ask("/readyz");
  if (answer) return answer;
  if (lastReadiness && performance.now() - lastReadiness.at < lastAnswerMs) return lastReadiness.answer;
  return json(503, { ready: false, error: "the event loop is too busy to answer" });
}

async function metrics(): Promise<AdminAnswer> {
  return (await ask("/metrics")) ?? json(503, { error: "the event loop is too busy to answer; try again" });
}

const pages = new Map<string, () => AdminAnswer | Promise<AdminAnswer>>([
  ["/livez", livez],
  ["/readyz", readyz],
  ["/metrics", metrics],
]);

/** The probes and collectors that ask here send a line and some headers. */
const timeLimits = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 5_000 };

const server = createServer(timeLimits, async ({ url = "" }, response) => {
  const page = pages.get(url.split("?", 1)[0] ?? "");
  const { status, type, body } = page ? await page() : json(404, { error: `try ${[...pages.keys()].join(", ")}` });
  response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
});

try {
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  send({ kind: "listening", port: typeof address === "object" && address !== null ? address.port : port });
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  send({ kind: "failed", message, code });
}
