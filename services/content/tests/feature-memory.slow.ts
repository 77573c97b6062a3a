import { randomUUID } from "node:crypto";
import { FeatureMemoryService, FeatureStatus } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { FeatureDeprecatedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { failureOf } from "@aiplatform/testkit";
import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
let organisationId: string;
let key: string;

beforeAll(async () => {
  rig = await ContentRig.start({ replicas: 2 });
});
afterAll(async () => rig[Symbol.asyncDispose]());
beforeEach(() => {
  organisationId = randomUUID();
  key = `customer/age ${randomUUID()}`;
});

const memory = (replica = 0) => rig.as({ organisationId }, replica).client(FeatureMemoryService);

interface Said {
  assetType?: string;
  featureKey?: string;
  assetId?: string;
  assetName?: string;
  usageNotes?: string;
  annotations?: { text: string };
}

const asset = () => ({ featureKey: key, assetType: "notebook", assetId: "m1" });

const use = (more: Said = {}) => ({ ...asset(), assetName: "Churn", ...more });

const put = async (more: { replacementKey?: string; description?: string } = {}) =>
  (await memory().putFeature({ featureKey: key, ...more })).feature;

const remove = async (more: { dryRun?: boolean; keep?: boolean } = {}) =>
  (await memory().deleteFeature({ featureKey: key, ...more })).result;

/** What the organisation's changes announced, in their order. */
async function announced() {
  const records = rig.store.database.collection("outbox").find({ organisation_id: organisationId });
  return records.sort({ staged_at: 1, _id: 1 }).toArray();
}

const announcedTypes = async () =>
  (await announced()).map(({ type }) => String(type).replace("aiplatform.content.feature.", ""));

const notFound = { code: Code.NotFound, reason: "NOT_FOUND", message: "Not found" };

describe("a feature that nothing uses", () => {
  beforeEach(() => put());

  it("is deleted for good", async () => {
    expect(await remove()).toMatchObject({
      key,
      hardDeleted: true,
      status: FeatureStatus.DELETED,
      version: 1n,
      impactWarning: { message: `Nothing uses the feature "${key}": it is deleted.`, affectedAssets: [] },
    });
    expect(await failureOf(memory().getFeature({ featureKey: key }))).toMatchObject(notFound);
    expect(await failureOf(remove())).toMatchObject(notFound);
    expect(await failureOf(memory().restoreFeature({ featureKey: key }))).toMatchObject(notFound);
    expect(await failureOf(memory().putFeatureUsage(use()))).toMatchObject(notFound);
    expect(await announcedTypes()).toEqual(["put.v1", "deleted.v1"]);
  });

  it("may be made again, with another id and a version above the last one", async () => {
    const first = await put();
    await put({ description: "in years" });
    await remove();
    const second = await put();
    expect(second).toMatchObject({ key, version: 3n, status: FeatureStatus.ACTIVE, description: "" });
    expect(second?.id).not.toBe(first?.id);
    await remove();
    expect(await put()).toMatchObject({ version: 4n });
  });

  it("is only deprecated when the caller wants it kept, and stays so when asked again", async () => {
    const kept = { hardDeleted: false, status: FeatureStatus.DEPRECATED, version: 2n };
    expect(await remove({ keep: true })).toMatchObject(kept);
    expect(await remove({ keep: true })).toMatchObject(kept);
    expect(await announcedTypes()).toEqual(["put.v1", "deprecated.v1"]);
  });

  it("is left as it is by a dry run, which says what would be", async () => {
    const message = `Nothing uses the feature "${key}": it would be deleted.`;
    expect(await remove({ dryRun: true })).toMatchObject({
      hardDeleted: false,
      status: FeatureStatus.ACTIVE,
      version: 1n,
      impactWarning: { message, affectedAssets: [] },
    });
    expect(await announcedTypes()).toEqual(["put.v1"]);
  });
});

describe("a feature in use", () => {
  beforeEach(async () => {
    await put();
    await memory().putFeatureUsage(use());
  });

  it("is deprecated, and what uses it is listed", async () => {
    const { feature } = await memory().getFeature({ featureKey: key });
    expect(await remove()).toMatchObject({
      hardDeleted: false,
      status: FeatureStatus.DEPRECATED,
      version: 2n,
      impactWarning: {
        message: `1 asset uses the feature "${key}": it is deprecated, not deleted.`,
        affectedAssets: [{ assetType: "notebook", assetId: "m1", assetName: "Churn", featureId: feature?.id }],
      },
    });
    expect((await memory().getFeature({ featureKey: key })).feature).toMatchObject({
      status: FeatureStatus.DEPRECATED,
      deprecatedAt: { seconds: expect.any(BigInt) },
    });
  });

  it("is not deprecated again, but what uses it is looked up again", async () => {
    await remove();
    await memory().putFeatureUsage(use({ assetName: "Churn 2" }));
    expect(await remove()).toMatchObject({
      version: 2n,
      status: FeatureStatus.DEPRECATED,
      impactWarning: { affectedAssets: [{ assetName: "Churn 2" }] },
    });
    expect((await announcedTypes()).filter((type) => type === "deprecated.v1")).toHaveLength(1);
  });

  it("is deleted by the next call once no asset uses it", async () => {
    await remove();
    await memory().deleteFeatureUsage(asset());
    expect(await remove()).toMatchObject({ hardDeleted: true, status: FeatureStatus.DELETED, version: 2n });
  });

  it("is left as it is by a dry run", async () => {
    expect(await remove({ dryRun: true })).toMatchObject({
      hardDeleted: false,
      status: FeatureStatus.ACTIVE,
      version: 1n,
      impactWarning: {
        message: `1 asset uses the feature "${key}": it would be deprecated, not deleted.`,
        affectedAssets: [{ assetId: "m1" }],
      },
    });
  });

  it("lists a thousand of what uses it and counts all", async () => {
    const { feature } = await memory().getFeature({ featureKey: key });
    const many = Array.from({ length: 1_203 }, (_, index) => ({
      _id: randomUUID(),
      organisation_id: organisationId,
      feature_id: feature?.id ?? "",
      feature_key: key,
      asset_type: "notebook",
      asset_id: `n${index}`,
      asset_name: `Name ${String(index).padStart(4, "0")}`,
      usage_notes: "",
      annotations: "{}",
      created_at: new Date(),
      updated_at: new Date(),
      created_by_member_id: null,
      updated_by_member_id: null,
    }));
    await rig.store.database.collection<(typeof many)[number]>("feature_usages").insertMany(many);
    const impact = (await remove())?.impactWarning;
    expect(impact?.message).toContain("1204 assets use");
    expect(impact?.affectedAssets).toHaveLength(1_000);
    expect(impact?.affectedAssets[0]).toMatchObject({ assetName: "Churn" });
    expect(impact?.affectedAssets.at(-1)).toMatchObject({ assetName: "Name 0998" });
  });

  it("is not affected by calls of another organisation", async () => {
    const stranger = rig.as({ organisationId: rig.globex }).client(FeatureMemoryService);
    expect(await failureOf(stranger.deleteFeature({ featureKey: key }))).toMatchObject(notFound);
    await stranger.putFeature({ featureKey: key });
    const { result } = await stranger.deleteFeature({ featureKey: key });
    expect(result).toMatchObject({ hardDeleted: true, impactWarning: { affectedAssets: [] } });
    expect((await memory().getFeature({ featureKey: key })).feature).toMatchObject({ version: 1n });
  });
});

describe("a deprecated feature", () => {
  beforeEach(async () => {
    await put();
    await memory().putFeatureUsage(use());
    await remove();
  });

  it("takes no new uses, and says what to use instead", async () => {
    await memory().putFeature({ featureKey: `${key} 2` });
    await put({ replacementKey: `${key} 2` });
    expect(await failureOf(memory().putFeatureUsage(use({ assetId: "m2" })))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "FEATURE_DEPRECATED",
      message: expect.stringContaining(`use "${key} 2" instead`),
    });
  });

  it("is restored once, with a version of its own", async () => {
    const { feature } = await memory().restoreFeature({ featureKey: key });
    const active = { status: FeatureStatus.ACTIVE, version: 3n };
    expect(feature).toMatchObject(active);
    expect(feature?.deprecatedAt).toBeUndefined();
    expect((await memory().restoreFeature({ featureKey: key })).feature).toEqual(feature);
    expect((await announcedTypes()).filter((type) => type === "restored.v1")).toHaveLength(1);
  });

  it("announces its replacement with its deprecation", async () => {
    await memory().putFeature({ featureKey: `${key} 2` });
    await put({ replacementKey: `${key} 2` });
    await memory().restoreFeature({ featureKey: key });
    await remove();
    const last = (await announced()).at(-1);
    expect(fromBinary(FeatureDeprecatedSchema, last?.["data"].value())).toMatchObject({
      organisationId,
      featureKey: key,
      version: 5n,
      automationIds: [],
      replacementKey: `${key} 2`,
    });
  });
});

describe("writing a feature", () => {
  it("makes a version of each change, and none of a repeat", async () => {
    const texts = { description: "in years", usageNotes: "round down" };
    const first = await put();
    const second = (await memory().putFeature({ featureKey: key, ...texts })).feature;
    const third = (await memory().putFeature({ featureKey: key, ...texts })).feature;
    expect(second).toMatchObject({ ...texts, id: first?.id, version: 2n, createdAt: first?.createdAt });
    expect(third).toEqual(second);
    expect(await announcedTypes()).toEqual(["put.v1", "put.v1"]);
  });

  it("changes it under a condition only while it has that tag, and answers a repeat whose first answer was lost", async () => {
    const mismatch = { code: Code.FailedPrecondition, reason: "ETAG_MISMATCH" };
    const write = (description: string, ifMatch: string) =>
      memory().putFeature({ featureKey: key, description, ifMatch });
    expect(await failureOf(write("one", '"1"'))).toMatchObject(mismatch);
    await write("one", '"0"');
    expect(await failureOf(write("two", '"0"'))).toMatchObject(mismatch);
    expect((await write("two", '"1"')).feature).toMatchObject({ version: 2n });
    expect((await write("two", '"1"')).feature).toMatchObject({ version: 2n });
    expect(await failureOf(write("three", '"1"'))).toMatchObject(mismatch);
    let tag: string | null = null;
    await memory().getFeature({ featureKey: key }, { onHeader: (header) => (tag = header.get("etag")) });
    expect(tag).toBe('"2"');
  });

  it("refuses to let it replace itself", async () => {
    expect(await failureOf(put({ replacementKey: key }))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [["replacement_key", "REPLACES_ITSELF"]],
    });
  });

  it("refuses a replacement that is not there", async () => {
    expect(await failureOf(put({ replacementKey: "nowhere" }))).toMatchObject(notFound);
  });

  it("at the same time from everywhere makes one feature, each change once", async () => {
    const all = Array.from({ length: 20 }, (_, index) =>
      memory(index % 2).putFeature({ featureKey: key, description: `text ${index}` }),
    );
    const versions = (await Promise.all(all)).map(({ feature }) => Number(feature?.version));
    expect(versions.sort((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

describe("the list of features", () => {
  it("is by key, page after page", async () => {
    for (const featureKey of ["b", "a", "c", "B"]) await memory().putFeature({ featureKey });
    const first = await memory().listFeatures({ limit: 3 });
    const second = await memory().listFeatures({ limit: 3, cursor: first.nextCursor });
    const keys = [first, second].map(({ features }) => features.map((feature) => feature.key));
    expect(keys).toEqual([["B", "a", "b"], ["c"]]);
    expect(second.nextCursor).toBe("");
  });

  it("refuses a place that it has not given out", async () => {
    expect(await failureOf(memory().listFeatures({ cursor: "nonsense" }))).toMatchObject({
      fields: [["cursor", "CURSOR_INVALID"]],
    });
  });
});

describe("a use", () => {
  beforeEach(() => put());

  it("is remembered with who said so, and repeats change nothing", async () => {
    const memberId = randomUUID();
    const member = rig.as({ organisationId, memberId }).client(FeatureMemoryService);
    const said = use({ usageNotes: "as a bucket", annotations: { text: '{"w": 1.50}' } });
    const { usage } = await member.putFeatureUsage(said);
    const { featureKey: _, ...kept } = said;
    expect(usage).toMatchObject({ ...kept, createdByMemberId: memberId, organisationId });
    expect((await memory().putFeatureUsage(said)).usage).toEqual(usage);
    const changed = await memory().putFeatureUsage({ ...said, usageNotes: "" });
    expect(changed.usage).toMatchObject({ id: usage?.id, createdByMemberId: memberId });
    expect(changed.usage?.updatedByMemberId).toBeUndefined();
    expect(await announcedTypes()).toEqual(["put.v1", "usage_put.v1", "usage_put.v1"]);
  });

  it("is forgotten once", async () => {
    await memory().putFeatureUsage(use());
    expect((await memory().deleteFeatureUsage(asset())).usage).toMatchObject({ assetId: "m1" });
    expect(await failureOf(memory().deleteFeatureUsage(asset()))).toMatchObject(notFound);
    expect(await announcedTypes()).toEqual(["put.v1", "usage_put.v1", "usage_deleted.v1"]);
  });

  it("of an asset whose service is not set up here is refused", async () => {
    expect(await failureOf(memory().putFeatureUsage(use({ assetType: "model" })))).toMatchObject({
      fields: [["asset_id", "ASSET_UNKNOWN"]],
    });
  });

  it("is listed by name, page after page", async () => {
    for (const [assetId, assetName] of [
      ["1", "b"],
      ["2", "a"],
      ["3", "a"],
    ]) {
      await memory().putFeatureUsage(use({ assetId: assetId ?? "", assetName: assetName ?? "" }));
    }
    const first = await memory().listFeatureUsages({ featureKey: key, limit: 2 });
    const second = await memory().listFeatureUsages({ featureKey: key, limit: 2, cursor: first.nextCursor });
    expect(first.usages.map(({ assetName }) => assetName)).toEqual(["a", "a"]);
    expect(second.usages.map(({ assetName }) => assetName)).toEqual(["b"]);
    expect(second.nextCursor).toBe("");
  });

  it("has annotations of 16 KiB at most", async () => {
    const annotations = { text: JSON.stringify({ much: "x".repeat(16_384) }) };
    expect(await failureOf(memory().putFeatureUsage(use({ annotations })))).toMatchObject({
      fields: [["annotations", "ANNOTATIONS_TOO_LONG"]],
    });
  });

  it.each(["nonsense", "[1]", "null"])("has annotations that are a JSON object, not %s", async (text) => {
    expect(await failureOf(memory().putFeatureUsage(use({ annotations: { text } })))).toMatchObject({
      fields: [["annotations", "JSON_OBJECT_EXPECTED"]],
    });
  });

  it("and a deletion of the same instant: one of the two wins, never both", async () => {
    const ends = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const featureKey = `${key} ${index}`;
        await memory().putFeature({ featureKey });
        const [used, deleted] = await Promise.allSettled([
          memory(0).putFeatureUsage(use({ featureKey })),
          memory(1).deleteFeature({ featureKey }),
        ]);
        if (deleted.status === "rejected") throw deleted.reason;
        return `${used.status} ${deleted.value.result?.hardDeleted ? "deleted" : "deprecated"}`;
      }),
    );
    expect(["fulfilled deprecated", "rejected deleted"]).toEqual(expect.arrayContaining([...new Set(ends)]));
  });
});
