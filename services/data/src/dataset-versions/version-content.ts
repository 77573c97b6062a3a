import type { ContentSchema } from "@aiplatform/contract/transcoder/v1/json";
import { type CallHeaders, isNotModified, selectRange, type WantedRange } from "@aiplatform/transcoder";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { StoredArtifacts } from "../other-services/stored-artifacts.ts";
import type { ReadyVersion } from "./dataset-version.ts";

/** Media type of Apache Parquet. */
const parquetType = "application/vnd.apache.parquet";

/** What a version's file is, and its bytes, or those of a range. A reader that has them gets nothing. @throws RangeNotSatisfiableError, ArtifactsUnavailableError */
export async function* versionContent(
  artifacts: Pick<StoredArtifacts, "read">,
  { organisationId, number, data: { sha256, sizeBytes } }: ReadyVersion,
  wanted: WantedRange,
  call: CallHeaders & { signal: AbortSignal },
): AsyncGenerator<MessageInitShape<typeof ContentSchema>> {
  const etag = `"${sha256}"`;
  if (isNotModified(call, etag)) return;
  const part = selectRange(wanted, { sizeBytes, etag });
  const range = part && { offset: BigInt(part.offset), lengthBytes: BigInt(part.length) };
  const about = { contentType: parquetType, fileName: `version-${number}.parquet`, sizeBytes: BigInt(sizeBytes) };
  yield { head: { ...about, sha256: Buffer.from(sha256, "hex"), ...(range && { range }) } };
  const { signal } = call;
  for await (const data of artifacts.read({ organisationId, sha256 }, { range: part, signal })) yield { data };
}
