import { randomUUID } from "node:crypto";

/** What the platform prints about itself and a caller needs. */
export interface Reachable {
  gateway: string;
  bearer: string;
  pipeline_id: string;
  run_id: string;
  job_name: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
export type Json = any;

export interface Ask {
  method?: string;
  path: string;
  /** Sent as JSON text; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Bearer token; null sends none. */
  bearer?: string | null;
}

/** Longer than any answer takes, the 30 s of a long poll included, in milliseconds. */
const answerTimeoutMs = 60_000;

/** Asks the gateway as any HTTP client would. Rejects when it does not answer. */
export async function ask(platform: Reachable, { method, path, body, headers, bearer }: Ask): Promise<Answer> {
  const token = bearer === undefined ? platform.bearer : bearer;
  const response = await fetch(platform.gateway + path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function commandsPath({ pipeline_id, run_id, job_name }: Reachable): string {
  return `/pipelines/${pipeline_id}/runs/${run_id}/training/${job_name}/commands`;
}

export function jobPath({ pipeline_id, run_id, job_name }: Reachable): string {
  return `/platform/pipelines/${pipeline_id}/runs/${run_id}/jobs/${job_name}`;
}

export function metricsPath({ pipeline_id, run_id }: Reachable, query = ""): string {
  return `/pipelines/${pipeline_id}/runs/${run_id}/metrics/${query}`;
}

/** Issues a command and answers what the platform said. */
export function command(platform: Reachable, action: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return ask(platform, {
    path: commandsPath(platform),
    body: { action, idempotency_key: randomUUID(), ...more },
  });
}

/** Between two looks: looking is to cost little beside what is waited for. */
const pauseShare = 0.2;
const minPauseMs = 25;
const maxPauseMs = 250;

/** Asks until the answer satisfies, or fails with the last answer when the time is up. */
export async function until<T>(
  what: string,
  seconds: number,
  probe: () => Promise<T>,
  done: (seen: T) => boolean,
): Promise<T> {
  const begin = performance.now();
  for (;;) {
    const seen = await probe();
    if (done(seen)) return seen;
    const elapsedMs = performance.now() - begin;
    if (elapsedMs > seconds * 1_000)
      throw new Error(`${what} did not happen within ${seconds} s; last seen: ${JSON.stringify(seen)}`);
    const pauseMs = Math.min(Math.max(elapsedMs * pauseShare, minPauseMs), maxPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Issues a command and waits until the trainer has acknowledged it. */
export async function commandApplied(
  platform: Reachable,
  action: string,
  more: Record<string, unknown> = {},
): Promise<Json> {
  const created = await command(platform, action, more);
  if (created.status !== 201) throw new Error(`${action} was answered ${created.status}: ${created.text}`);
  const path = `${jobPath(platform)}/commands/${created.body.id}?wait_seconds=30`;
  const settled = await until(
    `${action} to settle`,
    60,
    () => ask(platform, { path }),
    ({ body }) => body?.status !== "pending",
  );
  return settled.body;
}

/** Every command of the job, in order. */
export async function commandLog(platform: Reachable): Promise<Json[]> {
  const log: Json[] = [];
  for (;;) {
    const path = `${jobPath(platform)}/commands?after_sequence=${log.at(-1)?.sequence ?? 0}`;
    const { status, body } = await ask(platform, { path });
    if (status !== 200) throw new Error(`the command log was answered ${status}`);
    if (body.length === 0) return log;
    log.push(...body);
  }
}
