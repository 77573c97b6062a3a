import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministrationRig, startAdministrationRig } from "./administration-rig.ts";

let administration: AdministrationRig;
beforeAll(async () => {
  const quotas = { members: 4, api_keys: 3 };
  administration = await startAdministrationRig({ settings: { QUOTAS: JSON.stringify(quotas) } });
});
afterAll(() => administration?.[Symbol.asyncDispose]());

/** Adds members until one is refused, and answers those who were added. */
async function fillMembers(): Promise<string[]> {
  const added: string[] = [];
  for (;;) {
    const outcome = await administration.newMember("new").catch(() => undefined);
    if (outcome === undefined) return added;
    added.push(outcome);
  }
}

describe("an organisation with as many members as its quota", () => {
  it("is refused another, with both figures, until one is deactivated", async () => {
    const { acme } = administration;
    const [memberId = ""] = await fillMembers();
    expect(await failureOf(administration.newMember("another"))).toMatchObject({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      message: "The organisation has 4 of 4 members. Deactivate one, or ask the operator for a higher quota.",
      metadata: { quota: "members", limit: "4", used: "4", asked: "1" },
    });
    await acme.members.deactivateMember({ memberId });
    const successor = await administration.newMember("successor");
    expect((await failureOf(acme.members.reactivateMember({ memberId }))).reason).toBe("QUOTA_EXCEEDED");
    await acme.members.deactivateMember({ memberId: successor });
    await acme.members.reactivateMember({ memberId });
  });
});

describe("an organisation with as many API keys as its quota", () => {
  it("is refused another, and a rotation, until one is revoked", async () => {
    const { acme } = administration;
    const create = () => acme.apiKeys.createApiKey({ name: "key", permissionIds: ["metrics:read"] });
    const made: string[] = [];
    let refused: Awaited<ReturnType<typeof failureOf>> | undefined;
    while (!refused) {
      await create().then(
        ({ apiKey }) => made.push(apiKey?.id ?? ""),
        async (error: unknown) => {
          refused = await failureOf(Promise.reject(error));
        },
      );
    }
    expect(refused).toMatchObject({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      metadata: { quota: "api_keys", limit: "3", used: "3", asked: "1" },
    });
    const [first = "", second = ""] = made;
    expect((await failureOf(acme.apiKeys.rotateApiKey({ apiKeyId: first }))).reason).toBe("QUOTA_EXCEEDED");
    await acme.apiKeys.revokeApiKey({ apiKeyId: second });
    await acme.apiKeys.rotateApiKey({ apiKeyId: first, overlapSeconds: 0 });
    // The rotated key has ended.
    await create();
  });
});
