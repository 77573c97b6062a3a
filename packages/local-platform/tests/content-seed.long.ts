import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmailDraftStatus } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureStatus } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { createMeshTransport, type MeshTransport } from "@aiplatform/service-host";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LocalPlatform, startPlatform } from "../src/index.ts";
import { type ContentIds, seedContent } from "../src/seed/content-seed.ts";
import { as, type DemoClients, demoClients } from "../src/seed/demo-clients.ts";

let directory: string;
let platform: LocalPlatform;
let transports: MeshTransport[];
let clients: DemoClients;
let bearer: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "content-seed-"));
  platform = await startPlatform({ directory, trainer: false });
  const { grpc } = platform.description;
  bearer = platform.description.bearer;
  const to = (addresses: string) => createMeshTransport({ addresses, channels: 1 });
  const [identity, training, content, deployments, data] = [
    to(grpc.identity),
    to(grpc.training),
    to(grpc.content),
    to(grpc.deployments),
    to(grpc.data),
  ];
  transports = [identity, training, content, deployments, data];
  clients = demoClients({ identity, training, content, deployments, data });
}, 240_000);
afterAll(async () => {
  for (const transport of transports ?? []) transport.close();
  await platform?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** What the start left. */
function left(): ContentIds {
  const { dataset_id, automation_id, draft_id, feature_key } = platform.description;
  return { dataset_id, automation_id, draft_id, feature_key };
}

const seedAgain = (known: ContentIds | undefined) => seedContent(clients, { bearer, known });

describe("the content of the demo", () => {
  it("is the same from start to start, also when a start was cut short before it was noted", async () => {
    expect(await seedAgain(left())).toEqual(left());
    expect(await seedAgain(undefined)).toEqual(left());
  });

  it("is one of each, ready to be tried", async () => {
    const { automation } = await clients.automations.getAutomation({ automationId: left().automation_id }, as(bearer));
    expect(automation?.currentVersion?.steps).toHaveLength(1);
    const { draft } = await clients.drafts.getEmailDraft({ draftId: left().draft_id }, as(bearer));
    expect(draft).toMatchObject({ status: EmailDraftStatus.DRAFT, recipientMemberIds: [expect.any(String)] });
    const { usages } = await clients.features.listFeatureUsages({ featureKey: left().feature_key }, as(bearer));
    expect(usages).toMatchObject([{ assetType: "automation", assetId: left().automation_id }]);
    const dictionary = await clients.dictionaries.getDataDictionary({ datasetId: left().dataset_id }, as(bearer));
    expect(dictionary.entries).toHaveLength(3);
  });

  it("is there again after it was tried", async () => {
    const { dataset_id: datasetId, automation_id: automationId, draft_id: draftId, feature_key: featureKey } = left();
    await clients.drafts.sendEmailDraft({ draftId }, as(bearer));
    await clients.features.deleteFeature({ featureKey }, as(bearer));
    const entries = [{ name: "image", description: "28 by 28 pixels" }];
    await clients.dictionaries.patchDataDictionary({ datasetId, entries }, as(bearer));
    const second = await seedAgain(left());
    expect(second).toEqual({ ...left(), draft_id: expect.not.stringMatching(draftId) });
    expect((await clients.features.getFeature({ featureKey }, as(bearer))).feature?.status).toBe(FeatureStatus.ACTIVE);
    const kept = await clients.dictionaries.getDataDictionary({ datasetId }, as(bearer));
    expect(kept.entries).toMatchObject([{ name: "label" }, entries[0], { name: "ink_share" }]);

    await clients.automations.deleteAutomation({ automationId }, as(bearer));
    await clients.features.deleteFeature({ featureKey }, as(bearer));
    await clients.datasets.deleteDataset({ datasetId }, as(bearer));
    const third = await seedAgain(second);
    expect(third).toMatchObject({ draft_id: second.draft_id, feature_key: featureKey });
    expect([third.dataset_id, third.automation_id]).not.toEqual([datasetId, automationId]);
    expect(await seedAgain(third)).toEqual(third);
    const { usages } = await clients.features.listFeatureUsages({ featureKey }, as(bearer));
    expect(usages).toMatchObject([{ assetId: third.automation_id }]);
  });
});
