import { randomUUID } from "node:crypto";
import {
  type CredentialExchange,
  createContextVerifier,
  createCredentialExchange,
  delegationCredential,
  type PresentedCredential,
} from "@aiplatform/caller-identity";
import { CredentialChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { connectEventStream, decodeEvent, eventSubject } from "@aiplatform/event-stream";
import { createMeshTransport } from "@aiplatform/service-host";
import { assertedAs, eventually, serviceKeys } from "@aiplatform/testkit";
import { type Client, Code, ConnectError, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemRolesOf } from "../src/roles/system-roles.ts";
import { systemRole } from "./administration-rig.ts";
import {
  delegationSecret,
  type IdentityClients,
  type IdentityRig,
  operatorKey,
  reachable,
  startIdentityRig,
} from "./identity-rig.ts";

/** What a credential opens at a cache: its permissions, or the code of its refusal. */
const openedAt = (exchange: CredentialExchange, credential: PresentedCredential): Promise<string[] | Code> =>
  exchange.exchange(credential).then(
    ({ permissions }) => [...permissions],
    (error: unknown) => ConnectError.from(error).code,
  );

const credentialClient = (rig: IdentityRig, parts: AsyncDisposableStack): Client<typeof CredentialService> => {
  const transport = createMeshTransport({
    addresses: rig.service.addresses.grpc,
    interceptors: [assertedAs("content")],
  });
  parts.defer(() => transport.close());
  return createClient(CredentialService, transport);
};

const newMember = async (rig: IdentityRig, administrator: IdentityClients, name: string, roleIds: string[]) => {
  const { issuer } = rig.provider;
  const fields = { displayName: name, email: `${name}@acme.test`, issuer, subject: name };
  const { member } = await administrator.members.createMember({ member: fields, roleIds });
  return member?.id ?? "";
};

describe("the exchange caches of two other processes", () => {
  const parts = new AsyncDisposableStack();
  const caches: CredentialExchange[] = [];
  let rig: IdentityRig;
  let administrator: IdentityClients;
  let asked = 0;
  beforeAll(async () => {
    rig = parts.use(await startIdentityRig({ ownProcess: true }));
    administrator = rig.as({ bearer: await rig.provider.token("ada") });
    while (caches.length < 2) {
      const client = credentialClient(rig, parts);
      const counted: typeof client.exchangeCredential = (request, options) => {
        asked += 1;
        return client.exchangeCredential(request, options);
      };
      const exchange = createCredentialExchange({ client: { exchangeCredential: counted }, now: () => new Date() });
      const { NATS_URL: servers, NATS_STREAM: streamName } = rig.config;
      const stream = parts.use(
        await connectEventStream({ servers, keys: serviceKeys("gateway"), name: "another process", streamName }),
      );
      stream.listen(eventSubject(CredentialChangedSchema), ({ data }) =>
        exchange.evict(decodeEvent(CredentialChangedSchema, data)),
      );
      await reachable(stream);
      caches.push(exchange);
    }
  });
  afterAll(async () => await parts.disposeAsync());

  const everywhere = (credential: PresentedCredential) =>
    Promise.all(caches.map((exchange) => openedAt(exchange, credential)));

  /** How long after `change` was answered both caches knew it, ms. */
  const knownAfter = async (
    credential: PresentedCredential,
    change: () => Promise<unknown>,
    known: (opened: string[] | Code) => boolean,
  ) => {
    expect((await everywhere(credential)).some(known)).toBe(false);
    await change();
    const answered = performance.now();
    await eventually(async () => (await everywhere(credential)).every(known));
    return performance.now() - answered;
  };
  const isRefused = (opened: string[] | Code) => opened === Code.Unauthenticated;
  const lacks = (permission: string) => (opened: string[] | Code) =>
    Array.isArray(opened) && !opened.includes(permission);

  it("remember a credential instead of asking again", async () => {
    const credential = { bearer: "", apiKey: rig.acme.apiKeySecret };
    await everywhere(credential);
    const before = asked;
    await Promise.all(Array.from({ length: 50 }, () => everywhere(credential)));
    expect(asked).toBe(before);
  });

  const newKey = async (name: string) => {
    const made = await administrator.apiKeys.createApiKey({ name, permissionIds: ["metrics:read"] });
    return { secret: made.secret, apiKeyId: made.apiKey?.id ?? "" };
  };

  it("forget a revoked key within a second", async () => {
    const { secret, apiKeyId } = await newKey("short");
    const revoke = () => administrator.apiKeys.revokeApiKey({ apiKeyId });
    expect(await knownAfter({ bearer: "", apiKey: secret }, revoke, isRefused)).toBeLessThan(1_000);
  });

  it("forget a revoked key within a second when it was shown beside a token", async () => {
    const { secret, apiKeyId } = await newKey("beside");
    const credential = { bearer: await rig.provider.token("ada"), apiKey: secret };
    const revoke = () => administrator.apiKeys.revokeApiKey({ apiKeyId });
    expect(await knownAfter(credential, revoke, isRefused)).toBeLessThan(1_000);
  });

  /** What a caller delegates, as a credential. */
  const delegated = async (giver: IdentityClients) => {
    const delegationId = randomUUID();
    const wanted = { delegationId, purpose: "tests", permissionIds: ["metrics:read"] };
    const { delegation } = await giver.delegations.createDelegation(wanted);
    const organisationId = delegation?.organisationId ?? "";
    const bearer = delegationCredential(delegationSecret, { organisationId, delegationId });
    return { delegationId, credential: { bearer, apiKey: "" } };
  };

  it("forget a revoked delegation within a second", async () => {
    const { delegationId, credential } = await delegated(administrator);
    const revoke = () => administrator.delegations.revokeDelegation({ delegationId });
    expect(await knownAfter(credential, revoke, isRefused)).toBeLessThan(1_000);
  });

  it("forget a delegation within a second whose key is revoked", async () => {
    const permissionIds = ["automations:write", "metrics:read"];
    const { secret, apiKey } = await administrator.apiKeys.createApiKey({ name: "delegates", permissionIds });
    const { credential } = await delegated(rig.as({ apiKey: secret }));
    const revoke = () => administrator.apiKeys.revokeApiKey({ apiKeyId: apiKey?.id ?? "" });
    expect(await knownAfter(credential, revoke, isRefused)).toBeLessThan(1_000);
  });

  it("forget a key within a second that another took over from at once", async () => {
    const { secret, apiKeyId } = await newKey("rotated");
    const rotate = () => administrator.apiKeys.rotateApiKey({ apiKeyId, overlapSeconds: 0 });
    expect(await knownAfter({ bearer: "", apiKey: secret }, rotate, isRefused)).toBeLessThan(1_000);
  });

  it("let a key in no longer than its overlap", async () => {
    const { secret, apiKeyId } = await newKey("overlapping");
    const credential = { bearer: "", apiKey: secret };
    await everywhere(credential);
    await administrator.apiKeys.rotateApiKey({ apiKeyId, overlapSeconds: 2 });
    const end = Date.now() + 2_000;
    const ends = async () => await Promise.all(caches.map(async (one) => (await one.exchange(credential)).expiresAt));
    await eventually(async () => (await ends()).every((expiresAt) => expiresAt.getTime() <= end));
    await eventually(async () => (await everywhere(credential)).every(isRefused));
    expect(Date.now()).toBeLessThan(end + 1_000);
  });

  it("learn a member's new roles within a second, and that they were deactivated", async () => {
    const memberId = await newMember(rig, administrator, "grace", [systemRole("supervisor")]);
    const credential = { bearer: await rig.provider.token("grace"), apiKey: "" };
    const demote = () => administrator.members.setMemberRoles({ memberId, roleIds: [systemRole("viewer")] });
    expect(await knownAfter(credential, demote, lacks("training:override"))).toBeLessThan(1_000);
    const viewing = systemRolesOf("", new Set()).find(({ slug }) => slug === "viewer")?.permissionIds;
    expect(await everywhere(credential)).toEqual(Array(2).fill(viewing?.sort()));
    const deactivate = () => administrator.members.deactivateMember({ memberId });
    expect(await knownAfter(credential, deactivate, isRefused)).toBeLessThan(1_000);
  });

  it("forget all credentials of a suspended organisation within a second, and no others", async () => {
    const organisationId = rig.acme.organisation?.id ?? "";
    const { organisations } = rig.as({ bearer: operatorKey });
    const { credential: delegation } = await delegated(administrator);
    const credentials = [
      { bearer: "", apiKey: rig.acme.apiKeySecret },
      { bearer: await rig.provider.token("ada"), apiKey: "" },
      delegation,
    ];
    const others = { bearer: "", apiKey: rig.globex.apiKeySecret };
    for (const each of [...credentials, others]) await everywhere(each);
    await organisations.suspendOrganisation({ organisationId });
    const suspendedAt = performance.now();
    const isSuspended = (opened: string[] | Code) => opened === Code.PermissionDenied;
    const opened = async () => (await Promise.all(credentials.map(everywhere))).flat();
    await eventually(async () => (await opened()).every(isSuspended));
    expect(performance.now() - suspendedAt).toBeLessThan(1_000);
    expect((await everywhere(others)).every(Array.isArray)).toBe(true);
    await organisations.restoreOrganisation({ organisationId });
    await eventually(async () => (await opened()).every(Array.isArray));
  });

  it("learn within a second what a role grants to those who hold it", async () => {
    const permissionIds = ["training:command", "training:override"];
    const { role } = await administrator.roles.createRole({ name: "Steering", slug: "steering", permissionIds });
    const roleId = role?.id ?? "";
    await newMember(rig, administrator, "mallory", [roleId]);
    const credential = { bearer: await rig.provider.token("mallory"), apiKey: "" };
    const set = (...wanted: string[]) =>
      administrator.roles.updateRole({ roleId, name: "Steering", permissionIds: wanted });
    const narrow = () => set("training:command");
    expect(await knownAfter(credential, narrow, lacks("training:override"))).toBeLessThan(1_000);
    const empty = () => set();
    expect(await knownAfter(credential, empty, lacks("training:command"))).toBeLessThan(1_000);
    const widen = () => set("metrics:read");
    const holds = (opened: string[] | Code) => Array.isArray(opened) && opened.includes("metrics:read");
    expect(await knownAfter(credential, widen, holds)).toBeLessThan(1_000);
  });
});

describe("an exchange cache that hears of no change", () => {
  const parts = new AsyncDisposableStack();
  let rig: IdentityRig;
  let client: Client<typeof CredentialService>;
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  beforeAll(async () => {
    rig = parts.use(await startIdentityRig({ settings: { NATS_URL: "nats://127.0.0.1:9" } }));
    client = credentialClient(rig, parts);
  });
  afterAll(async () => await parts.disposeAsync());

  it("lets a revoked key in for a minute at most", async () => {
    aheadMs = 0;
    const exchange = createCredentialExchange({ client, now });
    const { apiKeys } = rig.as({ apiKey: rig.acme.apiKeySecret });
    const { secret, apiKey } = await apiKeys.createApiKey({ name: "unheard", permissionIds: ["metrics:read"] });
    const credential = { bearer: "", apiKey: secret };
    await exchange.exchange(credential);
    await apiKeys.revokeApiKey({ apiKeyId: apiKey?.id ?? "" });
    expect(await openedAt(exchange, credential)).toEqual(["metrics:read"]);
    aheadMs = 60_000;
    expect(await openedAt(exchange, credential)).toBe(Code.Unauthenticated);
  });

  it("holds no context that a service believes for longer than a minute", async () => {
    aheadMs = 0;
    const verifier = createContextVerifier({ jwks: async () => (await client.getVerificationKeys({})).jwks, now });
    const { signedContext, caller } = await client.exchangeCredential({ apiKey: rig.acme.apiKeySecret });
    expect(Number(caller?.expiresAt?.seconds) * 1000).toBeLessThanOrEqual(Date.now() + 60_000);
    await expect(verifier.verify(signedContext, ["content"])).resolves.toMatchObject({
      credentialId: rig.acme.apiKey?.id,
    });
    // Five seconds are for clocks that differ. Beyond them the mesh is at fault, not the caller: no 401.
    aheadMs = 66_000;
    await expect(verifier.verify(signedContext, ["content"])).rejects.toMatchObject({ code: Code.Unavailable });
  });
});
