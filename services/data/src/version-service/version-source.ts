import type { CreateDatasetVersionRequest } from "@aiplatform/contract/aiplatform/data/v1/dataset_versions";
import { assertNone } from "@aiplatform/service-host";
import type { NamedFile } from "../dataset-versions/source-files.ts";
import { compressions, formats } from "../dataset-versions/version-message.ts";
import type { WantedQuery } from "../version-queries/create-queried-version.ts";

/** What a version is to be made of. */
export type VersionSource =
  | { kind: "files"; files: readonly NamedFile[] }
  | { kind: "query"; query: WantedQuery }
  | { kind: "rows"; rows: readonly string[] };

/** What the request says. @throws InvalidFieldsError unless it says exactly one */
export function sourceOf({ files, query, rows }: CreateDatasetVersionRequest): VersionSource {
  const given: VersionSource[] = [
    ...(files.length === 0 ? [] : [{ kind: "files" as const, files: files.map(fileOf) }]),
    ...(query === undefined ? [] : [{ kind: "query" as const, query: queryOf(query) }]),
    ...(rows.length === 0 ? [] : [{ kind: "rows" as const, rows: rows.map(({ text }) => text) }]),
  ];
  const [first, second] = given;
  const description = "give exactly one of files, query and rows";
  if (!first) assertNone([{ field: "files", reason: "SOURCE_MISSING", description }]);
  if (second) assertNone([{ field: second.kind, reason: "NOT_TOGETHER", description }]);
  return first ?? { kind: "rows", rows: [] };
}

function fileOf({
  artifactSha256: sha256 = "",
  name = "",
  format,
  compression,
  source,
}: CreateDatasetVersionRequest["files"][number]): NamedFile {
  const { location = "", key = "" } = source ?? {};
  const read = { format: formats[format], compression: compressions[compression] };
  return { sha256, name, ...read, source: source && { location, key } };
}

function queryOf({ sql = "", views }: NonNullable<CreateDatasetVersionRequest["query"]>): WantedQuery {
  const sources = views.map(({ name = "", datasetId, versionId }) => {
    return { name, datasetId: datasetId.toLowerCase(), versionId: versionId?.toLowerCase() };
  });
  return { sql, sources };
}
