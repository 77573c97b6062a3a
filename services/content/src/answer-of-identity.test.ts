import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { answerOfIdentity } from "./answer-of-identity.ts";

const failureOf = async (code: Code) => {
  const failure = await answerOfIdentity(Promise.reject(new ConnectError("no", code))).catch(ConnectError.from);
  const [info] = failure instanceof ConnectError ? failure.findDetails(ErrorInfoSchema) : [];
  return [failure instanceof ConnectError ? failure.code : undefined, info?.reason];
};

describe("an answer of identity", () => {
  it("that takes too long, as while the database hangs, is to be repeated and no 504", async () => {
    expect(await failureOf(Code.DeadlineExceeded)).toEqual([Code.Unavailable, "IDENTITY_UNAVAILABLE"]);
  });

  it.each([Code.Unavailable, Code.PermissionDenied, Code.Internal])("with code %i stays what it is", async (code) => {
    expect(await failureOf(code)).toEqual([code, undefined]);
  });

  it("arrives as it was sent", async () => {
    expect(await answerOfIdentity(Promise.resolve("member"))).toBe("member");
  });
});
