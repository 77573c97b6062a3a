import { expect } from "vitest";
import { requestTimeoutMs } from "./edge-environment.ts";
import { type RawAnswer, RawConnection } from "./raw-connection.ts";

/**
 * What a connection is to answer, in turn: `own` is an answer to the request that was sent, a number a refusal that ends the
 * connection. Then it is over; or it is open, and the next request is answered as itself; or it is either.
 */
export type Outcome = readonly [...("own" | number)[], "open" | "closed" | "either"];

export interface Sent {
  readonly gateway: string;
  readonly bytes: string | Buffer;
  /** Request id of what is sent. What hides in it has `smuggled-` before it. */
  readonly id: string;
  readonly outcome: Outcome;
  /** Whether nothing more is sent on the connection, not even another request. */
  readonly finishes?: boolean;
}

const maxAnswerBytes = 300_000;
/** What remains until a slow request is given up, and some time for a busy machine. */
const withinMs = requestTimeoutMs + 20_000;
/** For what is on its way already. */
const endsWithinMs = 15_000;

/**
 * Sends bytes, then an honest request where the connection should be open; answers what the other side said, in the words of
 * an {@link Outcome}, with what is not in it instead of what should be there.
 */
export async function converse({ gateway, bytes, id, outcome, finishes }: Sent): Promise<Outcome> {
  using connection = await RawConnection.to(gateway);
  connection.send(bytes);
  if (finishes) connection.finish();
  const end = outcome.at(-1);
  const awaited = outcome.slice(0, -1);
  await connection.until(Math.max(awaited.length, 1), withinMs);
  if (end !== "closed") {
    connection.send(`GET /nothing HTTP/1.1\r\nHost: g\r\nX-Request-Id: next-${id}\r\n\r\n`);
  }
  await connection
    .until(end === "closed" ? Number.POSITIVE_INFINITY : awaited.length + 1, endsWithinMs)
    .catch(() => {});
  for (const answer of connection.answers) assertForm(answer);
  const seen = connection.answers.map((answer, at) => nameOf(answer, { id, awaited: awaited[at] }));
  const isNext = seen.at(-1) === "next";
  if (isNext) seen.pop();
  const isAsAwaited = end === "either" || end === (connection.isOver ? "closed" : isNext ? "open" : "silent");
  return [
    ...seen,
    isAsAwaited ? end : connection.isOver ? "closed" : `open, ${isNext ? "answering" : "silent"}`,
  ] as never;
}

/** Who an answer is for. */
function nameOf(
  { status, headers }: RawAnswer,
  { id, awaited }: { id: string; awaited: Outcome[number] | undefined },
): string | number {
  const requestId = headers.get("x-request-id");
  if (requestId === `next-${id}`) return "next";
  if (status === awaited && headers.get("connection") === "close") return status;
  return requestId === id ? "own" : `${status} to ${requestId}`;
}

const forms = [["detail"], ["detail", "code"], ["code", "message"], ["code", "message", "details"], ["error"]];

/** Any answer has a request id, a bounded size and the type it declares; an error has one of the known forms. */
function assertForm({ status, headers, body }: RawAnswer): void {
  expect(headers.get("x-request-id") ?? "").toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(body.length).toBeLessThan(maxAnswerBytes);
  if (status < 400 || headers.get("content-type") !== "application/json") return;
  expect(forms).toContainEqual(Object.keys(JSON.parse(body)));
}
