import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { createCredentialExchange, FailedCredentialLimiter, SessionCookie } from "@aiplatform/caller-identity";
import type { CallRefused } from "@aiplatform/contract/aiplatform/events/v1/mesh";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { type Authenticator, type AuthenticatorOptions, createAuthenticator } from "./authenticator.ts";

const now = new Date("2026-01-01T00:00:00Z");
const method = RoleService.method.createRole;

/** An authenticator in front of an identity that knows one key, `good`, which may do nothing. */
function authenticatorWith({
  perMinute = 20,
  away = false,
  ...more
}: Partial<AuthenticatorOptions> & { perMinute?: number; away?: boolean } = {}) {
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
  const authenticator = createAuthenticator({
    exchange: createCredentialExchange({ client: createClient(CredentialService, identity), now: () => now }),
    failedAuth: new FailedCredentialLimiter({ perMinute }),
    sourceOf: () => ({ address: "203.0.113.7", network: "203.0.113.7" }),
    refusals: (refused) => recorded.push(refused),
    now: () => now,
    ...more,
  });
  return { authenticator, recorded };
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
const named = { requestId: "r1", requestIdSource: "caller" } as const;
const authenticate = (authenticator: Authenticator, authorization?: string) =>
  codeOf(
    authenticator.authenticate({
      request: requestWith(authorization),
      ...named,
      method,
      takesApiKey: false,
      takesSession: false,
    }),
  );

describe("a request that shows no acceptable credential", () => {
  it.each([
    ["none at all", undefined, "CREDENTIAL_MISSING"],
    ["one that cannot be read", "Basic YTpi", "CREDENTIAL_MALFORMED"],
    ["one that identity refuses", "Bearer bad", ""],
  ])("is recorded once, with what is known of it: %s", async (_, authorization, reason) => {
    const { authenticator, recorded } = authenticatorWith();
    expect(await authenticate(authenticator, authorization)).toBe("Unauthenticated");
    expect(recorded).toEqual([
      expect.objectContaining({
        organisationId: "",
        refusedBy: "gateway",
        rpc: "aiplatform.identity.v1.RoleService/CreateRole",
        code: "unauthenticated",
        reason,
        memberId: "",
        credentialId: "",
        ...named,
        sourceAddress: "203.0.113.7",
        refusedAt: timestampFromDate(now),
      }),
    ]);
  });
});

const tooMany = () => Promise.reject(new ConnectError("slow down", Code.ResourceExhausted));

describe("a source that shows no credential too often", () => {
  it("is rejected without a record, whichever check would have refused it", async () => {
    const { authenticator, recorded } = authenticatorWith({ countAnonymous: tooMany });
    expect(await authenticate(authenticator)).toBe("ResourceExhausted");
    expect(await authenticate(authenticator, "Bearer good")).toBe("OK");
    expect(recorded).toEqual([]);
  });
});

describe("a page of another origin with the cookie of a session", () => {
  const foreignPage = (authenticator: Authenticator, token: string) => {
    const request = requestWith();
    Object.assign(request, { method: "POST" });
    Object.assign(request.headers, { cookie: `aiplatform-session=${token}`, origin: "https://evil.example" });
    return codeOf(authenticator.authenticate({ request, ...named, method, takesApiKey: false, takesSession: true }));
  };
  const sessionCookie = SessionCookie.at("http://127.0.0.1:8080");
  const token = `ais_${"a".repeat(43)}`;

  it("is refused, and recorded once", async () => {
    const { authenticator, recorded } = authenticatorWith({ sessionCookie });
    expect(await foreignPage(authenticator, token)).toBe("PermissionDenied");
    expect(recorded).toEqual([expect.objectContaining({ code: "permission_denied", reason: "FOREIGN_ORIGIN" })]);
  });

  it("counts as showing no credential, since the cookie may be made up", async () => {
    const { authenticator, recorded } = authenticatorWith({ sessionCookie, countAnonymous: tooMany });
    expect(await foreignPage(authenticator, token)).toBe("ResourceExhausted");
    expect(recorded).toEqual([]);
  });
});

describe("a caller who lacks the permission", () => {
  it("is recorded once, by name", async () => {
    const { authenticator, recorded } = authenticatorWith();
    const auth = { request: requestWith("Bearer good"), ...named, method, takesApiKey: false, takesSession: false };
    const caller = await authenticator.authenticate(auth);
    expect(() => authenticator.authorize(auth, caller)).toThrow(ConnectError);
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

describe("a request that is rejected", () => {
  it("is not recorded when too many of its source failed, though the failures before are", async () => {
    const { authenticator, recorded } = authenticatorWith({ perMinute: 2 });
    expect(await authenticate(authenticator, "Bearer bad")).toBe("Unauthenticated");
    expect(await authenticate(authenticator, "Bearer worse")).toBe("ResourceExhausted");
    expect(recorded).toHaveLength(1);
  });

  it("is not recorded when identity is away", async () => {
    const { authenticator, recorded } = authenticatorWith({ away: true });
    expect(await authenticate(authenticator, "Bearer good")).toBe("Unavailable");
    expect(recorded).toEqual([]);
  });
});
