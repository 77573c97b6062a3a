import { setTimeout as delay } from "node:timers/promises";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { type Answer, type Ask, ask } from "../mesh/rest.ts";
import { operations } from "../openapi/description.ts";

/** How long a request is repeated at least: for one call that hangs to its limit, and some repeats. */
const minTimeoutSeconds = 25;
const pauseMs = 200;
/** Statuses after which the documentation has clients repeat a request. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Codes of 409 that tell of the request itself, still under way or of another at the same moment. */
const underWay: ReadonlySet<string> = new Set(["request_in_flight", "email_draft_sending", "write_conflict"]);

/** A request and all its answers, in order. */
export interface Conversation {
  readonly request: Ask;
  readonly answers: readonly Answer[];
  readonly last: Answer;
}

/** Sends a request and repeats it as the documentation says, until it is answered for good. */
export async function askPersistently(
  { description }: Pick<LocalPlatform, "description">,
  request: Ask,
  timeoutSeconds = 0,
): Promise<Conversation> {
  const answers: Answer[] = [];
  for (const end = performance.now() + 1_000 * Math.max(timeoutSeconds, minTimeoutSeconds); ; ) {
    const last = await ask(description, request);
    answers.push(last);
    if (!mayPass(last) || performance.now() > end) return { request, answers, last };
    await delay(Math.max(pauseMs, 1_000 * Number(last.headers.get("retry-after") ?? 0)));
  }
}

function mayPass({ status, body }: Answer): boolean {
  return passing.has(status) || (status === 409 && underWay.has(body?.code));
}

/** Answers that the description of the operation does not know, one line each. */
export function undocumented(operation: string, answers: readonly Answer[]): string[] {
  const documented = operations.get(operation)?.operation.responses ?? {};
  return answers.flatMap(({ status, headers, text }) => {
    if (!Object.hasOwn(documented, status)) return [`${status} is not a documented answer of ${operation}: ${text}`];
    if (status >= 500 && status !== 503 && status !== 504) return [`answered ${status}: ${text}`];
    if ((status === 429 || status === 503) && !headers.has("retry-after")) return [`${status} without Retry-After`];
    return [];
  });
}
