import { ListExternalLinksRequestSchema } from "@aiplatform/contract/aiplatform/identity/v1/external_oauth";
import {
  type ClientSession,
  type Collection,
  type DocumentStore,
  type IndexPlan,
  Leases,
  type Page,
  TenantCollection,
  type TenantDocument,
  translated,
} from "@aiplatform/document-store";
import { findPage, type ListPageRequest, ListQuery, oldestFirst } from "@aiplatform/list-filter";
import {
  type ExternalLink,
  ExternalLinkNotFoundError,
  holdsName,
  LinkChangedError,
  type LinkStatus,
} from "./external-link.ts";

interface ExternalLinkDocument extends TenantDocument {
  provider: string;
  secret_name: string;
  secret_description: string;
  status: LinkStatus;
  holds_name: boolean;
  scopes: string[];
  created_at: Date;
  revision: number;
  error?: NonNullable<ExternalLink["error"]>;
  member_id?: string;
  linked_at?: Date;
  token_expires_at?: Date;
  /** Absent in links of earlier releases. */
  refresh?: { not_before: Date; failures: number; holder?: string | null };
  revoked_at?: Date;
  tokens?: string;
  attempt?: {
    state_hash: string;
    verifier: string;
    expires_at: Date;
    credential_id: string;
    member_id?: string;
    claimed_until?: Date;
  };
  finished?: { state_hash: string; code_hash: string };
}

const collection = "external_links";

const linkList = new ListQuery(ListExternalLinksRequestSchema, { defaultSort: oldestFirst });
const hasEndingToken = { status: "linked" as const, token_expires_at: { $gt: new Date(0) } };

export class ExternalLinkStore {
  static readonly indexes: IndexPlan = {
    collection,
    owner: "organisation",
    indexes: [
      {
        name: "secret_name",
        key: { organisation_id: 1, secret_name: 1 },
        unique: true,
        partialFilterExpression: { holds_name: true },
      },
      // The condition names the very field that is asked for: by one on its parent the database does not see that the index fits.
      {
        name: "attempt_state",
        key: { "attempt.state_hash": 1 },
        partialFilterExpression: { "attempt.state_hash": { $exists: true } },
      },
      {
        name: "finished_state",
        key: { "finished.state_hash": 1 },
        partialFilterExpression: { "finished.state_hash": { $exists: true } },
      },
      { name: "claims", key: { organisation_id: 1, "refresh.not_before": 1 }, partialFilterExpression: hasEndingToken },
      { name: "due", key: { "refresh.not_before": 1 }, partialFilterExpression: hasEndingToken },
      { name: "creation", key: { organisation_id: 1, created_at: 1, _id: 1 } },
      { name: "by_secret_name", key: { organisation_id: 1, secret_name: 1, _id: 1 } },
    ],
  };

  /** Who refreshes the tokens of which link. */
  readonly leases: Leases<ExternalLinkDocument, ExternalLink>;
  readonly #links: TenantCollection<ExternalLinkDocument>;
  /** For the searches over all organisations. */
  readonly #all: Collection<ExternalLinkDocument>;
  #kept: (notBefore: Date) => void = () => {};

  constructor(store: DocumentStore) {
    this.#links = new TenantCollection(store, collection);
    this.#all = store.database.collection<ExternalLinkDocument>(collection);
    const fields = { holder: "refresh.holder", expiresAt: "refresh.not_before", failures: "refresh.failures" };
    const work = { wanted: hasEndingToken, read: toExistingLink, hasTimeIndex: true };
    this.leases = new Leases(store, { collection, fields, ...work });
  }

  /** Calls back when this process keeps a link whose tokens are to be refreshed, with the time. One listener. */
  onKept(listener: (notBefore: Date) => void): void {
    this.#kept = listener;
  }

  async insert(organisationId: string, link: ExternalLink, session: ClientSession): Promise<void> {
    await this.#links.insert(organisationId, toDocument(link), { session });
  }

  async find(organisationId: string, id: string, session?: ClientSession): Promise<ExternalLink | undefined> {
    return toLink(await this.#links.findOne(organisationId, { _id: id }, { session }));
  }

  /** @throws ExternalLinkNotFoundError */
  async get(organisationId: string, id: string, session?: ClientSession): Promise<ExternalLink> {
    const found = await this.find(organisationId, id, session);
    if (!found) throw new ExternalLinkNotFoundError(id);
    return found;
  }

  /** The link that has the name now. */
  async findHolder(
    organisationId: string,
    secretName: string,
    session?: ClientSession,
  ): Promise<ExternalLink | undefined> {
    const filter = { secret_name: secretName, holds_name: true };
    return toLink(await this.#links.findOne(organisationId, filter, { session }));
  }

  /** The one query that knows no organisation yet: the state is what names it. */
  async findByState(stateHash: string): Promise<ExternalLink | undefined> {
    const attempt = await translated(() => this.#all.findOne({ "attempt.state_hash": stateHash }));
    const finished = () => translated(() => this.#all.findOne({ "finished.state_hash": stateHash }));
    return toLink(attempt ?? (await finished()) ?? undefined);
  }

  /** @throws InvalidListRequestError, InvalidCursorError */
  async list(organisationId: string, request: ListPageRequest): Promise<Page<ExternalLink>> {
    const source = { list: linkList, request };
    const { items, nextCursor } = await findPage(this.#links, organisationId, source);
    return { items: items.map(toExistingLink), nextCursor };
  }

  /** Compare-and-set on the revision and on who refreshes the tokens. Answers the link as it is kept. @throws LinkChangedError */
  async replace(organisationId: string, link: ExternalLink, session?: ClientSession): Promise<ExternalLink> {
    const next = { ...link, revision: link.revision + 1, refreshedBy: link.refresh?.holder };
    const condition = { revision: link.revision, "refresh.holder": link.refreshedBy ?? null };
    const isDone = await this.#links.replaceIf(organisationId, toDocument(next), condition, { session });
    if (!isDone) throw new LinkChangedError();
    if (next.refresh) this.#kept(next.refresh.notBefore);
    return next;
  }
}

function toDocument(link: ExternalLink): ExternalLinkDocument {
  const { attempt, finished } = link;
  return {
    _id: link.id,
    organisation_id: link.organisationId,
    provider: link.provider,
    secret_name: link.secretName,
    secret_description: link.secretDescription,
    status: link.status,
    holds_name: holdsName(link),
    scopes: link.scopes,
    created_at: link.createdAt,
    revision: link.revision,
    ...(link.error === undefined ? {} : { error: link.error }),
    ...(link.memberId === undefined ? {} : { member_id: link.memberId }),
    ...(link.linkedAt ? { linked_at: link.linkedAt } : {}),
    ...(link.tokenExpiresAt ? { token_expires_at: link.tokenExpiresAt } : {}),
    ...(link.refresh ? { refresh: refreshDocument(link.refresh) } : {}),
    ...(link.revokedAt ? { revoked_at: link.revokedAt } : {}),
    ...(link.tokens === undefined ? {} : { tokens: link.tokens }),
    ...(attempt ? { attempt: attemptDocument(attempt) } : {}),
    ...(finished ? { finished: { state_hash: finished.stateHash, code_hash: finished.codeHash } } : {}),
  };
}

function refreshDocument({ notBefore, failures, holder }: NonNullable<ExternalLink["refresh"]>) {
  return { not_before: notBefore, failures, ...(holder === undefined ? {} : { holder }) };
}

function attemptDocument(attempt: NonNullable<ExternalLink["attempt"]>) {
  return {
    state_hash: attempt.stateHash,
    verifier: attempt.verifier,
    expires_at: attempt.expiresAt,
    credential_id: attempt.credentialId,
    ...(attempt.memberId === undefined ? {} : { member_id: attempt.memberId }),
    ...(attempt.claimedUntil ? { claimed_until: attempt.claimedUntil } : {}),
  };
}

function toLink(document: ExternalLinkDocument | undefined): ExternalLink | undefined {
  return document && toExistingLink(document);
}

function toExistingLink(document: ExternalLinkDocument): ExternalLink {
  const { attempt, finished, refresh } = document;
  return {
    id: document._id,
    organisationId: document.organisation_id,
    provider: document.provider,
    secretName: document.secret_name,
    secretDescription: document.secret_description,
    status: document.status,
    error: document.error,
    memberId: document.member_id,
    scopes: document.scopes,
    createdAt: document.created_at,
    linkedAt: document.linked_at,
    tokenExpiresAt: document.token_expires_at,
    refresh: refresh && toRefresh(refresh),
    revokedAt: document.revoked_at,
    attempt: attempt && {
      stateHash: attempt.state_hash,
      verifier: attempt.verifier,
      expiresAt: attempt.expires_at,
      memberId: attempt.member_id,
      credentialId: attempt.credential_id,
      claimedUntil: attempt.claimed_until,
    },
    tokens: document.tokens,
    finished: finished && { stateHash: finished.state_hash, codeHash: finished.code_hash },
    revision: document.revision,
    refreshedBy: refresh?.holder ?? undefined,
  };
}

/** A link of an earlier release without `refresh` gets one with its first lease, which counts no failures. */
function toRefresh({ not_before, failures = 0, holder }: Partial<NonNullable<ExternalLinkDocument["refresh"]>>) {
  return { notBefore: not_before ?? new Date(0), failures, holder: holder ?? undefined };
}
