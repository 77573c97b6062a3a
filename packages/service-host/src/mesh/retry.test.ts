import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { RunService } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { retryInterceptor } from "./retry.ts";

/** A service that fails `failures` times with `code`, behind a client that retries. */
function failing(code: Code, failures: number, options: Parameters<typeof retryInterceptor>[0] = {}) {
  const calls = { made: 0 };
  const answer = () => {
    calls.made++;
    if (calls.made <= failures) throw new ConnectError("not now", code);
    return {};
  };
  const transport = createRouterTransport(
    (router) => {
      router.service(CredentialService, { getVerificationKeys: answer });
      router.service(RunService, { createRun: answer });
    },
    { transport: { interceptors: [retryInterceptor({ backoff: { minMs: 1, maxMs: 10 }, ...options })] } },
  );
  return { calls, keys: createClient(CredentialService, transport), runs: createClient(RunService, transport) };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );

describe("an idempotent call that fails with UNAVAILABLE", () => {
  it.each([
    [0, 1, "OK"],
    [1, 2, "OK"],
    [2, 3, "OK"],
    [3, 3, "Unavailable"],
  ])("%i times is made %i times and ends %s", async (failures, made, code) => {
    const { calls, keys } = failing(Code.Unavailable, failures);
    expect(await codeOf(keys.getVerificationKeys({}))).toBe(code);
    expect(calls.made).toBe(made);
  });

  it("is not made again once the budget is used up, and then once in ten calls", async () => {
    const { calls, keys } = failing(Code.Unavailable, Number.POSITIVE_INFINITY);
    for (let i = 0; i < 5; i++) await codeOf(keys.getVerificationKeys({}));
    expect(calls.made).toBe(15);
    for (let i = 0; i < 100; i++) await codeOf(keys.getVerificationKeys({}));
    expect(calls.made - 15).toBeLessThanOrEqual(111);
  });
});

describe("a call that is not made again", () => {
  it("is one that the contract does not mark idempotent", async () => {
    const { calls, runs } = failing(Code.Unavailable, 1);
    expect(await codeOf(runs.createRun({}))).toBe("Unavailable");
    expect(calls.made).toBe(1);
  });

  it.each([Code.Internal, Code.DeadlineExceeded, Code.Unauthenticated, Code.ResourceExhausted])(
    "failed with %i",
    async (code) => {
      const { calls, keys } = failing(code, 1);
      expect(await codeOf(keys.getVerificationKeys({}))).toBe(Code[code]);
      expect(calls.made).toBe(1);
    },
  );
});
