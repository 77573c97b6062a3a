import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { connectDocumentStore, createIndexes, type DocumentStore, withTransaction } from "@aiplatform/document-store";
import { dropDatabase, environmentOf, newTestEnvironment, programEnvironment } from "@aiplatform/testkit";
import type { DeliveryCounts } from "../src/email-drafts/delivery.ts";
import type { EmailDraft } from "../src/email-drafts/email-draft.ts";
import { planDeliveries } from "../src/email-drafts/plan-deliveries.ts";
import { type ContentStores, contentIndexes, createStores } from "../src/stores.ts";

const entry = fileURLToPath(new URL("email-sender-process.ts", import.meta.url));

/** A draft that is being sent, by a process that is gone. */
function abandonedDraft(recipients: number) {
  const ids = Array.from({ length: recipients }, () => randomUUID());
  const now = new Date();
  const draft: EmailDraft = {
    id: randomUUID(),
    organisationId: randomUUID(),
    subject: "News",
    text: "Dear {{ member.display_name }}",
    html: "",
    recipientMemberIds: ids,
    status: "draft",
    revision: 1,
    createdAt: now,
    updatedAt: now,
  };
  const person = { displayName: "Ada", isActive: true, emailOptedOut: false };
  const known = ids.map((id) => ({ ...person, id, email: `${id}@people.test` }));
  const planned = planDeliveries(draft, new Map(known.map((each) => [each.id, each])));
  return { draft, planned, sending: { term: { holder: "gone", leaseMs: 0 }, beganAt: now, cause: undefined } };
}

/** Such a draft in a database of its own, for processes that go on with it. */
export class AbandonedDraft implements AsyncDisposable {
  readonly #store: DocumentStore;
  readonly #stores: ContentStores;
  readonly #draft: EmailDraft;
  readonly #environment: Record<string, string>;

  private constructor(store: DocumentStore, draft: EmailDraft, environment: Record<string, string>) {
    this.#store = store;
    this.#stores = createStores(store);
    this.#draft = draft;
    this.#environment = environment;
  }

  static async of(recipients: number, settings: Record<string, string>): Promise<AbandonedDraft> {
    const home = newTestEnvironment("content");
    const { MONGODB_URI: uri, MONGODB_DATABASE: database } = home;
    const store = await connectDocumentStore({ uri, database, appName: "e-mail tests" });
    await createIndexes(store, contentIndexes);
    const { draft, planned, sending } = abandonedDraft(recipients);
    const { emailDrafts, deliveries } = createStores(store);
    await withTransaction(store, async (session) => {
      await emailDrafts.insert(draft.organisationId, draft, session);
      await emailDrafts.beginSending(draft.organisationId, draft, sending, session);
      await deliveries.insertAll(draft.organisationId, planned, session);
    });
    return new AbandonedDraft(store, draft, environmentOf(home, settings));
  }

  /** Starts a process that goes on with it; it answers each message with its memory, bytes. */
  send(...nodeOptions: string[]): ChildProcess {
    const env = { ...programEnvironment(), ...this.#environment };
    return spawn(process.execPath, [...nodeOptions, entry], { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  }

  async isOver(): Promise<boolean> {
    const { organisationId, id } = this.#draft;
    return (await this.#stores.emailDrafts.find(organisationId, id))?.status !== "sending";
  }

  counts(): Promise<DeliveryCounts> {
    const { organisationId, id } = this.#draft;
    return this.#stores.deliveries.counts({ organisationId, draftId: id });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await dropDatabase(this.#store);
    await this.#store.close();
  }
}
