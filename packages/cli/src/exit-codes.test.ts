import { PlatformError, PlatformUnreachableError, StreamFailedError } from "@aiplatform/client";
import { describe, expect, it } from "vitest";
import { CommandRejectedError, exitCodeOf, exitCodes, UsageError, WaitFailedError } from "./exit-codes.ts";

const answered = (status: number) => new PlatformError(new Response(null, { status }), undefined);
const unreachable = (timedOut: boolean) => new PlatformUnreachableError("http://x", new Error("x"), { timedOut });

describe("the exit status", () => {
  it("has the numbers that scripts rely on", () => {
    expect(Object.values(exitCodes)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it.each([
    ["failed", "an answer that the platform did not mean", answered(500)],
    ["failed", "a wait that came to a bad end", new WaitFailedError("Failed")],
    ["failed", "a stream that failed for good", new StreamFailedError({ code: "not_found" })],
    ["failed", "anything else", new TypeError("x")],
    ["usage", "a command line that cannot be", new UsageError("x")],
    ["usage", "a bad request", answered(400)],
    ["usage", "fields that break their rules", answered(422)],
    ["unauthorized", "no credential", answered(401)],
    ["unauthorized", "a credential that may not", answered(403)],
    ["notFound", "what is not there", answered(404)],
    ["refused", "a conflict", answered(409)],
    ["refused", "a condition that does not hold", answered(412)],
    ["refused", "a rejected command", new CommandRejectedError("x")],
    ["timeout", "the end of --timeout", AbortSignal.abort(new DOMException("x", "TimeoutError")).reason],
    ["timeout", "no answer in time", unreachable(true)],
    ["timeout", "a deadline in the platform", answered(504)],
    ["unavailable", "no server there", unreachable(false)],
    ["unavailable", "too many requests", answered(429)],
    ["unavailable", "a platform that is busy", answered(503)],
    ["unavailable", "a stream that may go on later", new StreamFailedError({ code: "unavailable" })],
  ] as const)("is that of %s for %s", (name, _, error) => {
    expect(exitCodeOf(error)).toBe(exitCodes[name]);
  });
});
