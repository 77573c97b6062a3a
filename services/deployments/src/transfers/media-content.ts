import type { Caller, ForwardedCaller } from "@aiplatform/caller-identity";
import type { MediaFile } from "@aiplatform/contract/aiplatform/training/v1/media";
import { ArtifactMissingError, type ArtifactStore, sha256Of } from "../artifacts/artifact-store.ts";
import type { TrainingCalls } from "../training-calls.ts";
import { isJudged, judgedBytes, mediaProblem } from "./media-problem.ts";
import type { NamedArtifact } from "./read-artifact.ts";
import { findMedium, type MediumAddress } from "./run-media.ts";

interface Dependencies {
  artifacts: Pick<ArtifactStore, "sizeOf" | "read">;
  training: Pick<TrainingCalls, "ask">;
}

/** The file is not what its trainer has said. */
export class MediaMismatchError extends Error {
  override name = "MediaMismatchError";
  constructor(sha256: string, problem: string) {
    super(`The file ${sha256} is not what the trainer said: ${problem}. Report it again as what it is.`);
  }
}

/** Bytes that can be answered, and where they are read. */
export interface MediaContent {
  artifact: NamedArtifact;
  artifacts: Pick<ArtifactStore, "read">;
}

/**
 * What a trainer has shown: the file that was uploaded, which is looked at before it is answered as the type that was said, or what was
 * reported inline.
 * @throws ArtifactMissingError, MediaMismatchError, TrainingUnavailableError, and what training refuses
 */
export async function mediaContent(
  { artifacts, training }: Dependencies,
  caller: ForwardedCaller & Pick<Caller, "organisationId">,
  address: MediumAddress,
): Promise<MediaContent> {
  const { organisationId } = caller;
  const { fileName, mediaType, source } = await findMedium(training, caller, address);
  const contentType = mediaType === "text/plain" ? "text/plain; charset=utf-8" : mediaType;
  if (source.case === "file") {
    const { sha256, sizeBytes } = await judgedFile(artifacts, organisationId, source.value);
    return { artifact: { organisationId, sha256, sizeBytes, fileName, contentType }, artifacts };
  }
  const bytes = source.value ?? new Uint8Array();
  const artifact = { organisationId, sha256: sha256Of(bytes), sizeBytes: bytes.byteLength, fileName, contentType };
  return { artifact, artifacts: inMemory(bytes) };
}

async function judgedFile(
  artifacts: Dependencies["artifacts"],
  organisationId: string,
  { sha256, mediaType, sizeBytes: said }: MediaFile,
): Promise<{ sha256: string; sizeBytes: number }> {
  const sizeBytes = await artifacts.sizeOf(organisationId, sha256);
  if (sizeBytes === undefined) throw new ArtifactMissingError(sha256);
  if (sizeBytes !== Number(said) || !isJudged(mediaType, sizeBytes)) {
    throw new MediaMismatchError(sha256, `it has ${sizeBytes} bytes instead of ${said}`);
  }
  const head = { offset: 0, length: judgedBytes(mediaType, sizeBytes) };
  const pieces = await Array.fromAsync(artifacts.read(organisationId, sha256, head));
  const problem = mediaProblem(mediaType, Buffer.concat(pieces));
  if (problem) throw new MediaMismatchError(sha256, problem);
  return { sha256, sizeBytes };
}

function inMemory(bytes: Uint8Array): Pick<ArtifactStore, "read"> {
  return {
    async *read(_organisationId, _sha256, range) {
      yield range ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
    },
  };
}
