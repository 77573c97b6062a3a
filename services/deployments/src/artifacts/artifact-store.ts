import { createHash } from "node:crypto";

/** Artifacts by their digests, each organisation's apart from the others'. Safe to use from any number of replicas. */
export interface ArtifactStore extends AsyncDisposable {
  /** Size of a whole artifact, undefined when it is not there. */
  sizeOf(organisationId: string, sha256: string): Promise<number | undefined>;
  /** The artifacts of an organisation that are whole, in any order. */
  list(organisationId: string): AsyncIterable<ListedArtifact>;
  /**
   * Stores bytes, verifying them while they stream, and answers their number; what is there already is not read again.
   * @throws ArtifactDigestError, ArtifactTooLargeError, ArtifactsUnavailableError; nothing is stored then
   */
  put(
    organisationId: string,
    artifact: { sha256: string; sizeBytes?: number },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<number>;
  /**
   * Streams the bytes, and throws ArtifactDigestError at their end when they are no longer what was stored. Of a range, only its
   * reader can tell, who has the rest.
   * @throws ArtifactMissingError
   */
  read(organisationId: string, sha256: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Removes an artifact; one that is not there is removed. @throws ArtifactsUnavailableError */
  remove(organisationId: string, sha256: string): Promise<void>;
  /** Removes every artifact of an organisation, one after the other. @throws ArtifactsUnavailableError, the reason of `signal` */
  removeAll(organisationId: string, signal: AbortSignal): Promise<void>;
  /** @throws when artifacts can be neither read nor written */
  ping(signal: AbortSignal): Promise<void>;
}

/** A part of an artifact that is not empty. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** An artifact that is stored. */
export interface ListedArtifact {
  sha256: string;
  sizeBytes: number;
}

/** The bytes are not those of the digest. */
export class ArtifactDigestError extends Error {
  override name = "ArtifactDigestError";
  readonly field = "artifact_sha256";
  constructor(description = "the bytes are not those of the digest") {
    super(description);
  }
}

/** The artifact is larger than artifacts may be. */
export class ArtifactTooLargeError extends Error {
  override name = "ArtifactTooLargeError";
  constructor(maxBytes: number) {
    super(`The artifact is larger than ${maxBytes} bytes, which is what an artifact may have`);
  }
}

/** There is no artifact of that digest in the organisation. */
export class ArtifactMissingError extends Error {
  override name = "ArtifactMissingError";
  readonly sha256: string;
  constructor(sha256: string) {
    super(`There is no artifact of the digest ${sha256}`);
    this.sha256 = sha256;
  }
}

/** The volume or the bucket does not do what it should; the cause is for the log. */
export class ArtifactsUnavailableError extends Error {
  override name = "ArtifactsUnavailableError";
  constructor(cause?: unknown) {
    super("The artifacts cannot be reached", { cause });
  }
}

/** SHA-256 of bytes that are in memory, hexadecimal. */
export function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const organisationPattern = /^[0-9A-Za-z-]{1,64}$/;
const digestPattern = /^[0-9a-f]{64}$/;

/** Whether a text is a SHA-256, in lower-case hexadecimal. */
export function isSha256(text: string): boolean {
  return digestPattern.test(text);
}

/** Where the artifacts of an organisation lie, below the root of a store. @throws TypeError for what can be no id */
export function folderOfOrganisation(organisationId: string): string {
  if (!organisationPattern.test(organisationId)) throw new TypeError("that is no organisation's id");
  return organisationId;
}

/** Where an artifact lies, below the root of a store. @throws TypeError for what can be no id or no digest */
export function pathOfArtifact(organisationId: string, sha256: string): string {
  const folder = folderOfOrganisation(organisationId);
  if (!isSha256(sha256)) throw new TypeError("that is no SHA-256");
  return `${folder}/${sha256.slice(0, 2)}/${sha256}`;
}
