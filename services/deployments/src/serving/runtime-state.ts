import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getOverTls } from "node:https";
import { type RolloutReason, rolloutReasons } from "../rollouts/rollout.ts";
import type { ServingTls } from "./serving-tls.ts";

/** What an instance says of itself. */
export interface RuntimeState {
  state: "starting" | "ready" | "failed";
  reason?: RolloutReason;
  detail?: string;
  inFlight: number;
  lastUsedAt?: Date;
}

/** Whom to ask, and with which right. */
export interface StateRequest {
  /** Where the instance answers. */
  url: string;
  token: string;
  timeoutMs: number;
  /** What an instance at an https address has to prove; without it, none is asked there. */
  tls?: Pick<ServingTls, "authorities" | "serverName" | "connections"> | undefined;
}

const maxBytes = 65_536;

/** Asks an instance; undefined when it does not answer in time, answers something else, or does not prove that it is one. */
export async function fetchRuntimeState(request: StateRequest): Promise<RuntimeState | undefined> {
  try {
    const answer = await ask(request, AbortSignal.timeout(request.timeoutMs));
    if (answer.statusCode === 200) return readRuntimeState(await bounded(answer));
    answer.destroy();
  } catch {
    // It may be starting or ending.
  }
  return undefined;
}

function ask({ url, token, tls }: StateRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const asking = { headers: { authorization: `Bearer ${token}` }, signal };
  const asked = url.startsWith("https:")
    ? getOverTls(`${url}/state`, { ...asking, ...proofOf(tls) })
    : getPlain(`${url}/state`, asking);
  // An error after the answer has begun is the answer's as well.
  return new Promise((resolve, reject) => asked.once("response", resolve).on("error", reject));
}

function proofOf(tls: StateRequest["tls"]) {
  if (!tls) throw new TypeError("an instance at an https address needs `tls`");
  return { secureContext: tls.authorities.context, servername: tls.serverName, agent: tls.connections };
}

/** Reads the answer's text; undefined when it is not one. */
export function readRuntimeState(text: string): RuntimeState | undefined {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== "object" || answer === null || !("state" in answer)) return undefined;
  const { state } = answer;
  if (state !== "starting" && state !== "ready" && state !== "failed") return undefined;
  const inFlight = "in_flight" in answer && typeof answer.in_flight === "number" ? answer.in_flight : 0;
  const lastUsed =
    "last_used_at" in answer && typeof answer.last_used_at === "string" ? answer.last_used_at : undefined;
  return { state, inFlight, ...(lastUsed ? { lastUsedAt: new Date(lastUsed) } : {}), ...readReason(answer) };
}

/** Reason and detail as JSON has them, where they are ones. */
export function readReason(answer: object): { reason?: RolloutReason; detail?: string } {
  const said = "reason" in answer ? answer.reason : undefined;
  const reason = rolloutReasons.find((each) => each === said);
  const detail = "detail" in answer && typeof answer.detail === "string" ? answer.detail : undefined;
  return { ...(reason ? { reason } : {}), ...(detail ? { detail } : {}) };
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
