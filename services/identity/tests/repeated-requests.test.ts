import { randomUUID } from "node:crypto";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type IdentityClients, type IdentityRig, startIdentityRig } from "./identity-rig.ts";

let rig: IdentityRig;
let acme: IdentityClients;
let globex: IdentityClients;
beforeAll(async () => {
  rig = await startIdentityRig();
  acme = rig.as({ apiKey: rig.acme.apiKeySecret });
  globex = rig.as({ apiKey: rig.globex.apiKeySecret });
});
afterAll(async () => await rig[Symbol.asyncDispose]());

interface Wanted {
  name: string;
  slug: string;
  permissionIds: string[];
  idempotencyKey: string;
}

const wanted = (): Wanted => ({
  name: "Reviewer",
  slug: `reviewer-${randomUUID().slice(0, 8)}`,
  permissionIds: ["metrics:read"],
  idempotencyKey: randomUUID(),
});

/** Makes a role; answers it, and what the response says of being a repeat. */
async function createRole(clients: IdentityClients, request: Wanted) {
  let repeated: string | null = null;
  const onHeader = (header: Headers) => {
    repeated = header.get("idempotency-replayed");
  };
  const { role } = await clients.roles.createRole(request, { onHeader });
  return { role, repeated };
}

const slugsOf = async (clients: IdentityClients) => (await clients.roles.listRoles({})).roles.map(({ slug }) => slug);

describe("making a role with an idempotency key", () => {
  it("answers a repeat with the role that was made, and says so", async () => {
    const request = wanted();
    const first = await createRole(acme, request);
    const second = await createRole(acme, request);
    expect(first).toEqual({ role: expect.objectContaining({ slug: request.slug }), repeated: null });
    expect(second).toEqual({ role: first.role, repeated: "true" });
  });

  it("makes one role of twenty simultaneous requests", async () => {
    const request = wanted();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => createRole(acme, request)));
    const ids = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.role?.id] : []));
    expect(new Set(ids).size).toBe(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") {
        const failure = await failureOf(Promise.reject(outcome.reason));
        expect(failure).toMatchObject({ code: Code.Aborted, reason: "REQUEST_IN_FLIGHT" });
      }
    }
    expect((await slugsOf(acme)).filter((slug) => slug === request.slug)).toEqual([request.slug]);
  });

  it("is refused when the key was another request's, naming the key", async () => {
    const request = wanted();
    await createRole(acme, request);
    const failure = await failureOf(createRole(acme, { ...request, name: "Auditor" }));
    expect(failure).toMatchObject({
      code: Code.InvalidArgument,
      reason: "IDEMPOTENCY_KEY_REUSED",
      fields: [["idempotency_key", "IDEMPOTENCY_KEY_REUSED"]],
      message: "this idempotency key was already used for a different request",
    });
  });

  it("leaves the key free when the role is refused", async () => {
    const taken = wanted();
    await createRole(acme, taken);
    const request = { ...wanted(), slug: taken.slug };
    expect(await failureOf(createRole(acme, request))).toMatchObject({ reason: "SLUG_TAKEN" });
    const free = { ...request, slug: wanted().slug };
    expect(await createRole(acme, free)).toMatchObject({ role: { slug: free.slug }, repeated: null });
  });

  it("has nothing to do with the same key in another organisation", async () => {
    const request = wanted();
    const ours = await createRole(acme, request);
    const theirs = await createRole(globex, { ...request, name: "Theirs" });
    expect([theirs.repeated, theirs.role?.organisationId]).toEqual([null, rig.globex.organisation?.id]);
    expect(theirs.role?.id).not.toBe(ours.role?.id);
  });
});

describe("making a role without an idempotency key", () => {
  it("is a request of its own each time", async () => {
    const request = { ...wanted(), idempotencyKey: "" };
    await createRole(acme, request);
    expect(await failureOf(createRole(acme, request))).toMatchObject({ code: Code.AlreadyExists });
  });
});
