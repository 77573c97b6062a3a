import { randomUUID } from "node:crypto";
import { AutomationService, AutomationVersionStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { FeatureMemoryService, FeatureStatus } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { AutomationPublishedSchema, FeatureDeprecatedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { failureOf } from "@aiplatform/testkit";
import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

let rig: ContentRig;
let organisationId: string;

beforeAll(async () => {
  rig = await ContentRig.start({ replicas: 2 });
});
afterAll(async () => rig[Symbol.asyncDispose]());
beforeEach(() => {
  organisationId = randomUUID();
});

const automations = (replica = 0) => rig.as({ organisationId }, replica).client(AutomationService);
const memory = (replica = 0) => rig.as({ organisationId }, replica).client(FeatureMemoryService);

const newAutomation = async (name = "Retrain") => (await automations().createAutomation({ name })).automation?.id ?? "";

const step = (key: string, text = "Hello", featureKeys: string[] = []) => ({
  key,
  name: `Step ${key}`,
  promptTemplate: { text: JSON.stringify({ type: "prompt", text }) },
  featureKeys,
});

const save = async (automationId: string, ...steps: ReturnType<typeof step>[]) => {
  const stepTransitions = steps
    .slice(1)
    .map(({ key }, index) => ({ source: steps[index]?.key ?? "", target: key, label: "ok" }));
  return (await automations().saveAutomationDraft({ automationId, steps, stepTransitions })).version;
};

const publish = async (automationId: string, replica = 0) =>
  (await automations(replica).publishAutomation({ automationId, ifMatch: "*" })).automation;

const remove = async (featureKey: string, replica = 0) => (await memory(replica).deleteFeature({ featureKey })).result;

/** An automation whose published version uses the feature. */
async function userOf(featureKey: string): Promise<string> {
  const automationId = await newAutomation();
  await save(automationId, step("a", `{{ features['${featureKey}'] }}`));
  await publish(automationId);
  return automationId;
}

async function announced() {
  const records = rig.store.database.collection("outbox").find({ organisation_id: organisationId });
  return records.sort({ staged_at: 1, _id: 1 }).toArray();
}

const announcedTypes = async () =>
  (await announced()).map(({ type }) => String(type).replace("aiplatform.content.automation.", ""));

const notFound = { code: Code.NotFound, reason: "NOT_FOUND", message: "Not found" };

describe("an automation", () => {
  it("has no version until one is published", async () => {
    const id = await newAutomation();
    await save(id, step("a"));
    const { automation } = await automations().getAutomation({ automationId: id.toUpperCase() });
    expect(automation).toMatchObject({ id, name: "Retrain", description: "", organisationId });
    expect(automation?.currentVersion).toBeUndefined();
  });

  it("is made once for one key", async () => {
    const wanted = { name: "Retrain", idempotencyKey: randomUUID() };
    const first = await automations(0).createAutomation(wanted);
    expect(await automations(1).createAutomation(wanted)).toEqual(first);
    expect((await automations().listAutomations({})).automations).toHaveLength(1);
    expect(await announcedTypes()).toEqual(["created.v1"]);
  });

  it("is not found by another organisation", async () => {
    const automationId = await newAutomation();
    const stranger = rig.as({ organisationId: rig.globex }).client(AutomationService);
    const draft = { automationId, steps: [step("a")] };
    expect(await failureOf(stranger.getAutomation({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.saveAutomationDraft(draft))).toMatchObject(notFound);
    expect(await failureOf(stranger.publishAutomation({ automationId, ifMatch: "*" }))).toMatchObject(notFound);
    expect(await failureOf(stranger.listAutomationVersions({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(stranger.deleteAutomation({ automationId }))).toMatchObject(notFound);
    expect((await stranger.listAutomations({})).automations).toEqual([]);
  });

  it("is gone with its versions and its uses of features", async () => {
    await memory().putFeature({ featureKey: "age" });
    const automationId = await userOf("age");
    expect((await automations().deleteAutomation({ automationId })).automation).toMatchObject({ id: automationId });
    expect(await failureOf(automations().getAutomation({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(automations().listAutomationVersions({ automationId }))).toMatchObject(notFound);
    expect(await failureOf(automations().deleteAutomation({ automationId }))).toMatchObject(notFound);
    const left = rig.store.database.collection("automation_versions").countDocuments({ automation_id: automationId });
    expect(await left).toBe(0);
    expect(await remove("age")).toMatchObject({ hardDeleted: true });
    expect((await announcedTypes()).at(-2)).toBe("deleted.v1");
  });
});

describe("the list", () => {
  it("is by creation, page after page, each with its published version", async () => {
    const ids: string[] = [];
    for (const name of ["c", "a", "b"]) ids.push(await newAutomation(name));
    await save(ids[1] ?? "", step("a"));
    await publish(ids[1] ?? "");
    const first = await automations().listAutomations({ limit: 2 });
    const second = await automations().listAutomations({ limit: 2, cursor: first.nextCursor });
    expect([first, second].map((page) => page.automations.map(({ id }) => id))).toEqual([
      ids.slice(0, 2),
      ids.slice(2),
    ]);
    expect(first.automations.map(({ currentVersion }) => currentVersion?.steps.length)).toEqual([undefined, 1]);
    expect(second.nextCursor).toBe("");
  });

  it("ends a page early where automations are large", async () => {
    const large = Array.from({ length: 45 }, (_, index) => step(`s${index}`, "ü".repeat(19_000)));
    const ids = await Promise.all(Array.from({ length: 4 }, () => newAutomation()));
    for (const id of ids) {
      await save(id, ...large);
      await publish(id);
    }
    let [cursor, pages, count] = ["", 0, 0];
    do {
      const page = await automations().listAutomations({ cursor });
      [cursor, pages, count] = [page.nextCursor, pages + 1, count + page.automations.length];
    } while (cursor !== "");
    expect([pages, count]).toEqual([2, 4]);
  });
});

describe("a draft", () => {
  it("is answered with its features and variables, steps and transitions in their order", async () => {
    const automationId = await newAutomation();
    const version = await save(automationId, step("b", "{{ x.y }}", ["mean"]), step("a", "{{ features.age }}"));
    expect(version).toMatchObject({
      status: AutomationVersionStatus.DRAFT,
      featureKeys: ["age", "mean"],
      variables: ["features.age", "x.y"],
      version: { automationId, steps: [{ name: "Step b" }, { name: "Step a" }] },
    });
    const [b, a] = version?.version?.steps ?? [];
    expect(version?.version?.stepTransitions).toMatchObject([
      { sourceStepId: b?.id, targetStepId: a?.id, label: "ok" },
    ]);
    expect(b?.promptTemplate?.text).toBe('{"type":"prompt","text":"{{ x.y }}"}');
  });

  it("that is the same already is no change", async () => {
    const automationId = await newAutomation();
    const first = await save(automationId, step("a"), step("b"));
    expect(await save(automationId, step("a"), step("b"))).toEqual(first);
    expect(await announcedTypes()).toEqual(["created.v1", "draft_saved.v1"]);
  });

  it("keeps its id, and those of steps whose key stays, also over a publication", async () => {
    const automationId = await newAutomation();
    const first = await save(automationId, step("a"), step("b"));
    const second = await save(automationId, step("a", "Bye"), step("c"));
    await publish(automationId);
    const third = await save(automationId, step("c"), step("a", "Bye"));
    const idsOf = (entry: typeof first) => entry?.version?.steps.map(({ id }) => id) ?? [];
    expect(second?.version?.id).toBe(first?.version?.id);
    expect(third?.version?.id).not.toBe(first?.version?.id);
    expect(idsOf(second)[0]).toBe(idsOf(first)[0]);
    expect(idsOf(third)).toEqual(idsOf(second).toReversed());
  });

  it("is refused with the place of each mistake, and nothing is kept of it", async () => {
    const automationId = await newAutomation();
    const stepTransitions = [
      { source: "a", target: "a", label: "x" },
      { source: "a", target: "b", label: "y" },
      { source: "b", target: "c", label: "z" },
      { source: "c", target: "b", label: "z" },
    ];
    const steps = [step("a", "{{ x "), step("b"), step("c"), step("d")];
    expect(await failureOf(automations().saveAutomationDraft({ automationId, steps, stepTransitions }))).toMatchObject({
      code: Code.InvalidArgument,
      fields: [
        ["step_transitions[0].target", "SELF_LOOP"],
        ["steps[3].key", "UNREACHABLE_STEP"],
        ["step_transitions[3].target", "CYCLE"],
        ["steps[0].prompt_template.text", "TEMPLATE_INVALID"],
      ],
    });
    expect((await automations().listAutomationVersions({ automationId })).versions).toEqual([]);
  });

  it("saved from everywhere at once is one draft", async () => {
    const automationId = await newAutomation();
    const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`);
    const saved = await Promise.all(
      texts.map((text, index) =>
        automations(index % 2).saveAutomationDraft({ automationId, steps: [step("a", text)] }),
      ),
    );
    expect(new Set(saved.map(({ version }) => version?.version?.id)).size).toBe(1);
    expect((await automations().listAutomationVersions({ automationId })).versions).toHaveLength(1);
  });
});

describe("publishing", () => {
  it("makes the draft the version in use, and the one before superseded", async () => {
    const automationId = await newAutomation();
    const first = await save(automationId, step("a"));
    expect(await publish(automationId)).toMatchObject({ currentVersion: { id: first?.version?.id } });
    const second = await save(automationId, step("a", "Bye"));
    expect((await automations().getAutomation({ automationId })).automation?.currentVersion?.id).toBe(
      first?.version?.id,
    );
    await publish(automationId);
    const { versions } = await automations().listAutomationVersions({ automationId });
    expect(versions.map(({ version, status }) => [version?.id, status])).toEqual([
      [second?.version?.id, AutomationVersionStatus.PUBLISHED],
      [first?.version?.id, AutomationVersionStatus.SUPERSEDED],
    ]);
    expect((await announcedTypes()).filter((type) => type === "published.v1")).toHaveLength(2);
  });

  it("needs a draft", async () => {
    const automationId = await newAutomation();
    const missing = { code: Code.FailedPrecondition, reason: "DRAFT_MISSING" };
    expect(await failureOf(publish(automationId))).toMatchObject(missing);
    await save(automationId, step("a"));
    await publish(automationId);
    expect(await failureOf(publish(automationId))).toMatchObject(missing);
  });

  it("needs every feature that it uses, and names those that are missing or deprecated", async () => {
    for (const featureKey of ["age", "old"]) await memory().putFeature({ featureKey });
    await memory().deleteFeature({ featureKey: "old", keep: true });
    const automationId = await newAutomation();
    await save(automationId, step("a", "{{ features.age }}", ["old", "nowhere"]));
    expect(await failureOf(publish(automationId))).toMatchObject({
      code: Code.FailedPrecondition,
      reason: "FEATURES_UNAVAILABLE",
      message: 'These features are not there, or deprecated: "nowhere", "old"',
    });
    expect((await automations().getAutomation({ automationId })).automation?.currentVersion).toBeUndefined();
    expect((await memory().listFeatureUsages({ featureKey: "age" })).usages).toEqual([]);
  });

  it("announces the features in use", async () => {
    await memory().putFeature({ featureKey: "age" });
    const automationId = await userOf("age");
    const event = fromBinary(AutomationPublishedSchema, (await announced()).at(-1)?.["data"].value());
    expect(event).toMatchObject({ organisationId, automationId, featureKeys: ["age"] });
  });

  it("lists versions page after page", async () => {
    const automationId = await newAutomation();
    for (const text of ["1", "2", "3"]) {
      await save(automationId, step("a", text));
      await publish(automationId);
    }
    const first = await automations().listAutomationVersions({ automationId, limit: 2 });
    const second = await automations().listAutomationVersions({ automationId, limit: 2, cursor: first.nextCursor });
    const texts = [first, second].map(({ versions }) =>
      versions.map(({ version }) => JSON.parse(version?.steps[0]?.promptTemplate?.text ?? "").text),
    );
    expect(texts).toEqual([["3", "2"], ["1"]]);
    expect(second.nextCursor).toBe("");
  });
});

describe("a feature that a published automation uses", () => {
  beforeEach(() => memory().putFeature({ featureKey: "age" }));

  it("is deprecated, and the automation is listed and told of", async () => {
    const automationId = await userOf("age");
    expect(await remove("age")).toMatchObject({
      hardDeleted: false,
      status: FeatureStatus.DEPRECATED,
      impactWarning: {
        affectedAssets: [
          { assetType: "automation", assetId: automationId, assetName: "Retrain", usageNotes: "Steps: Step a" },
        ],
      },
    });
    const event = fromBinary(FeatureDeprecatedSchema, (await announced()).at(-1)?.["data"].value());
    expect(event).toMatchObject({ featureKey: "age", automationIds: [automationId] });
  });

  it("is free again once another version is published without it", async () => {
    const automationId = await userOf("age");
    const [before] = (await memory().listFeatureUsages({ featureKey: "age" })).usages;
    await memory().putFeature({ featureKey: "mean" });
    await save(automationId, step("a", "{{ features.age }}"), step("b", "{{ features.mean }}"));
    await publish(automationId);
    const [after] = (await memory().listFeatureUsages({ featureKey: "age" })).usages;
    expect(after).toEqual(before);
    await save(automationId, step("a", "{{ features.mean }}"));
    await publish(automationId);
    expect(await remove("age")).toMatchObject({ hardDeleted: true });
    expect((await memory().listFeatureUsages({ featureKey: "mean" })).usages).toMatchObject([
      { assetId: automationId, usageNotes: "Steps: Step a" },
    ]);
  });

  it("is not in use by a draft", async () => {
    await save(await newAutomation(), step("a", "{{ features.age }}"));
    expect(await remove("age")).toMatchObject({ hardDeleted: true });
  });
});

describe("publishing a draft while another replaces it", () => {
  it("publishes the one that was read, or none", async () => {
    for (let round = 0; round < 8; round++) {
      const automationId = await newAutomation();
      const read = await save(automationId, step("a", "read"));
      const ifMatch = `"${read?.revision}"`;
      const [published] = await Promise.allSettled([
        automations(0).publishAutomation({ automationId, ifMatch }),
        save(automationId, step("a", "swapped")),
      ]);
      const { automation } = await automations().getAutomation({ automationId });
      const texts = automation?.currentVersion?.steps.map(({ promptTemplate }) => promptTemplate?.text) ?? [];
      const isPublished = published.status === "fulfilled";
      expect(texts).toEqual(isPublished ? [step("a", "read").promptTemplate.text] : []);
      if (!isPublished)
        expect(await failureOf(Promise.reject(published.reason))).toMatchObject({ reason: "ETAG_MISMATCH" });
    }
  });
});

describe("publishing and deleting a feature at the same time", () => {
  it("lets one of the two win, never both", async () => {
    const rounds = Array.from({ length: 30 }, (_, index) => `f${index}`);
    const drafts = await Promise.all(
      rounds.map(async (featureKey) => {
        await memory().putFeature({ featureKey });
        const automationId = await newAutomation(featureKey);
        await save(automationId, step("a", `{{ features.${featureKey} }}`));
        return { featureKey, automationId };
      }),
    );
    const ends = new Set<string>();
    for (const { featureKey, automationId } of drafts) {
      const [published, removed] = await Promise.allSettled([publish(automationId, 0), remove(featureKey, 1)]);
      if (removed.status === "rejected") throw removed.reason;
      const { automation } = await automations().getAutomation({ automationId });
      const isPublished = automation?.currentVersion !== undefined;
      expect(isPublished).toBe(published.status === "fulfilled");
      ends.add(`${isPublished ? "published" : "refused"}, ${removed.value?.hardDeleted ? "deleted" : "deprecated"}`);
      expect(removed.value?.impactWarning?.affectedAssets).toHaveLength(isPublished ? 1 : 0);
    }
    expect(["published, deprecated", "refused, deleted"]).toEqual(expect.arrayContaining([...ends]));
  });

  it("leaves no version in use whose feature is gone, however often callers try", async () => {
    await memory().putFeature({ featureKey: "hot" });
    const ids = await Promise.all(Array.from({ length: 8 }, () => newAutomation()));
    for (const id of ids) await save(id, step("a", "{{ features.hot }}"));
    await Promise.allSettled([
      ...ids.slice(0, 4).map((id, index) => publish(id, index % 2)),
      ...Array.from({ length: 4 }, (_, index) => remove("hot", index % 2)),
      ...ids.slice(4).map((id, index) => publish(id, index % 2)),
    ]);
    const { automations: all } = await automations().listAutomations({});
    const users = all.filter(({ currentVersion }) => currentVersion !== undefined).map(({ id }) => id);
    const known = await memory()
      .listFeatureUsages({ featureKey: "hot" })
      .then(
        ({ usages }) => usages.map(({ assetId }) => assetId),
        () => "gone",
      );
    expect(known === "gone" ? users : [...users].sort()).toEqual(known === "gone" ? [] : [...known].sort());
  });
});
