import { EmailDraftStatus } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { FeatureStatus } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { Code } from "@connectrpc/connect";
import { as, type DemoClients, unless } from "./demo-clients.ts";

/** What of content the demo has. */
export interface ContentIds {
  dataset_id: string;
  automation_id: string;
  draft_id: string;
  feature_key: string;
}

/** What the demo's content is made with. */
export interface ContentPlan {
  /** A token of the member whose it is to be. */
  bearer: string;
  /** Ids of last time. */
  known: ContentIds | undefined;
}

const featureKey = "ink_share";

/**
 * Makes a dataset, a feature, an automation that uses it and an e-mail draft, or finds them. Changes by users stay,
 * with two exceptions: a sent draft is followed by another, and a deprecated or deleted feature is restored.
 */
export async function seedContent(clients: DemoClients, { bearer, known }: ContentPlan): Promise<ContentIds> {
  const [dataset_id, automation_id, draft_id] = await Promise.all([
    seedDataset(clients, bearer, known?.dataset_id),
    // Its template names the feature.
    seedFeature(clients, bearer).then(() => seedAutomation(clients, bearer, known?.automation_id)),
    seedDraft(clients, bearer, known?.draft_id),
  ]);
  return { dataset_id, automation_id, draft_id, feature_key: featureKey };
}

// A start that is cut short makes nothing twice: the next finds what this one made by the same idempotency keys.
const keyOf = (what: string, before: string | undefined) => (before ? `demo ${what} after ${before}` : `demo ${what}`);

async function seedDataset({ datasets, dictionaries }: DemoClients, bearer: string, known?: string): Promise<string> {
  const found = known && (await unless(datasets.getDataset({ datasetId: known }, as(bearer)), Code.NotFound));
  if (known && found) return known;
  const columns = ["label", "image", "ink_share"].map((name) => ({ name }));
  const wanted = { name: "Handwriting samples", columns, idempotencyKey: keyOf("dataset", known) };
  const { dataset } = await datasets.createDataset(wanted, as(bearer));
  const datasetId = dataset?.id ?? "";
  const entries = [{ name: "label", description: "Which of the ten it is, as a person read it" }];
  await dictionaries.patchDataDictionary({ datasetId, entries }, as(bearer));
  return datasetId;
}

async function seedFeature({ features }: DemoClients, bearer: string): Promise<void> {
  const found = await unless(features.getFeature({ featureKey }, as(bearer)), Code.NotFound);
  if (found?.feature?.status === FeatureStatus.ACTIVE) return;
  if (found) {
    await features.restoreFeature({ featureKey }, as(bearer));
    return;
  }
  const description = "Share of the pixels that are dark";
  await features.putFeature({ featureKey, description, usageNotes: "Of the sample as it was scanned" }, as(bearer));
}

async function seedAutomation({ automations }: DemoClients, bearer: string, known?: string): Promise<string> {
  const found = known
    ? await unless(automations.getAutomation({ automationId: known }, as(bearer)), Code.NotFound)
    : undefined;
  if (found?.automation?.currentVersion) return found.automation.id;
  const name = "Explain the samples";
  const idempotencyKey = keyOf("automation", known);
  const wanted = { name, description: "Says what the ink tells of a digit", idempotencyKey };
  const automationId = found?.automation?.id ?? (await automations.createAutomation(wanted, as(bearer))).automation?.id;
  const text = `Explain in one sentence what {{ features.${featureKey} }} tells of a handwritten digit.`;
  const promptTemplate = { text: JSON.stringify({ type: "prompt", text }) };
  const steps = [{ key: "explain", name: "Explain", promptTemplate }];
  const draft = { automationId: automationId ?? "", steps };
  const { version } = await automations.saveAutomationDraft(draft, as(bearer));
  const ifMatch = `"${version?.revision ?? 0}"`;
  await automations.publishAutomation({ automationId: automationId ?? "", ifMatch }, as(bearer));
  await automations.updateAutomationSettings({ automationId: automationId ?? "", draftsForOwner: true }, as(bearer));
  return automationId ?? "";
}

/** To the administrator: the fake mail server keeps this mail like any other. */
async function seedDraft({ drafts, members }: DemoClients, bearer: string, known?: string): Promise<string> {
  const found = known ? await unless(drafts.getEmailDraft({ draftId: known }, as(bearer)), Code.NotFound) : undefined;
  if (found?.draft?.status === EmailDraftStatus.DRAFT) return found.draft.id;
  const { member } = await members.getOwnMember({}, as(bearer));
  const content = {
    subject: "News of the digits, {{ member.display_name }}",
    text: "Dear {{ member.display_name }},\n\nthe model reads better than it did last week.\n",
    recipientMemberIds: [member?.id ?? ""],
  };
  const wanted = { ...content, idempotencyKey: keyOf("draft", known) };
  const { draft } = await drafts.createEmailDraft(wanted, as(bearer));
  return draft?.id ?? "";
}
