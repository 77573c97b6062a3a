import { randomUUID } from "node:crypto";
import type { Json } from "../mesh/rest.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";
import type { Story } from "./tale.ts";

const keyed = () => ({ "idempotency-key": randomUUID() });

async function patchDataDictionary(environment: FaultyPlatform) {
  const { dataset } = await environment.made("DatasetService/CreateDataset", {
    name: "faults",
    columns: [{ name: "a" }],
  });
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
      const entries: Json[] = await environment.read(path);
      const history: Json[] = await environment.read(`${path}/history`);
      return {
        entries: entries.map((entry) => [entry.name, entry.description]),
        changes: history.filter((change) => JSON.stringify(change).includes(description)).length,
        answered: body.length === 2,
      };
    },
  };
}

async function listAutomations(environment: FaultyPlatform) {
  const { automation } = await environment.made("AutomationService/CreateAutomation", { name: randomUUID() });
  return {
    request: { path: "/automations/" },
    expected: 1,
    found: async ({ body }: Json) => body.filter(({ id }: Json) => id === automation.id).length,
  };
}

async function member(environment: FaultyPlatform): Promise<{ id: string; email: string }> {
  const subject = randomUUID();
  const email = `${subject}@people.test`;
  const wanted = { displayName: "Grace", email, issuer: "https://issuer.test", subject };
  const made = await environment.made("MemberService/CreateMember", { member: wanted, roleIds: [] });
  return { id: made.member.id, email };
}

async function sendEmailDraft(environment: FaultyPlatform) {
  const people = [await member(environment), await member(environment)];
  const wanted = { subject: "Faults", text: "Hello", recipientMemberIds: people.map(({ id }) => id) };
  const { draft } = await environment.made("EmailDraftService/CreateEmailDraft", wanted);
  return {
    request: { method: "POST", path: `/email-drafts/${draft.id}/send/`, headers: keyed() },
    // A sender that cannot say that it has given up is replaced after 15 seconds.
    timeoutSeconds: 60,
    causes: { service: "content", events: ["aiplatform.content.email_draft.sent.v1"] },
    records: 1,
    expected: { mails: [1, 1], sent: 2, deliveries: ["sent", "sent"] },
    async found({ body }: Json) {
      const mails: Json[] = JSON.parse(await (await fetch(`${environment.platform.description.mail}/mails`)).text());
      const deliveries: Json[] = await environment.read(`/platform/email-drafts/${draft.id}/deliveries`);
      return {
        mails: people.map(({ email }) => mails.filter(({ to }) => to.includes(email)).length),
        sent: body.sent_count,
        deliveries: deliveries.map(({ status }) => status),
      };
    },
  };
}

async function deleteFeature(environment: FaultyPlatform) {
  const featureKey = randomUUID();
  await environment.made("FeatureMemoryService/PutFeature", { featureKey });
  return {
    request: { method: "DELETE", path: `/feature-memory/${featureKey}/` },
    causes: { service: "content", events: ["aiplatform.content.feature.deleted.v1"] },
    records: 1,
    // A repeat of what had its effect no longer finds anything.
    repeatedAs: [404],
    expected: 0,
    async found() {
      const features: Json[] = await environment.read("/platform/features?limit=1000");
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
