import { randomBytes } from "node:crypto";
import { RetryInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type { RunningService } from "@aiplatform/service-host";
import { failureOf } from "@aiplatform/testkit";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateApiKey } from "../src/api-keys/api-key.ts";
import { startIdentityService } from "../src/identity-service.ts";
import { clientsOf, type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";

/** The bad credential of an address that is not tried. */
const limit = 5;

let rig: IdentityRig;
let second: RunningService;
const clients = new AsyncDisposableStack();
let replicas: IdentityClients[];
/** A replica with each call, as different services ask. */
let asked = 0;

beforeAll(async () => {
  rig = await startIdentityRig({ settings: { FAILED_CREDENTIALS_PER_MINUTE: `${limit}` } });
  second = await startIdentityService(rig.config);
  const other = clientsOf(second, clients);
  replicas = [rig.as({}), other({}, "training"), rig.as({}, "deployments"), other({})];
});
afterAll(async () => {
  await clients.disposeAsync();
  await second[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

function exchange(sourceAddress: string, apiKey: string = generateApiKey(randomBytes)) {
  asked += 1;
  const client = replicas[asked % replicas.length]?.credentials;
  if (!client) throw new Error("there is no replica");
  return client.exchangeCredential({ apiKey, sourceAddress });
}

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );

async function codesOf(times: number, call: (time: number) => Promise<unknown>) {
  const codes: (string | undefined)[] = [];
  for (let time = 0; time < times; time += 1) codes.push(await codeOf(call(time)));
  return codes;
}

const tried = Array(limit - 1).fill("Unauthenticated");
const rejected = Array(limit).fill("ResourceExhausted");

describe("keys that are guessed from one address, at several services and replicas", () => {
  it("are rejected from the limit on, over all of them", async () => {
    expect(await codesOf(2 * limit - 1, () => exchange("203.0.113.1"))).toEqual([...tried, ...rejected]);
  });

  it("are told why, and when to come back", async () => {
    await codesOf(limit, () => exchange("203.0.113.2"));
    expect(await failureOf(exchange("203.0.113.2"))).toMatchObject({ reason: "TOO_MANY_FAILED_CREDENTIALS" });
    const error = await exchange("203.0.113.2").catch(ConnectError.from);
    const seconds = error instanceof ConnectError && error.findDetails(RetryInfoSchema)[0]?.retryDelay?.seconds;
    expect(Number(seconds)).toBeGreaterThan(30);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  });

  it("keep a good key of that address out that no service knows yet, and no other", async () => {
    await codesOf(limit, () => exchange("203.0.113.3"));
    const key = rig.acme.apiKeySecret;
    expect(await codeOf(exchange("203.0.113.3", key))).toBe("ResourceExhausted");
    expect(await codeOf(exchange("203.0.113.4", key))).toBe("OK");
    expect(await codeOf(exchange("", key))).toBe("OK");
  });

  it("are one source for all addresses of an IPv6 network of 64 bits", async () => {
    const codes = await codesOf(limit, (time) => exchange(`2001:db8:1:2::${time + 1}`));
    expect(codes).toEqual([...tried, "ResourceExhausted"]);
    expect(await codeOf(exchange("2001:db8:1:3::1"))).toBe("Unauthenticated");
  });

  it("get no more attempts than the limit at each replica when all are sent at once", async () => {
    const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(exchange("203.0.113.5"))));
    const attempts = codes.filter((code) => code === "Unauthenticated").length;
    expect(attempts).toBeGreaterThanOrEqual(limit - 1);
    expect(attempts).toBeLessThanOrEqual(2 * (limit - 1));
    expect(new Set(codes)).toEqual(new Set(["Unauthenticated", "ResourceExhausted"]));
  });
});

describe("good keys", () => {
  it("are not counted", async () => {
    expect(await codesOf(3 * limit, () => exchange("203.0.113.6", rig.acme.apiKeySecret))).toEqual(
      Array(3 * limit).fill("OK"),
    );
  });
});

describe("keys that are guessed at identity's own port", () => {
  it("are rejected from the limit on, at every replica", async () => {
    const guess = (time: number) => {
      const as = time % 2 === 0 ? rig.as : clientsOf(second, clients);
      return as({ apiKey: generateApiKey(randomBytes) }).roles.listRoles({});
    };
    expect(await codesOf(2 * limit - 1, guess)).toEqual([...tried, ...rejected]);
  });
});
