import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { Peer, type PeerOptions, reasonOf } from "./peer.ts";

class AwayError extends Error {
  override name = "AwayError";
}

function peer(options: Partial<PeerOptions> = {}): Peer {
  return new Peer({
    connect: () => createRouterTransport(() => undefined),
    addresses: ["127.0.0.1:1"],
    unknown: "is not known here",
    unavailable: (why) => new AwayError(why),
    ...options,
  });
}

const withReason = (code: Code) =>
  new ConnectError("said by itself", code, undefined, [
    { desc: ErrorInfoSchema, value: { reason: "QUEUE_FULL", domain: "test" } },
  ]);

describe("what a failed call to another service becomes", () => {
  it.each<[string, Partial<PeerOptions>, ConnectError, string | undefined]>([
    ["away", {}, new ConnectError("", Code.Unavailable), "does not answer"],
    ["slow", {}, new ConnectError("", Code.DeadlineExceeded), "does not answer in time"],
    ["of an earlier version", {}, new ConnectError("", Code.Unimplemented), "is of an earlier version: upgrade it"],
    ["one that refuses", {}, new ConnectError("", Code.NotFound), undefined],
    [
      "a code that is no silence here",
      { silent: [Code.Unavailable] },
      new ConnectError("", Code.Unimplemented),
      undefined,
    ],
    ["away with a reason", {}, withReason(Code.Unavailable), "does not answer"],
    ["away with a reason that is kept", { keepsReasons: true }, withReason(Code.Unavailable), undefined],
    ["away without a reason", { keepsReasons: true }, new ConnectError("", Code.Unavailable), "does not answer"],
  ])("%s", async (_, options, failure, why) => {
    const asked = peer(options).ask(CredentialService, () => Promise.reject(failure));
    await expect(asked).rejects.toThrow(why === undefined ? failure : new AwayError(why));
  });
});

it("is not asked where it has no address", async () => {
  const unknown = peer({ addresses: [] });
  await expect(unknown.ask(CredentialService, () => Promise.resolve(1))).rejects.toThrow(
    new AwayError("is not known here"),
  );
  expect(() => unknown.assertKnown()).toThrow(AwayError);
});

it("connects once, at the first question", async () => {
  let connections = 0;
  const connect = () => {
    connections += 1;
    return createRouterTransport(() => undefined);
  };
  const asked = peer({ connect });
  expect(connections).toBe(0);
  await asked.ask(CredentialService, () => Promise.resolve(1));
  await asked.ask(CredentialService, () => Promise.resolve(2));
  expect(connections).toBe(1);
});

it("knows the reason of a refusal", () => {
  expect(reasonOf(withReason(Code.Aborted))).toBe("QUEUE_FULL");
  expect(reasonOf(new ConnectError("", Code.Aborted))).toBe("");
  expect(reasonOf(new Error("no call"))).toBe("");
});
