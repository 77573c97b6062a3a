import { randomUUID } from "node:crypto";
import type { Json } from "../mesh/rest.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";
import type { Story } from "./tale.ts";

const keyed = () => ({ "idempotency-key": randomUUID() });

async function patchDataDictionary(world: FaultyPlatform) {
  const { dataset } = await world.made("DatasetService/CreateDataset", { name: "faults", columns: [{ name: "a" }] });
  const description = randomUUID();
  const path = `/platform/data-dictionary/${dataset.id}`;
  return {
    request: {
      method: "PATCH",
      path: `/data-dictionary/${dataset.id}/`,
      body: [
        { name: "a", description },
        { name: "b", description },
      ],
    },
    causes: { service: "content", events: ["aiplatform.content.data_dictionary.patched.v1"] },
    records: 1,
    expected: {
      entries: [
        ["a", description],
        ["b", description],
      ],
      changes: 2,
      answered: true,
    },
    async found({ body }: Json) {
      const entries: Json[] = await world.read(path);
      const history: Json[] = await world.read(`${path}/history`);
      return {
        entries: entries.map((entry) => [entry.name, entry.description]),
        changes: history.filter((change) => JSON.stringify(change).includes(description)).length,
        answered: body.length === 2,
      };
    },
  };
}

async function listAutomations(world: FaultyPlatform) {
  const { automation } = await world.made("AutomationService/CreateAutomation", { name: randomUUID() });
  return {
    request: { path: "/automations/" },
    expected: 1,
    found: async ({ body }: Json) => body.filter(({ id }: Json) => id === automation.id).length,
  };
}

async function member(world: FaultyPlatform): Promise<{ id: string; email: string }> {
  const subject = randomUUID();
  const email = `${subject}@people.test`;
  const wanted = { displayName: "Grace", email, issuer: "https://issuer.test", subject };
  const made = await world.made("MemberService/CreateMember", { member: wanted, roleIds: [] });
  return { id: made.member.id, email };
}

async function sendEmailDraft(world: FaultyPlatform) {
  const people = [await member(world), await member(world)];
  const wanted = { subject: "Faults", text: "Hello", recipientMemberIds: people.map(({ id }) => id) };
  const { draft } = await world.made("EmailDraftService/CreateEmailDraft", wanted);
  return {
    request: { method: "POST", path: `/email-drafts/${draft.id}/send/`, headers: keyed() },
    // A sender that cannot say that it has given up is replaced after 15 seconds.
    timeoutSeconds: 60,
    causes: { service: "content", events: ["aiplatform.content.email_draft.sent.v1"] },
    records: 1,
    expected: { mails: [1, 1], sent: 2, deliveries: ["sent", "sent"] },
    async found({ body }: Json) {
      const mails: Json[] = JSON.parse(await (await fetch(`${world.platform.description.mail}/mails`)).text());
      const deliveries: Json[] = await world.read(`/platform/email-drafts/${draft.id}/deliveries`);
      return {
        mails: people.map(({ email }) => mails.filter(({ to }) => to.includes(email)).length),
        sent: body.sent_count,
        deliveries: deliveries.map(({ status }) => status),
      };
    },
  };
}

async function deleteFeature(world: FaultyPlatform) {
  const featureKey = randomUUID();
  await world.made("FeatureMemoryService/PutFeature", { featureKey });
  return {
    request: { method: "DELETE", path: `/feature-memory/${featureKey}/` },
    causes: { service: "content", events: ["aiplatform.content.feature.deleted.v1"] },
    records: 1,
    // A repeat of what had its effect no longer finds anything.
    repeatedAs: [404],
    expected: 0,
    async found() {
      const features: Json[] = await world.read("/platform/features?limit=1000");
      return features.filter(({ key }) => key === featureKey).length;
    },
  };
}

/** Of the service that keeps what people write. */
export const contentStories: readonly Story[] = [
  { title: "patchDataDictionary", operation: "patchDataDictionary", prepare: patchDataDictionary },
  { title: "listAutomations", operation: "listAutomations", prepare: listAutomations },
  { title: "sendEmailDraft", operation: "sendEmailDraft", prepare: sendEmailDraft },
  { title: "deleteFeature", operation: "deleteFeature", prepare: deleteFeature },
];
