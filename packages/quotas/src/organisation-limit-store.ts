import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  type TenantCollection,
  translated,
} from "@aiplatform/document-store";
import type { LimitsPage, OrganisationLimits } from "./organisation-limits.ts";
import { type QuotasDocument, quotasCollection, quotasOf } from "./quotas-document.ts";

/** What the operator has set for single organisations: at identity the value itself, elsewhere what is known of it. */
export class OrganisationLimitStore {
  static readonly indexes: IndexPlan = {
    collection: quotasCollection,
    owner: "organisation",
    indexes: [
      { name: "organisation", key: { organisation_id: 1, _id: 1 } },
      { name: "limits", key: { organisation_id: 1 }, partialFilterExpression: { limits_revision: { $exists: true } } },
    ],
  };

  readonly #documents: TenantCollection<QuotasDocument>;
  readonly #all: Collection<QuotasDocument>;

  constructor(store: DocumentStore) {
    this.#documents = quotasOf(store);
    this.#all = store.database.collection<QuotasDocument>(quotasCollection);
  }

  /** Revision 0 where nothing was ever set. */
  async find(organisationId: string, session?: ClientSession): Promise<OrganisationLimits> {
    const document = await this.#documents.findOne(organisationId, { _id: organisationId }, { session });
    return limitsIn(organisationId, document);
  }

  /** Organisations for which limits were ever set, in the order of their ids. */
  async page(after: string, limit: number): Promise<LimitsPage> {
    const filter = { limits_revision: { $exists: true }, organisation_id: { $gt: after } };
    const options = { sort: { organisation_id: 1 }, limit: limit + 1 } as const;
    const found = await translated(() => this.#all.find(filter, options).toArray());
    const items = found.slice(0, limit).map((document) => limitsIn(document.organisation_id, document));
    return { items, isLast: found.length <= limit };
  }

  /** Has no effect where a later change is known already. */
  async put(changed: OrganisationLimits, session: ClientSession): Promise<void> {
    const known = await this.find(changed.organisationId, session);
    if (known.revision < changed.revision) await this.#write(changed, session);
  }

  /** Puts what holds in place of what was known, unless that has changed meanwhile. */
  async replace(known: OrganisationLimits, actual: OrganisationLimits, session: ClientSession): Promise<void> {
    const { revision } = await this.find(known.organisationId, session);
    if (revision === known.revision) await this.#write(actual, session);
  }

  async #write({ organisationId, limits, revision }: OrganisationLimits, session: ClientSession): Promise<void> {
    const update =
      revision === 0
        ? { $unset: { limits: true, limits_revision: true } as const }
        : { $set: { limits, limits_revision: revision } };
    const options = { session, upsert: revision !== 0 };
    await this.#documents.updateOne(organisationId, { _id: organisationId }, update, options);
  }
}

function limitsIn(organisationId: string, document: QuotasDocument | undefined): OrganisationLimits {
  return { organisationId, limits: document?.limits ?? {}, revision: document?.limits_revision ?? 0 };
}
