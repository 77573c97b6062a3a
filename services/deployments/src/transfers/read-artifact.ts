import type { ContentSchema } from "@aiplatform/contract/transcoder/v1/json";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { type CallHeaders, isNotModified, selectRange, type WantedRange } from "@aiplatform/transcoder";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ArtifactStore } from "../artifacts/artifact-store.ts";

/** An artifact, and what a file is called that it is saved to. */
export interface NamedArtifact {
  organisationId: string;
  sha256: string;
  fileName: string;
}

/** There is no artifact of that digest in the organisation. */
export class ArtifactNotFoundError extends NotFoundError {
  override name = "ArtifactNotFoundError";
}

/**
 * What an artifact is, and its bytes, or those of a range. A reader that has them gets nothing.
 * @throws ArtifactNotFoundError, RangeNotSatisfiableError
 */
export async function* readArtifact(
  { artifacts }: { artifacts: Pick<ArtifactStore, "sizeOf" | "read"> },
  { organisationId, sha256, fileName }: NamedArtifact,
  wanted: WantedRange,
  call: CallHeaders,
): AsyncGenerator<MessageInitShape<typeof ContentSchema>> {
  const sizeBytes = await artifacts.sizeOf(organisationId, sha256);
  if (sizeBytes === undefined) throw new ArtifactNotFoundError(sha256);
  const etag = `"${sha256}"`;
  if (isNotModified(call, etag)) return;
  const part = selectRange(wanted, { sizeBytes, etag });
  const range = part && { offset: BigInt(part.offset), lengthBytes: BigInt(part.length) };
  yield {
    head: { fileName, sizeBytes: BigInt(sizeBytes), sha256: Buffer.from(sha256, "hex"), ...(range && { range }) },
  };
  for await (const data of artifacts.read(organisationId, sha256, part)) yield { data };
}
