import { describe, expect, it } from "vitest";
import { ProviderUnavailableError } from "../oauth-client/provider-errors.ts";
import { signInReport } from "./sign-in-report.ts";

describe("a sign-in that fails because the provider's answer is no JSON", () => {
  it("is in the log without a part of the answer, which may be a token", () => {
    const logged: unknown[] = [];
    const write = (facts: unknown) => void logged.push(facts);
    const error = new ProviderUnavailableError(new Error("no JSON", { cause: failureToParse("SECRET") }));
    signInReport({ info: write, warn: write })({ provider: "work", outcome: "provider_unavailable", error });
    expect(logged).toEqual([
      { provider: "work", outcome: "provider_unavailable", reason: expect.stringMatching(/no JSON; SyntaxError$/) },
    ]);
  });
});

function failureToParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    expect(String(error)).toContain(text);
    return error;
  }
}
