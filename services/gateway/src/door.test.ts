import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createCredentialExchange } from "@aiplatform/caller-identity";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "@jest/globals";
import { createDoor, type Door, type DoorParts } from "./door.ts";
import { GuessLimit } from "./guess-limit.ts";

const now = new Date("2026-01-01T00:00:00Z");
const method = RoleService.method.createRole;

/** A door in front of an identity that knows one key, `good`, which may do nothing. */
function doorWith({
  perMinute = 20,
  away = false,
  ...more
}: Partial<DoorParts> & { perMinute?: number; away?: boolean } = {}) {
  const recorded: CallRefused[] = [];
  const identity = createRouterTransport((router) =>
    router.service(CredentialService, {
      exchangeCredential({ bearer }) {
        if (away) throw new ConnectError("away", Code.Unavailable);
        if (bearer !== "good") throw new ConnectError("The API key is unknown", Code.Unauthenticated);
        const expiresAt = timestampFromDate(new Date(now.getTime() + 60_000));
        return { signedContext: "s", caller: { organisationId: "o1", memberId: "m1", credentialId: "k1", expiresAt } };
      },
    }),
  );
  const door = createDoor({
    exchange: createCredentialExchange({ client: createClient(CredentialService, identity), now: () => now }),
    guesses: new GuessLimit({ perMinute }),
    sourceOf: () => ({ address: "203.0.113.7", network: "203.0.113.7" }),
    refusals: (refused) => recorded.push(refused),
    now: () => now,
    ...more,
  });
  return { door, recorded };
}

function requestWith(authorization?: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  if (authorization !== undefined) request.headers.authorization = authorization;
  return request;
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );
const identify = (door: Door, authorization?: string) =>
  codeOf(door.identify({ request: requestWith(authorization), requestId: "r1", method }));

describe("a request that shows no acceptable credential", () => {
  it.each([
    ["none at all", undefined, "CREDENTIAL_MISSING"],
    ["one that cannot be read", "Basic YTpi", "CREDENTIAL_MALFORMED"],
    ["one that identity refuses", "Bearer bad", ""],
  ])("is recorded once, with what is known of it: %s", async (_, authorization, reason) => {
    const { door, recorded } = doorWith();
    expect(await identify(door, authorization)).toBe("Unauthenticated");
    expect(recorded).toEqual([
      expect.objectContaining({
        organisationId: "",
        refusedBy: "gateway",
        rpc: "aiplatform.identity.v1.RoleService/CreateRole",
        code: "unauthenticated",
        reason,
        memberId: "",
        credentialId: "",
        requestId: "r1",
        sourceAddress: "203.0.113.7",
        refusedAt: timestampFromDate(now),
      }),
    ]);
  });
});

describe("a source that shows no credential too often", () => {
  const tooMany = () => Promise.reject(new ConnectError("slow down", Code.ResourceExhausted));

  it("is put off without a record, whichever check would have refused it", async () => {
    const { door, recorded } = doorWith({ countAnonymous: tooMany });
    expect(await identify(door)).toBe("ResourceExhausted");
    expect(await identify(door, "Bearer good")).toBe("OK");
    expect(recorded).toEqual([]);
  });
});

describe("a caller who lacks the permission", () => {
  it("is recorded once, by name", async () => {
    const { door, recorded } = doorWith();
    const visit = { request: requestWith("Bearer good"), requestId: "r1", method };
    const caller = await door.identify(visit);
    expect(() => door.allow(visit, caller)).toThrow(ConnectError);
    expect(recorded).toEqual([
      expect.objectContaining({
        code: "permission_denied",
        reason: "PERMISSION_MISSING",
        organisationId: "o1",
        memberId: "m1",
        credentialId: "k1",
      }),
    ]);
  });
});

describe("a request that is put off", () => {
  it("is not recorded when its source guesses, though what it guessed before is", async () => {
    const { door, recorded } = doorWith({ perMinute: 2 });
    expect(await identify(door, "Bearer bad")).toBe("Unauthenticated");
    expect(await identify(door, "Bearer worse")).toBe("ResourceExhausted");
    expect(recorded).toHaveLength(1);
  });

  it("is not recorded when identity is away", async () => {
    const { door, recorded } = doorWith({ away: true });
    expect(await identify(door, "Bearer good")).toBe("Unavailable");
    expect(recorded).toEqual([]);
  });
});
