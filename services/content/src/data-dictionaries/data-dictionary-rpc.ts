import { callerOf } from "@aiplatform/caller-identity";
import {
  type DataDictionaryEntry,
  DataDictionaryService,
} from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { entityTag } from "@aiplatform/service-kit/entity-tag";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { authorOf } from "../author.ts";
import { datasetIdIn, type EntryText } from "./data-dictionary.ts";
import { changeMessage, entryMessage } from "./data-dictionary-message.ts";
import { deleteEntry } from "./delete-entry.ts";
import { getDataDictionary } from "./get-data-dictionary.ts";
import { patchDataDictionary } from "./patch-data-dictionary.ts";
import type { WriteDependencies } from "./write-changes.ts";

export function dataDictionaryRoutes(router: ConnectRouter, dependencies: WriteDependencies): void {
  const { dictionaries, entryChanges } = dependencies;
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
    async listDataDictionaryHistory({ datasetId: id, name, limit = 100, ...request }, context) {
      const { organisationId } = callerOf(context);
      const { datasetId } = await dictionaries.get(organisationId, datasetIdIn(id));
      const page = { ...request, limit };
      const { items, nextCursor } = await entryChanges.list(organisationId, { datasetId, name }, page);
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
    entries: entries.map(entryMessage),
  };
}
