import type { ApiKey } from "@aiplatform/contract/aiplatform/identity/v1/api_keys";
import { failureOf } from "@aiplatform/testkit";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";
import type { IdentityClients } from "./identity-rig.ts";

const hour = 3_600;
const day = 24 * hour;

let administration: AdministrationRig;
let acme: IdentityClients;
let globex: IdentityClients;
beforeAll(async () => {
  administration = await startAdministrationRig();
  acme = administration.acme;
  globex = administration.rig.as({ apiKey: administration.rig.globex.apiKeySecret });
});
afterAll(async () => await administration[Symbol.asyncDispose]());
beforeEach(() => acme.apiKeys.setApiKeyPolicy({}));

async function newKey(clients: IdentityClients, end?: Date): Promise<ApiKey> {
  const expiry = end && { expiresAt: timestampFromDate(end) };
  const wanted = { name: "key", permissionIds: ["metrics:read"], ...expiry };
  const { apiKey } = await clients.apiKeys.createApiKey(wanted);
  return apiKey ?? Promise.reject(new Error("no key was made"));
}

async function readKey(clients: IdentityClients, { id: apiKeyId }: ApiKey): Promise<ApiKey> {
  const { apiKey } = await clients.apiKeys.getApiKey({ apiKeyId });
  return apiKey ?? Promise.reject(new Error("there is no key"));
}

const inAnHour = () => new Date(Date.now() + hour * 1_000);
const endOf = ({ expiresAt }: ApiKey) => expiresAt && timestampDate(expiresAt);

/** Seconds from a key's creation to its end. */
function lifetimeOf({ createdAt, expiresAt }: ApiKey): number | undefined {
  if (!createdAt || !expiresAt) return undefined;
  return Math.round((timestampDate(expiresAt).getTime() - timestampDate(createdAt).getTime()) / 1_000);
}

describe("an organisation without a longest life of keys", () => {
  it("has keys that do not end", async () => {
    expect((await acme.apiKeys.getApiKeyPolicy({})).policy?.maxLifetimeSeconds).toBeUndefined();
    expect(lifetimeOf(await newKey(acme))).toBeUndefined();
  });
});

describe("an organisation with a longest life of keys", () => {
  beforeEach(() => acme.apiKeys.setApiKeyPolicy({ maxLifetimeSeconds: 30 * day }));

  it("answers it", async () => {
    expect((await acme.apiKeys.getApiKeyPolicy({})).policy?.maxLifetimeSeconds).toBe(30 * day);
  });

  it("gives it to a key without an end, and leaves an earlier end as it is", async () => {
    expect(lifetimeOf(await newKey(acme))).toBe(30 * day);
    const end = inAnHour();
    expect(endOf(await newKey(acme, end))).toEqual(end);
  });

  it("refuses a later end, and names field, rule and number", async () => {
    expect(await failureOf(newKey(acme, new Date(Date.now() + 31 * day * 1_000)))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [["expires_at", "EXPIRY_TOO_LATE"]],
    });
  });

  it("lets a rotated key live as long as the one before was to live", async () => {
    for (const old of [await newKey(acme), await newKey(acme, inAnHour())]) {
      const { apiKey } = await acme.apiKeys.rotateApiKey({ apiKeyId: old.id });
      expect(apiKey && lifetimeOf(apiKey)).toBe(lifetimeOf(old));
    }
  });

  it("has no say over the keys of another organisation", async () => {
    expect(lifetimeOf(await newKey(globex))).toBeUndefined();
  });
});

describe("setting a longest life of keys", () => {
  it("ends the keys that are there by it, and none within the next day", async () => {
    const end = inAnHour();
    const [endless, short, foreign] = [await newKey(acme), await newKey(acme, end), await newKey(globex)];
    await acme.apiKeys.setApiKeyPolicy({ maxLifetimeSeconds: 30 * day });
    expect(lifetimeOf(await readKey(acme, endless))).toBe(30 * day);
    expect(endOf(await readKey(acme, short))).toEqual(end);
    expect(lifetimeOf(await readKey(globex, foreign))).toBeUndefined();
    await acme.apiKeys.setApiKeyPolicy({ maxLifetimeSeconds: hour });
    const lifetime = lifetimeOf(await readKey(acme, endless)) ?? 0;
    expect(lifetime).toBeGreaterThanOrEqual(day);
    expect(lifetime).toBeLessThan(day + hour);
  });

  it("needs a permission that managing keys does not include", async () => {
    const manager = await administration.limitedTo("apikeys:manage");
    expect(await failureOf(manager.apiKeys.setApiKeyPolicy({}))).toMatchObject({
      code: Code.PermissionDenied,
      metadata: { permission: "apikeys:policy" },
    });
    await expect(manager.apiKeys.getApiKeyPolicy({})).resolves.toBeDefined();
  });

  it.each([hour - 1, 11 * 365 * day])("refuses %i seconds", async (maxLifetimeSeconds) => {
    expect((await failureOf(acme.apiKeys.setApiKeyPolicy({ maxLifetimeSeconds }))).code).toBe(Code.InvalidArgument);
  });
});
