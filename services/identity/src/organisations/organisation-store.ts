import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  isDuplicateKey,
  type KeyedMutex,
  translated,
} from "@aiplatform/document-store";
import type { ApiKeyPolicy } from "../api-keys/api-key-policy.ts";
import {
  isOrganisationId,
  type Organisation,
  OrganisationNotFoundError,
  OrganisationSlugTakenError,
  OrganisationSuspendedError,
} from "./organisation.ts";
import type { OrganisationDeletion, PurgingService } from "./organisation-deletion.ts";
import type { OrganisationState } from "./organisation-state.ts";

interface DeletionDocument {
  requested_at: Date;
  requested_by: string;
  purged_at: Partial<Record<PurgingService, Date>>;
  deleted_at?: Date;
}

interface OrganisationDocument {
  _id: string;
  slug: string;
  name: string;
  created_at: Date;
  /** How often `lock` was called. */
  touches: number;
  /** Absent from organisations that were never suspended: active. */
  state?: OrganisationState;
  /** Absent: 0. */
  state_revision?: number;
  /** Absent: no maximum. */
  api_key_max_lifetime_seconds?: number;
  /** Absent until its deletion is requested. */
  deletion?: DeletionDocument;
}

/** An organisation whose deletion was requested. */
type DeletedOrganisation = Organisation & { deletion: OrganisationDeletion };

const collection = "organisations";
/** In place of the slug of a deleted organisation, since the index wants one. No slug has a colon. */
const noSlug = (id: string) => `deleted:${id}`;

/** The organisations themselves: the one collection whose documents are tenants and so belong to none. */
export class OrganisationStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "installation",
    indexes: [{ name: "slug", key: { slug: 1 }, unique: true }],
  };

  readonly #organisations: Collection<OrganisationDocument>;
  readonly #mutex: KeyedMutex;

  constructor(store: DocumentStore, mutex: KeyedMutex) {
    this.#mutex = mutex;
    this.#organisations = store.database.collection<OrganisationDocument>(collection);
  }

  /** @throws OrganisationSlugTakenError */
  async insert(organisation: Organisation, session: ClientSession): Promise<void> {
    const { id, slug, name, createdAt } = organisation;
    const document = { _id: id, slug, name, created_at: createdAt, touches: 0 };
    try {
      await translated(() => this.#organisations.insertOne(document, { session }));
    } catch (error) {
      throw isDuplicateKey(error) ? new OrganisationSlugTakenError(slug) : error;
    }
  }

  /**
   * Lets the transactions of an organisation that call this take effect one after the other, each seeing what those before
   * it did. For what must hold of several documents together. Cheapest before anything is read.
   */
  async lock(organisationId: string, session: ClientSession): Promise<void> {
    await this.#mutex.acquire(organisationId, session);
    const update = { $inc: { touches: 1 } };
    await translated(() => this.#organisations.updateOne({ _id: organisationId }, update, { session }));
  }

  /** By id. @throws OrganisationNotFoundError, also for the operator, who has none */
  async get(organisationId: string, session?: ClientSession): Promise<Organisation> {
    const found = organisationId === "" ? undefined : await this.findByName(organisationId, session);
    if (!found) throw new OrganisationNotFoundError();
    return found;
  }

  /** Nothing where there is no such organisation: the operator has none. @throws OrganisationSuspendedError */
  async assertActive(organisationId: string): Promise<void> {
    const filter = { _id: organisationId, state: { $in: ["suspended" as const, "deleting" as const] } };
    const suspended = organisationId !== "" && (await translated(() => this.#organisations.findOne(filter)));
    if (suspended) throw new OrganisationSuspendedError();
  }

  async setState({ id, state, stateRevision }: Organisation, session: ClientSession): Promise<void> {
    const update = { $set: { state, state_revision: stateRevision } };
    await translated(() => this.#organisations.updateOne({ _id: id }, update, { session }));
  }

  async beginDeletion({ id, state, stateRevision, deletion }: DeletedOrganisation, session: ClientSession) {
    const update = { $set: { state, state_revision: stateRevision, deletion: toDeletionDocument(deletion) } };
    await translated(() => this.#organisations.updateOne({ _id: id }, update, { session }));
  }

  /** Has no effect on an organisation that is not being deleted; the first time stays. */
  async setPurged(id: string, service: PurgingService, time: Date, session: ClientSession): Promise<void> {
    const field = `deletion.purged_at.${service}`;
    const filter = { _id: id, state: "deleting" as const, [field]: { $exists: false } };
    await translated(() => this.#organisations.updateOne(filter, { $set: { [field]: time } }, { session }));
  }

  /** Keeps the id and the times of the organisation alone: its slug is free. */
  async finishDeletion({ id, createdAt, state, stateRevision, deletion }: DeletedOrganisation, session: ClientSession) {
    const left = {
      ...{ slug: noSlug(id), name: "", created_at: createdAt, touches: 0, state, state_revision: stateRevision },
      deletion: toDeletionDocument(deletion),
    };
    await translated(() => this.#organisations.replaceOne({ _id: id }, left, { session }));
  }

  /** In a transaction that makes a key, after `lock`: a policy that is set at once comes before or after it. */
  async apiKeyPolicy(organisationId: string, session?: ClientSession): Promise<ApiKeyPolicy> {
    const document = await translated(() =>
      this.#organisations.findOne({ _id: organisationId }, session && { session }),
    );
    return { maxLifetimeSeconds: document?.api_key_max_lifetime_seconds };
  }

  async setApiKeyPolicy(
    organisationId: string,
    { maxLifetimeSeconds }: ApiKeyPolicy,
    session: ClientSession,
  ): Promise<void> {
    const update =
      maxLifetimeSeconds === undefined
        ? { $unset: { api_key_max_lifetime_seconds: true as const } }
        : { $set: { api_key_max_lifetime_seconds: maxLifetimeSeconds } };
    await translated(() => this.#organisations.updateOne({ _id: organisationId }, update, { session }));
  }

  /** By id or slug, as a token may name it. */
  async findByName(name: string, session?: ClientSession): Promise<Organisation | undefined> {
    const filter = isOrganisationId(name) ? { _id: name.toLowerCase() } : { slug: name };
    const document = await translated(() => this.#organisations.findOne(filter, session && { session }));
    return document ? toOrganisation(document) : undefined;
  }
}

function toOrganisation(document: OrganisationDocument): Organisation {
  const { _id: id, name, created_at: createdAt, state = "active", state_revision: stateRevision = 0 } = document;
  const slug = state === "deleted" ? "" : document.slug;
  const deletion = document.deletion && { deletion: toDeletion(document.deletion) };
  return { id, slug, name, createdAt, state, stateRevision, ...deletion };
}

function toDeletion({ requested_at, requested_by, purged_at, deleted_at }: DeletionDocument): OrganisationDeletion {
  const ended = deleted_at && { deletedAt: deleted_at };
  return { requestedAt: requested_at, requestedBy: requested_by, purgedAt: purged_at, ...ended };
}

function toDeletionDocument({ requestedAt, requestedBy, purgedAt, deletedAt }: OrganisationDeletion): DeletionDocument {
  const ended = deletedAt && { deleted_at: deletedAt };
  return { requested_at: requestedAt, requested_by: requestedBy, purged_at: { ...purgedAt }, ...ended };
}
