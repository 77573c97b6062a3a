import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMeshTransport, currentCause, type MeshTransport } from "../src/index.ts";
import { EchoService } from "./rig/echo-service.ts";
import { type MeshRig, startMeshRig } from "./rig/mesh-rig.ts";
import { until } from "./rig/until.ts";

let rig: MeshRig;
let mesh: MeshTransport;
let client: Client<typeof EchoService>;
beforeAll(async () => {
  rig = await startMeshRig();
  mesh = createMeshTransport({ addresses: rig.service.addresses.grpc });
  client = createClient(EchoService, mesh);
});
afterAll(async () => {
  mesh.close();
  await rig[Symbol.asyncDispose]();
});

async function failureOf(work: Promise<unknown>): Promise<ConnectError> {
  return ConnectError.from(
    await work.then(
      () => new Error("it succeeded"),
      (error: unknown) => error,
    ),
  );
}

function credential(o: { permissions?: string[]; memberId?: string } = {}): { key: string; headers: Headers } {
  const key = `aip_${randomUUID()}`;
  const { permissions = ["echo:use"], ...rest } = o;
  rig.credentials.set(key, { organisationId: "o1", permissions, ...rest });
  return { key, headers: new Headers({ authorization: `Bearer ${key}` }) };
}

const change = { $typeName: "aiplatform.events.v1.CredentialChanged" as const, apiKeyId: "", memberId: "", roleId: "" };

describe("a call with a signed context", () => {
  it("is made by the caller the context names", async () => {
    await client.echo({ value: "x" }, { headers: await rig.sign({ memberId: "m1", organisationId: "o7" }) });
    expect(rig.record.callers.at(-1)).toMatchObject({ organisationId: "o7", memberId: "m1", credentialId: "k1" });
  });
});

describe("what a call causes", () => {
  it.each(["unary", "stream"] as const)("names member, credential and request of a %s call", async (kind) => {
    const headers = await rig.sign({ memberId: "m1", credentialId: "k9" });
    headers.set("x-request-id", `cause-${kind}`);
    if (kind === "unary") await client.echo({ value: "x" }, { headers });
    else for await (const _ of client.count({ value: 1 }, { headers }));
    const request = { requestId: `cause-${kind}`, requestIdSource: "caller" };
    expect(rig.record.causes.at(-1)).toEqual({ memberId: "m1", credentialId: "k9", ...request });
  });

  it("names no member when a key acts for itself, and nothing outside of calls", async () => {
    const { headers } = credential();
    headers.set("x-request-id", "cause-key");
    await client.echo({ value: "x" }, { headers });
    expect(rig.record.causes.at(-1)).toEqual({
      credentialId: headers.get("authorization")?.slice("Bearer ".length),
      requestId: "cause-key",
      requestIdSource: "caller",
    });
    expect(currentCause()).toBeUndefined();
  });
});

describe("a forged context", () => {
  const claims = { organisation_id: "o1", permissions: ["echo:use"] };
  const wrongKey = generateKeyPairSync("ed25519").privateKey;
  interface Forgery {
    readonly header?: Record<string, string>;
    readonly claims?: Record<string, unknown>;
    readonly issuer?: string;
    readonly audience?: string;
    readonly issuedAt?: number;
    readonly expiresAt?: number;
  }
  const now = () => Math.floor(Date.now() / 1000);
  const forgeries: [string, Forgery, string][] = [
    ["for another audience", { audience: "elsewhere" }, "CONTEXT_AUDIENCE"],
    ["of another issuer", { issuer: "another" }, "CONTEXT_ISSUER"],
    ["that lives longer than 60 seconds", { expiresAt: now() + 3_600 }, "CONTEXT_MALFORMED"],
    ["of another type", { header: { typ: "at+jwt" } }, "CONTEXT_MALFORMED"],
    ["without permissions", { claims: { organisation_id: "o1" } }, "CONTEXT_MALFORMED"],
    ["without organisation", { claims: { permissions: [] } }, "CONTEXT_MALFORMED"],
  ];

  function token({ header = {}, ...forged }: Forgery): SignJWT {
    const issuedAt = forged.issuedAt ?? now();
    return new SignJWT(forged.claims ?? claims)
      .setProtectedHeader({ alg: "EdDSA", typ: "caller-context+jwt", ...header })
      .setSubject("k1")
      .setIssuer(forged.issuer ?? "aiplatform-identity")
      .setAudience(forged.audience ?? "aiplatform-mesh")
      .setIssuedAt(issuedAt)
      .setExpirationTime(forged.expiresAt ?? issuedAt + 60);
  }

  async function reasonFor(signed: string): Promise<[Code, string | undefined]> {
    const error = await failureOf(client.echo({ value: "x" }, { headers: { "x-caller-context": signed } }));
    return [error.code, error.findDetails(ErrorInfoSchema)[0]?.reason];
  }

  it.each([
    ["that has expired", { issuedAt: now() - 120, expiresAt: now() - 60 }, "CONTEXT_EXPIRED"],
    ["of a clock two hours ahead", { issuedAt: now() + 7_200 }, "CONTEXT_NOT_YET_VALID"],
  ])("%s is not held against the caller", async (_title, forged, reason) => {
    const { createPrivateKey } = await import("node:crypto");
    const signed = await token(forged).sign(createPrivateKey(rig.privateKeyPem));
    expect(await reasonFor(signed)).toEqual([Code.Unavailable, reason]);
  });

  it.each(forgeries)("%s is refused, though identity's key signed it", async (_title, forged, reason) => {
    const { createPrivateKey } = await import("node:crypto");
    const signed = await token(forged).sign(createPrivateKey(rig.privateKeyPem));
    expect(await reasonFor(signed)).toEqual([Code.Unauthenticated, reason]);
  });

  it("signed by another key is refused, with or without a key id", async () => {
    expect(await reasonFor(await token({}).sign(wrongKey))).toEqual([Code.Unauthenticated, "CONTEXT_SIGNATURE"]);
    const named = await token({ header: { kid: "other" } }).sign(wrongKey);
    expect(await reasonFor(named)).toEqual([Code.Unauthenticated, "CONTEXT_SIGNATURE"]);
  });

  it("without a signature (alg none) is refused", async () => {
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const body = {
      ...claims,
      sub: "k1",
      iss: "aiplatform-identity",
      aud: "aiplatform-mesh",
      iat: now(),
      exp: now() + 60,
    };
    const [code] = await reasonFor(`${part({ alg: "none", typ: "caller-context+jwt" })}.${part(body)}.`);
    expect(code).toBe(Code.Unauthenticated);
  });

  it("signed by HMAC with the public key as its secret is refused", async () => {
    const publicPem = createPublicKey(rig.privateKeyPem).export({ format: "pem", type: "spki" });
    const signed = await token({ header: { alg: "HS256" } }).sign(Buffer.from(publicPem));
    expect((await reasonFor(signed))[0]).toBe(Code.Unauthenticated);
  });

  it.each(["", "x", "a.b.c", "..", `e${"x".repeat(20_000)}`])("that is no token (%#) is refused", async (signed) => {
    const [code] = await reasonFor(signed);
    expect(code).toBe(Code.Unauthenticated);
  });
});

describe("a call with a credential", () => {
  it("is exchanged once for twenty calls at the same time, and not again while the context holds", async () => {
    const { key, headers } = credential();
    await Promise.all(Array.from({ length: 20 }, () => client.echo({ value: "x" }, { headers })));
    await client.echo({ value: "x" }, { headers });
    expect(rig.exchanges.filter((each) => each === key)).toHaveLength(1);
  });

  it("is taken from Api-key as well", async () => {
    const { key } = credential();
    await client.echo({ value: "x" }, { headers: { "api-key": key } });
    expect(rig.record.callers.at(-1)?.credentialId).toBe(key);
  });

  it("is refused when the Authorization header has another scheme, also beside a good key", async () => {
    const { key } = credential();
    const error = await failureOf(
      client.echo({ value: "x" }, { headers: { authorization: "Basic eA==", "api-key": key } }),
    );
    expect(error.findDetails(ErrorInfoSchema)[0]?.reason).toBe("CREDENTIAL_MALFORMED");
  });

  it("asks again after the credential changed, and is refused when it was revoked", async () => {
    const { key, headers } = credential();
    await client.echo({ value: "x" }, { headers });
    rig.credentials.delete(key);
    rig.exchange.evict({ ...change, organisationId: "o1", apiKeyId: key });
    expect((await failureOf(client.echo({ value: "x" }, { headers }))).code).toBe(Code.Unauthenticated);
  });

  it("never reaches the log", async () => {
    const { key, headers } = credential();
    await client.echo({ value: "bug" }, { headers }).catch(() => {});
    await client.echo({ value: "x" }, { headers: { authorization: `Bearer ${key}x` } }).catch(() => {});
    const { value } = (await rig.sign()).entries().next();
    await client.echo({ value: "x" }, { headers: await rig.sign() });
    expect(rig.log.text()).not.toContain(key);
    expect(rig.log.text()).not.toContain(String(value?.[1]).slice(0, 20));
  });
});

describe("a stream opened with a credential", () => {
  it("ends UNAUTHENTICATED as soon as the credential is revoked", async () => {
    const { key, headers } = credential();
    const ended = endOfConversation(headers);
    await ended.begun;
    rig.credentials.delete(key);
    rig.exchange.evict({ ...change, organisationId: "o1", apiKeyId: key });
    expect((await ended.error).code).toBe(Code.Unauthenticated);
  });

  it("ends as soon as the credential is revoked, also where the gateway says in a context who calls", async () => {
    const { key, headers } = credential();
    for (const [name, value] of await rig.sign({ credentialId: key })) headers.set(name, value);
    const ended = endOfConversation(headers);
    await ended.begun;
    expect(rig.exchanges).not.toContain(key);
    rig.credentials.delete(key);
    rig.exchange.evict({ ...change, organisationId: "o1", apiKeyId: key });
    expect((await ended.error).code).toBe(Code.Unauthenticated);
  });

  it("ends PERMISSION_DENIED as soon as a role loses the permission", async () => {
    const { key, headers } = credential();
    const ended = endOfConversation(headers);
    await ended.begun;
    rig.credentials.set(key, { organisationId: "o1", permissions: [] });
    rig.exchange.evict({ ...change, organisationId: "o1", roleId: "r1" });
    expect((await ended.error).code).toBe(Code.PermissionDenied);
  });

  it("goes on when another caller's credential changes", async () => {
    const { headers } = credential();
    const ended = endOfConversation(headers);
    await ended.begun;
    rig.exchange.evict({ ...change, organisationId: "o1", apiKeyId: "another" });
    rig.exchange.evict({ ...change, organisationId: "o2" });
    expect(await ended.say("still there")).toBe("still there!");
    ended.close();
  });

  function endOfConversation(headers: Headers) {
    const controller = new AbortController();
    const lines: ((line: string) => void)[] = [];
    async function* talk() {
      yield { value: "first" };
      for (;;) yield { value: await new Promise<string>((resolve) => lines.push(resolve)) };
    }
    const answers = client.converse(talk(), { headers, signal: controller.signal })[Symbol.asyncIterator]();
    const begun = answers.next();
    const next = begun.then(() => answers.next());
    const error = failureOf(next);
    return {
      begun,
      error,
      close: () => controller.abort(),
      async say(line: string) {
        await begun;
        await until(() => lines.length > 0);
        lines.shift()?.(line);
        return (await next).value?.value;
      },
    };
  }
});
