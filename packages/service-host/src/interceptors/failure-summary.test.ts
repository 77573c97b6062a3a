import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { failureSummary } from "./failure-summary.ts";

describe("what logs and traces say of a failure", () => {
  it.each([
    ["its text where we failed", Code.Internal, "the store is broken", "the store is broken"],
    [
      "its text where a credential is bad",
      Code.Unauthenticated,
      "The credential has expired",
      "The credential has expired",
    ],
    ["its reason where the text may quote the caller", Code.AlreadyExists, "mine is taken", "SLUG_TAKEN"],
    ["its reason for an unknown id", Code.NotFound, "no role mine", "SLUG_TAKEN"],
  ])("is %s", (_, code, text, expected) => {
    const reason = { desc: ErrorInfoSchema, value: { reason: "SLUG_TAKEN", domain: "d" } };
    expect(failureSummary(new ConnectError(text, code, undefined, [reason]))).toBe(expected);
  });

  it("is its code where it has no reason", () => {
    expect(failureSummary(new ConnectError("mine", Code.InvalidArgument))).toBe("InvalidArgument");
  });
});
