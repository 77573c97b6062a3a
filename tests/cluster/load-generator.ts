// Runs in a pod, on Node alone: asks the gateway at a steady rate, whatever becomes of the answers, and says every second in a
// line of JSON what they were. On SIGUSR2 it ends asking and looks for every command that was acknowledged.
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

interface Plan {
  gateway: string;
  key: string;
  pipelineId: string;
  runId: string;
  jobs: string[];
  /** Requests a second. */
  rate: number;
}

/** How a request went. */
export interface Failure {
  at: string;
  what: string;
  connection: "kept" | "new";
  why: string;
}

/** What the generator says every second, all counted from its start. */
export interface LoadReport {
  sent: number;
  answered: number;
  acknowledged: number;
  failed: number;
  failures: Failure[];
  slowestMs: number;
  /** Once it has ended: acknowledged commands that are not there. */
  lost?: number;
  found?: number;
}

const plan: Plan = JSON.parse(process.env["PLAN"] ?? "{}");
const { hostname, port } = new URL(plan.gateway);
const kept = new Agent({ keepAlive: true });
const { pipelineId, runId } = plan;
const timeoutMs = 20_000;
const acknowledged = new Map<string, string[]>(plan.jobs.map((job) => [job, []]));
const report: LoadReport = { sent: 0, answered: 0, acknowledged: 0, failed: 0, failures: [], slowestMs: 0 };
let underWay = 0;

interface Answer {
  status: number;
  text: string;
}

function send(method: string, path: string, o: { agent?: Agent; body?: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${plan.key}`,
      ...(o.body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(o.body) }),
    };
    const options = { hostname, port, method, path, headers, agent: o.agent ?? false, timeout: timeoutMs };
    const outgoing = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", reject);
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    outgoing.on("error", reject).end(o.body);
  });
}

const run = `/pipelines/${pipelineId}/runs/${runId}`;
/** Reads that every service has a part in. */
const reads = [
  `${run}/metrics/`,
  "/platform/roles",
  "/platform/datasets",
  "/platform/deployments",
  "/platform/organisation",
  `/platform${run}/jobs/${plan.jobs[0]}/commands?limit=5`,
];

async function one(index: number): Promise<void> {
  const isWrite = index % 2 === 0;
  // Kept and new connections in turns, for writes and for reads.
  const connection = index % 4 < 2 ? "kept" : "new";
  const agent = connection === "kept" ? { agent: kept } : {};
  const job = plan.jobs[(index / 2) % plan.jobs.length] ?? "";
  const path = isWrite ? `${run}/training/${job}/commands` : (reads[(index >> 1) % reads.length] ?? "");
  const key = randomUUID();
  const body = isWrite ? { body: JSON.stringify({ action: "pause", idempotency_key: key }) } : {};
  const started = performance.now();
  report.sent += 1;
  underWay += 1;
  try {
    const { status, text } = await send(isWrite ? "POST" : "GET", path, { ...agent, ...body });
    if (status !== (isWrite ? 201 : 200)) throw new Error(`${status} ${text.slice(0, 300)}`);
    report.answered += 1;
    if (isWrite) {
      report.acknowledged += 1;
      acknowledged.get(job)?.push(key);
    }
  } catch (error) {
    report.failed += 1;
    const cause = error instanceof Error ? `${"code" in error ? `${error.code} ` : ""}${error.message}` : String(error);
    const what = `${isWrite ? "POST" : "GET"} ${path}`;
    report.failures.push({ at: new Date().toISOString(), what, connection, why: cause });
  } finally {
    underWay -= 1;
    report.slowestMs = Math.max(report.slowestMs, Math.round(performance.now() - started));
  }
}

/** All keys of a job's commands. */
async function keysOf(job: string): Promise<Set<string>> {
  const keys = new Set<string>();
  for (let after = 0; ; ) {
    const path = `/platform${run}/jobs/${job}/commands?limit=1000&after_sequence=${after}`;
    const { status, text } = await send("GET", path, {});
    if (status !== 200) throw new Error(`the commands of ${job}: ${status} ${text}`);
    const commands: { sequence: number; idempotency_key: string }[] = JSON.parse(text);
    for (const command of commands) keys.add(command.idempotency_key);
    const last = commands.at(-1);
    if (!last) return keys;
    after = last.sequence;
  }
}

const print = () => process.stdout.write(`${JSON.stringify({ ...report, failures: report.failures.slice(-20) })}\n`);

async function finish(): Promise<void> {
  while (underWay > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  let lost = 0;
  let found = 0;
  for (const [job, wanted] of acknowledged) {
    const there = await keysOf(job);
    for (const key of wanted) {
      if (there.has(key)) found += 1;
      else lost += 1;
    }
  }
  Object.assign(report, { lost, found });
  print();
}

let index = 0;
const begun = performance.now();
/** What is due is asked however late the timer is: a slow platform does not get fewer requests. */
const asking = setInterval(() => {
  const due = ((performance.now() - begun) / 1_000) * plan.rate;
  while (index < due) void one(index++);
}, 20);
const printing = setInterval(print, 1_000);
process.on("SIGUSR2", () => {
  clearInterval(asking);
  clearInterval(printing);
  finish().catch((error: unknown) => {
    process.stdout.write(`${JSON.stringify({ error: String(error) })}\n`);
  });
});
process.on("SIGTERM", () => process.exit(0));
// Stays, so that its log does.
setInterval(() => {}, 2 ** 31 - 1);
