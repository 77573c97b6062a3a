import { callerOf } from "@aiplatform/caller-identity";
import {
  AuthorKind,
  type DataDictionaryChange,
  DataDictionaryChangeSchema,
  type DataDictionaryEntry,
  DataDictionaryEntrySchema,
  DataDictionaryService,
} from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { authorOf } from "../author.ts";
import { datasetIdIn } from "../datasets/dataset.ts";
import type { ContentDependencies } from "../dependencies.ts";
import type { PastChange } from "./change-store.ts";
import { deleteEntry } from "./delete-entry.ts";
import type { EntryText } from "./dictionary.ts";
import { entityTag } from "./entity-tag.ts";
import { getDataDictionary } from "./get-data-dictionary.ts";
import { listHistory } from "./list-history.ts";
import { patchDataDictionary } from "./patch-data-dictionary.ts";

/** Serves DataDictionaryService. */
export function dataDictionaryRoutes(router: ConnectRouter, dependencies: ContentDependencies): void {
  router.service(DataDictionaryService, {
    async patchDataDictionary({ datasetId, entries, override, dryRun, ifMatch }, context) {
      const caller = callerOf(context);
      const texts = entries.map(({ name = "", description = "" }) => ({ name, description }));
      const target = { organisationId: caller.organisationId, datasetId: datasetIdIn(datasetId) };
      const patch = { ...target, author: authorOf(caller), texts, override, dryRun, ifMatch };
      return answer(await patchDataDictionary(dependencies, patch), context);
    },
    async getDataDictionary({ datasetId }, context) {
      const { organisationId } = callerOf(context);
      const { entries, dictionary } = await getDataDictionary(dependencies, organisationId, datasetIdIn(datasetId));
      return answer({ entries, version: dictionary.version }, context);
    },
    async listDataDictionaryHistory({ datasetId, name, limit = 100, cursor }, context) {
      const query = { datasetId: datasetIdIn(datasetId), name, limit, cursor };
      const { items, nextCursor } = await listHistory(dependencies, callerOf(context).organisationId, query);
      return { changes: items.map(changeMessage), nextCursor };
    },
    async deleteDataDictionaryEntry({ datasetId, name, override, ifMatch }, context) {
      const caller = callerOf(context);
      const target = { organisationId: caller.organisationId, datasetId: datasetIdIn(datasetId), name };
      return answer(
        await deleteEntry(dependencies, { ...target, author: authorOf(caller), override, ifMatch }),
        context,
      );
    },
  });
}

function answer(
  { entries, version }: { entries: readonly EntryText[]; version: number },
  { responseHeader }: Pick<HandlerContext, "responseHeader">,
): { entries: DataDictionaryEntry[] } {
  responseHeader.set("etag", entityTag(version));
  // Worth keeping only to ask whether it still holds.
  responseHeader.set("cache-control", "private, no-cache");
  return {
    entries: entries.map(({ name, description }) => create(DataDictionaryEntrySchema, { name, description })),
  };
}

const authorKinds = { person: AuthorKind.PERSON, program: AuthorKind.PROGRAM };

function changeMessage({
  id,
  name,
  previous,
  description,
  author,
  version,
  changedAt,
}: PastChange): DataDictionaryChange {
  return create(DataDictionaryChangeSchema, {
    id,
    name,
    ...(previous === undefined ? {} : { previousDescription: previous }),
    ...(description === undefined ? {} : { description }),
    ...(author.kind === "person" ? { authorMemberId: author.memberId } : {}),
    authorKind: authorKinds[author.kind],
    version: BigInt(version),
    changedAt: timestampFromDate(changedAt),
  });
}
