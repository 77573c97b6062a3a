import type { ContentSchema } from "@aiplatform/contract/transcoder/v1/json";
import { type CallHeaders, isNotModified, selectRange, type WantedRange } from "@aiplatform/transcoder";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ArtifactMissingError, type ArtifactStore } from "../artifacts/artifact-store.ts";

/** An artifact that is stored, and what a file is called that it is saved to. */
export interface NamedArtifact {
  organisationId: string;
  sha256: string;
  sizeBytes: number;
  fileName: string;
  /** What it is. Default: bytes of any kind. */
  contentType?: string;
}

/** An artifact by its name, with the size that it has. @throws ArtifactMissingError */
export async function storedArtifact(
  artifacts: Pick<ArtifactStore, "sizeOf">,
  named: Omit<NamedArtifact, "sizeBytes">,
): Promise<NamedArtifact> {
  const sizeBytes = await artifacts.sizeOf(named.organisationId, named.sha256);
  if (sizeBytes === undefined) throw new ArtifactMissingError(named.sha256);
  return { ...named, sizeBytes };
}

/** What an artifact is, and its bytes, or those of a range. A reader that has them gets nothing. @throws RangeNotSatisfiableError */
export async function* readArtifact(
  { artifacts }: { artifacts: Pick<ArtifactStore, "read"> },
  { organisationId, sha256, sizeBytes, fileName, contentType = "" }: NamedArtifact,
  wanted: WantedRange,
  call: CallHeaders,
): AsyncGenerator<MessageInitShape<typeof ContentSchema>> {
  const etag = `"${sha256}"`;
  if (isNotModified(call, etag)) return;
  const part = selectRange(wanted, { sizeBytes, etag });
  const range = part && { offset: BigInt(part.offset), lengthBytes: BigInt(part.length) };
  const digest = Buffer.from(sha256, "hex");
  yield { head: { contentType, fileName, sizeBytes: BigInt(sizeBytes), sha256: digest, ...(range && { range }) } };
  for await (const data of artifacts.read(organisationId, sha256, part)) yield { data };
}
