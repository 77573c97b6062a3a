import { type RolloutReason, rolloutReasons } from "../rollouts/rollout.ts";

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
}

const maxBytes = 65_536;

/** Asks an instance; undefined when it does not answer in time or answers something else. */
export async function fetchRuntimeState({ url, token, timeoutMs }: StateRequest): Promise<RuntimeState | undefined> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(`${url}/state`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "error",
      signal,
    });
    if (!answer.ok || !answer.body) {
      await answer.body?.cancel();
      return undefined;
    }
    return readRuntimeState(await bounded(answer.body));
  } catch {
    return undefined;
  }
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

async function bounded(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new RangeError("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
