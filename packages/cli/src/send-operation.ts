import { randomUUID } from "node:crypto";
import { createPlatformClient, PlatformError, repeatingFetch, serverEvents } from "@aiplatform/client";
import { isIdempotent, type Operation } from "@aiplatform/client/operations";
import { type Connection, credentialOf } from "./contexts/connection.ts";
import type { OperationRequest } from "./operation-request.ts";
import { outcomeOf, settled, settledUnderWay, type WaitOutcome } from "./waits.ts";

/** Where and how long. */
export interface Surroundings {
  connection: Connection;
  /** Given up then. Absent: each answer has a minute, and streams last. */
  signal?: AbortSignal | undefined;
}

/** Where answers go. */
export interface Written {
  print: (value: unknown) => void;
  /** One of many, as they come. */
  printEach: (value: unknown) => void;
  /** What is no JSON. A promise: wait for it before there is more. */
  stdout: (output: Uint8Array) => unknown;
}

/** An operation on its way. */
export interface Sent {
  operation: Operation;
  request: OperationRequest;
  values: Readonly<Record<string, unknown>>;
  /** Every page, and not the first alone. */
  all: boolean;
  /** Until what it begins has ended. */
  wait: boolean;
}

/** Time that is waited for the end of something when nothing else is said, s. */
const defaultWaitSeconds = 600;

/** Asks the platform and writes what it answers. @throws what the client throws, and what waiting came to */
export async function sendOperation(sent: Sent, surroundings: Surroundings, written: Written): Promise<void> {
  const { operation, request, all, wait } = sent;
  const key = isIdempotent(operation) ? { "idempotency-key": randomUUID() } : {};
  const call = (target: string) =>
    fetched({ ...request, target, headers: { ...key, ...request.headers } }, surroundings);
  if (operation.streams) return follow(call, request.target, surroundings, written);
  if (!operation.json) return copy(await call(request.target), written);
  if (wait) return finish(await waited(sent, surroundings, () => call(request.target)), written);
  if (all) return written.print(await Array.fromAsync(pages(call, request.target)));
  finish(outcomeOf(operation, await (await call(request.target)).json()), written);
}

/** Sends one request as it is. @throws PlatformError when it is refused */
export async function fetched(
  { method, target, headers, body }: OperationRequest,
  { connection, signal }: Surroundings,
): Promise<Response> {
  const authorized = { ...headers, authorization: `Bearer ${credentialOf(connection)}` };
  const init = { method, headers: authorized, body: body ?? null, signal: signal ?? null };
  const response = await repeatingFetch()(new Request(new URL(target, connection.baseUrl), init));
  if (!response.ok) throw new PlatformError(response, await response.json().catch(() => undefined));
  return response;
}

async function copy({ body }: Response, { stdout }: Pick<Written, "stdout">): Promise<void> {
  for await (const bytes of body ?? []) await stdout(bytes);
}

type Call = (target: string, headers?: Record<string, string>) => Promise<Response>;

async function follow(call: Call, target: string, { signal }: Surroundings, { printEach }: Written): Promise<void> {
  const open = (lastEventId: string) =>
    call(target, { accept: "text/event-stream", ...(lastEventId && { "last-event-id": lastEventId }) });
  for await (const { data } of serverEvents(open, signal)) printEach(data);
  signal?.throwIfAborted();
}

async function* pages(call: Call, first: string): AsyncGenerator<unknown, void, undefined> {
  for (let target: string | undefined = first; target; ) {
    const response: Response = await call(target);
    const body: unknown = await response.json();
    yield* Array.isArray(body) ? body : [body];
    target = nextPage(response);
  }
}

async function waited(
  { operation, values }: Sent,
  { connection, signal }: Surroundings,
  call: () => Promise<Response>,
): Promise<WaitOutcome> {
  const platform = createPlatformClient({ baseUrl: connection.baseUrl, credential: credentialOf(connection) });
  const parts = { platform, values, signal: signal ?? AbortSignal.timeout(defaultWaitSeconds * 1_000) };
  let answer: unknown;
  try {
    answer = await (await call()).json();
  } catch (refusal) {
    return settledUnderWay(operation, parts, refusal);
  }
  return settled(operation, parts, answer);
}

/** Writes what came of it. @throws its failure */
function finish({ value, failure }: WaitOutcome, { print }: Pick<Written, "print">): void {
  print(value);
  if (failure) throw failure;
}

/** Path and query of the next page, as `Link` says. */
function nextPage({ headers, url }: Response): string | undefined {
  const [, target] = /<([^>]+)>;\s*rel="next"/.exec(headers.get("link") ?? "") ?? [];
  if (target === undefined) return undefined;
  const { pathname, search } = new URL(target, url);
  return pathname + search;
}
