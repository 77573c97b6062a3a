import {
  type ClientSession,
  type DocumentStore,
  type IndexPlan,
  TenantCollection,
  type TenantDocument,
} from "@aiplatform/document-store";

interface TriggeredEventDocument extends TenantDocument {
  at: Date;
}

const collection = "automation_triggers";
/** Longer than a stream, and what is published to it again, keeps an event, s. */
const retentionSeconds = 15 * 24 * 3600;

/** Which events have started which automations: runs are forgotten before events are. */
export class TriggeredEventStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [{ name: "retention", key: { at: 1 }, expireAfterSeconds: retentionSeconds }],
  };

  readonly #events: TenantCollection<TriggeredEventDocument>;

  constructor(store: DocumentStore) {
    this.#events = new TenantCollection(store, collection);
  }

  /** @throws DuplicateKeyError when the event has started the automation before */
  async insert(
    organisationId: string,
    { automationId, eventId, at }: { automationId: string; eventId: string; at: Date },
    session: ClientSession,
  ): Promise<void> {
    const document = { _id: `${automationId} ${eventId}`, organisation_id: organisationId, at };
    await this.#events.insert(organisationId, document, { session });
  }
}
