import { randomUUID } from "node:crypto";
import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmailRig } from "./email-rig.ts";

let rig: EmailRig;
beforeAll(async () => {
  rig = await EmailRig.start();
});
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
});

const notFound = { code: Code.NotFound, reason: "NOT_FOUND", message: "Not found" };

describe("the owner of a feature", () => {
  const memory = (organisationId = rig.content.acme) =>
    rig.content.as({ organisationId, permissions: ["features:write"] }).client(FeatureMemoryService);
  const put = (ownerMemberId: string, featureKey: string = randomUUID()) =>
    memory().putFeature({ featureKey, ownerMemberId });

  it("is a member, active or not, and the caller needs no permission to read members", async () => {
    const ownerMemberId = await rig.member();
    await rig.members.deactivateMember({ memberId: ownerMemberId });
    expect((await put(ownerMemberId.toUpperCase())).feature).toMatchObject({ ownerMemberId, version: 1n });
  });

  it("cannot be an unknown id or another organisation's member", async () => {
    const ownerMemberId = await rig.member();
    const elsewhere = memory(rig.content.globex).putFeature({ featureKey: randomUUID(), ownerMemberId });
    expect(await failureOf(elsewhere)).toMatchObject(notFound);
    const featureKey = randomUUID();
    expect(await failureOf(put(randomUUID(), featureKey))).toMatchObject(notFound);
    expect(await failureOf(put(randomUUID(), featureKey))).toEqual(await failureOf(elsewhere));
    const { features } = await rig.content.as().client(FeatureMemoryService).listFeatures({});
    expect(features.map(({ key }) => key)).not.toContain(featureKey);
  });
});
