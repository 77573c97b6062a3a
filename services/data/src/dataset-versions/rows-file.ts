import { createHash } from "node:crypto";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { VersionFile } from "./dataset-version.ts";

const name = "rows.jsonl";

/**
 * Stores rows that a request has as an artifact: a version of them is one of a file, like any other.
 * @throws ArtifactsUnavailableError, and what deployments refuses
 */
export async function storeRows(
  { artifacts }: { artifacts: Pick<StoredArtifacts, "storeBytes"> },
  organisationId: string,
  rows: readonly string[],
  signal: AbortSignal,
): Promise<VersionFile> {
  const bytes = Buffer.from(rows.map((row) => `${inOneLine(row)}\n`).join(""));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  await artifacts.storeBytes({ organisationId, sha256 }, bytes, signal);
  return { sha256, name, format: "jsonl", sizeBytes: bytes.byteLength };
}

/** Line feeds of JSON stand between its tokens: inside of texts they are escaped. */
function inOneLine(json: string): string {
  return json.replaceAll("\n", " ").replaceAll("\r", " ");
}
