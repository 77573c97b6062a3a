import type { Page } from "@aiplatform/document-store";
import { DatasetNotFoundError } from "../datasets/dataset.ts";
import type { ContentDependencies } from "../dependencies.ts";
import type { ChangeQuery, PastChange } from "./change-store.ts";

/** What was written to a dictionary, newest first. Throws DatasetNotFoundError, InvalidCursorError. */
export async function listHistory(
  { dictionaries, entryChanges }: Pick<ContentDependencies, "dictionaries" | "entryChanges">,
  organisationId: string,
  query: ChangeQuery,
): Promise<Page<PastChange>> {
  const dictionary = await dictionaries.find(organisationId, query.datasetId);
  if (!dictionary) throw new DatasetNotFoundError(query.datasetId);
  return entryChanges.list(organisationId, query);
}
