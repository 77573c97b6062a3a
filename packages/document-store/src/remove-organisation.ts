import type { Collection, Filter } from "mongodb";
import type { DocumentStore } from "./document-store.ts";
import { translated } from "./errors.ts";
import type { IndexPlan } from "./schema/index-plan.ts";
import type { TenantDocument } from "./tenant-collection.ts";

/** A collection whose documents belong to organisations. */
export interface OwnedCollection {
  readonly name: string;
  /** Whether an index finds the documents of one organisation. Without one the whole collection is looked through. */
  readonly isIndexed: boolean;
  /** Field that is `true` in documents that stay. */
  readonly kept: string | undefined;
}

interface Wanted {
  organisationId: string;
  kept: OwnedCollection["kept"];
}

/** Documents that are removed by one command. */
const removedAtOnce = 500;
/** Documents of all organisations that are looked at by one command. */
const lookedAtAtOnce = 5_000;

/** The collections that organisations have documents in, each once, as the plans of a service declare them. */
export function ownedCollections(plans: readonly IndexPlan[]): OwnedCollection[] {
  const owned = plans.filter(({ owner }) => owner === "organisation");
  return [...Map.groupBy(owned, ({ collection }) => collection)].map(([name, of]) => ({
    name,
    isIndexed: of.some(({ indexes }) => indexes.some(findsOrganisations)),
    kept: of.find(({ keptAfterDeletion }) => keptAfterDeletion)?.keptAfterDeletion,
  }));
}

function findsOrganisations({ key, partialFilterExpression }: IndexPlan["indexes"][number]): boolean {
  return Object.keys(key)[0] === "organisation_id" && partialFilterExpression === undefined;
}

/**
 * Removes what an organisation has in these collections, batch by batch, and answers how many documents that were. It may be
 * ended and repeated at any place. @throws the reason of `signal` once that is aborted
 */
export async function removeOrganisation(
  { database }: Pick<DocumentStore, "database">,
  { collections, organisationId }: { collections: readonly OwnedCollection[]; organisationId: string },
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (const { name, isIndexed, kept } of collections) {
    const documents = database.collection<TenantDocument>(name);
    const unwanted = { organisation_id: organisationId, ...(kept === undefined ? {} : { [kept]: { $ne: true } }) };
    const batches = isIndexed ? foundByIndex(documents, unwanted) : foundByLooking(documents, { organisationId, kept });
    for await (const ids of batches) {
      signal.throwIfAborted();
      if (ids.length > 0) removed += await remove(documents, { ...unwanted, _id: { $in: ids } });
    }
  }
  return removed;
}

async function remove(documents: Collection<TenantDocument>, filter: Filter<TenantDocument>): Promise<number> {
  return (await translated(() => documents.deleteMany(filter))).deletedCount;
}

async function* foundByIndex(documents: Collection<TenantDocument>, filter: Filter<TenantDocument>) {
  for (;;) {
    const query = documents.find(filter, { projection: { _id: 1 }, limit: removedAtOnce });
    const found = await translated(() => query.toArray());
    if (found.length === 0) return;
    yield found.map(({ _id }) => _id);
  }
}

/** By the primary key: each command is short, however large the collection is. */
async function* foundByLooking(documents: Collection<TenantDocument>, { organisationId, kept }: Wanted) {
  for (let last: string | undefined; ; ) {
    const filter: Filter<TenantDocument> = last === undefined ? {} : { _id: { $gt: last } };
    const projection = { organisation_id: 1, ...(kept === undefined ? {} : { [kept]: 1 }) };
    const query = documents.find(filter, { projection, sort: { _id: 1 }, limit: lookedAtAtOnce });
    const found = await translated(() => query.toArray());
    yield found.filter((document) => isUnwanted(document, { organisationId, kept })).map(({ _id }) => _id);
    last = found.at(-1)?._id;
    if (last === undefined) return;
  }
}

function isUnwanted(document: TenantDocument, { organisationId, kept }: Wanted): boolean {
  const isKept = Object.entries(document).some(([name, value]) => name === kept && value === true);
  return document.organisation_id === organisationId && !isKept;
}
