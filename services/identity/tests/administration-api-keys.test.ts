import type { ApiKey } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { eventually, failureOf } from "@aiplatform/testkit";
import { timestampDate, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import type { IdentityClients, IdentityRig } from "./identity-rig.ts";

let administration: AdministrationRig;
let rig: IdentityRig;
let acme: IdentityClients;
beforeAll(async () => {
  administration = await startAdministrationRig();
  ({ rig, acme } = administration);
});
afterAll(async () => await administration[Symbol.asyncDispose]());

const exchange = (apiKey: string) => rig.as({}).credentials.exchangeCredential({ apiKey });
const newKey = async (fields: { name?: string; permissionIds?: string[]; expiresInMs?: number } = {}) => {
  const { name = "key", permissionIds = ["metrics:read"], expiresInMs } = fields;
  const expiry = expiresInMs === undefined ? {} : { expiresAt: timestampFromMs(Date.now() + expiresInMs) };
  const { apiKey, secret } = await acme.apiKeys.createApiKey({ name, permissionIds, ...expiry });
  return { apiKeyId: apiKey?.id ?? "", apiKey, secret };
};
const endOf = (apiKey: ApiKey | undefined) =>
  apiKey?.expiresAt ? timestampDate(apiKey.expiresAt).getTime() : undefined;

describe("an API key", () => {
  it("is shown once, and known by its prefix and its last four characters", async () => {
    const { secret, apiKeyId } = await newKey({ name: "once" });
    expect(secret).toMatch(/^aip_[0-9A-Za-z]{39}$/);
    const { apiKeys } = await acme.apiKeys.listApiKeys({});
    const listed = apiKeys.find(({ id }) => id === apiKeyId);
    expect(listed).toMatchObject({ name: "once", prefix: "aip_", lastFour: secret.slice(-4) });
    expect((await acme.apiKeys.getApiKey({ apiKeyId })).apiKey).toEqual(listed);
    const text = JSON.stringify(apiKeys, (_, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain(secret.slice(4, -4));
  });

  it("names the member who made it, and no member when a key did", async () => {
    expect((await newKey()).apiKey?.createdByMemberId).toBe(rig.acme.administrator?.id);
    const { apiKeys } = rig.as({ apiKey: rig.acme.apiKeySecret });
    const { apiKey } = await apiKeys.createApiKey({ name: "of a key", permissionIds: ["metrics:read"] });
    expect(apiKey?.createdByMemberId).toBeUndefined();
  });

  it("holds each permission once, in the order asked for", async () => {
    const permissionIds = ["training:command", "metrics:read", "training:command"];
    expect((await newKey({ permissionIds })).apiKey?.permissionIds).toEqual(["training:command", "metrics:read"]);
  });

  it("cannot hold what its maker lacks", async () => {
    const narrow = await administration.limitedTo("apikeys:manage", "metrics:read");
    const make = (...permissionIds: string[]) => narrow.apiKeys.createApiKey({ name: "x", permissionIds });
    await expect(make("metrics:read")).resolves.toBeDefined();
    expect(await failureOf(make("metrics:read", "roles:manage"))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "roles:manage" },
    });
  });

  it("cannot hold the operator's permission", async () => {
    const failure = await failureOf(newKey({ permissionIds: ["organisations:manage"] }));
    expect(failure).toMatchObject({ code: Code.PermissionDenied });
  });

  it("is told every problem at once", async () => {
    const failure = await failureOf(newKey({ permissionIds: ["a:b", "metrics:read", "c:d"], expiresInMs: -1 }));
    expect(failure).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["permission_ids[0]", "PERMISSION_UNKNOWN"],
        ["permission_ids[2]", "PERMISSION_UNKNOWN"],
        ["expires_at", "EXPIRY_IN_PAST"],
      ],
    });
  });

  it("opens nothing once it has ended, and no context outlives it", async () => {
    const { secret, apiKey } = await newKey({ expiresInMs: 1_500 });
    const end = endOf(apiKey) ?? 0;
    const { caller } = await exchange(secret);
    expect(Number(caller?.expiresAt?.seconds)).toBeLessThanOrEqual(end / 1000);
    await eventually(() => Date.now() > end);
    expect(await failureOf(exchange(secret))).toMatchObject({ reason: "CREDENTIAL_EXPIRED" });
  });

  it("tells to the minute when it was last used", async () => {
    const { secret, apiKeyId, apiKey } = await newKey();
    expect(apiKey?.lastUsedAt).toBeUndefined();
    await exchange(secret);
    const used = async () => (await acme.apiKeys.getApiKey({ apiKeyId })).apiKey?.lastUsedAt;
    await eventually(async () => (await used()) !== undefined);
    const at = await used();
    expect(at ? timestampDate(at).getTime() % 60_000 : undefined).toBe(0);
  });

  it("is listed by creation, in pages that join", async () => {
    for (let round = 0; round < 5; round++) await newKey();
    const all = (await acme.apiKeys.listApiKeys({})).apiKeys.map(({ id }) => id);
    const ids: string[] = [];
    let cursor = "";
    do {
      const page = await acme.apiKeys.listApiKeys({ limit: 3, cursor });
      ids.push(...page.apiKeys.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== "");
    expect(ids).toEqual(all);
  });
});

describe("revoking an API key", () => {
  it("needs everything that the key holds: a weak key does not lock a strong one out", async () => {
    const { apiKeyId, secret } = await newKey({ permissionIds: ["metrics:read", "training:override"] });
    const narrow = await administration.limitedTo("apikeys:manage", "metrics:read");
    expect(await failureOf(narrow.apiKeys.revokeApiKey({ apiKeyId }))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "training:override" },
    });
    await expect(exchange(secret)).resolves.toBeDefined();
    await acme.apiKeys.revokeApiKey({ apiKeyId });
    await expect(narrow.apiKeys.revokeApiKey({ apiKeyId })).resolves.toBeDefined();
  });
});

describe("rotating an API key", () => {
  it("makes one with the same name, permissions and end", async () => {
    const old = await newKey({ name: "rotated", permissionIds: ["training:command"], expiresInMs: 3_600_000_000 });
    const { apiKey, secret } = await acme.apiKeys.rotateApiKey({ apiKeyId: old.apiKeyId });
    expect(apiKey).toMatchObject({
      name: "rotated",
      permissionIds: ["training:command"],
      expiresAt: old.apiKey?.expiresAt,
      createdByMemberId: rig.acme.administrator?.id,
    });
    expect(secret).not.toBe(old.secret);
    expect(apiKey?.id).not.toBe(old.apiKeyId);
  });

  it("lets both in for the overlap, a day by default, and the old one no longer", async () => {
    const old = await newKey();
    const before = Date.now();
    const { apiKey, secret } = await acme.apiKeys.rotateApiKey({ apiKeyId: old.apiKeyId });
    for (const key of [old.secret, secret]) await expect(exchange(key)).resolves.toBeDefined();
    const { apiKey: replaced } = await acme.apiKeys.getApiKey({ apiKeyId: old.apiKeyId });
    expect(replaced?.replacedById).toBe(apiKey?.id);
    const overlap = (endOf(replaced) ?? 0) - before;
    expect(overlap).toBeGreaterThanOrEqual(86_400_000);
    expect(overlap).toBeLessThan(86_460_000);
  });

  it("ends the old one with its last second of overlap, and its contexts by then", async () => {
    const old = await newKey();
    await acme.apiKeys.rotateApiKey({ apiKeyId: old.apiKeyId, overlapSeconds: 2 });
    const end = endOf((await acme.apiKeys.getApiKey({ apiKeyId: old.apiKeyId })).apiKey) ?? 0;
    const { caller } = await exchange(old.secret);
    expect(Number(caller?.expiresAt?.seconds) * 1000).toBeLessThanOrEqual(end);
    await eventually(() => Date.now() > end);
    expect(await failureOf(exchange(old.secret))).toMatchObject({ reason: "CREDENTIAL_EXPIRED" });
  });

  it("ends the old one at once without an overlap", async () => {
    const old = await newKey();
    await acme.apiKeys.rotateApiKey({ apiKeyId: old.apiKeyId, overlapSeconds: 0 });
    expect(await failureOf(exchange(old.secret))).toMatchObject({ reason: "CREDENTIAL_EXPIRED" });
  });

  it("never lengthens the old one's life", async () => {
    const old = await newKey({ expiresInMs: 60_000 });
    await acme.apiKeys.rotateApiKey({ apiKeyId: old.apiKeyId, overlapSeconds: 3_600 });
    const { apiKey } = await acme.apiKeys.getApiKey({ apiKeyId: old.apiKeyId });
    expect(endOf(apiKey)).toBe(endOf(old.apiKey));
  });

  it("happens once, also when five ask at once", async () => {
    const { apiKeyId } = await newKey();
    const rotate = () => acme.apiKeys.rotateApiKey({ apiKeyId });
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, rotate));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: Code.FailedPrecondition });
    }
    expect(await failureOf(rotate())).toMatchObject({ reason: "API_KEY_ROTATED" });
  });

  it("is refused for a key that is revoked", async () => {
    const { apiKeyId } = await newKey();
    await acme.apiKeys.revokeApiKey({ apiKeyId });
    const failure = await failureOf(acme.apiKeys.rotateApiKey({ apiKeyId }));
    expect(failure).toMatchObject({ code: Code.FailedPrecondition, reason: "API_KEY_REVOKED" });
  });

  it("needs everything that the key holds", async () => {
    const { apiKeyId } = await newKey({ permissionIds: ["metrics:read", "training:override"] });
    const narrow = await administration.limitedTo("apikeys:manage", "metrics:read");
    expect(await failureOf(narrow.apiKeys.rotateApiKey({ apiKeyId }))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "training:override" },
    });
  });
});
