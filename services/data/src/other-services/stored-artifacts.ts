import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { credentialHeaders, type ForwardedCaller } from "@aiplatform/caller-identity";
import { DatasetArtifactService } from "@aiplatform/contract/aiplatform/deployments/v1/dataset_artifacts";
import { Peer, reasonOf } from "@aiplatform/service-kit/peer";
import type { Transport } from "@connectrpc/connect";

/** Time that deployments has for a short answer, ms. */
const timeoutMs = 10_000;
/** Bytes that are sent at once. */
const pieceBytes = 256 * 1024;

/** The service that keeps artifacts cannot be asked. */
export class ArtifactsUnavailableError extends Error {
  override name = "ArtifactsUnavailableError";
  constructor(why: string, cause?: unknown) {
    super(`The service that keeps artifacts ${why}. Nothing was changed.`, { cause });
  }
}

/** What is stored is not what its digest says, or is gone. */
export class ArtifactLostError extends Error {
  override name = "ArtifactLostError";
  constructor(sha256: string, why: string) {
    super(`the artifact ${sha256} ${why}`);
  }
}

/** An artifact of an organisation. */
export interface ArtifactRef {
  organisationId: string;
  sha256: string;
}

/** A part of an artifact. */
export interface ArtifactRange {
  offset: number;
  length: number;
}

/** The artifacts of organisations, which deployments keeps. */
export class StoredArtifacts {
  readonly #deployments: Peer;

  /** `connect` is called at the first question. `addresses`: none where deployments is not set up. */
  constructor(connect: (addresses: readonly string[]) => Transport, addresses: readonly string[]) {
    this.#deployments = new Peer({
      ...{ connect, addresses },
      unknown: "is not known here: DEPLOYMENTS_ADDRESS is not set in data",
      keepsReasons: true,
      unavailable: (why, cause) => new ArtifactsUnavailableError(why, cause),
    });
  }

  /** Sizes of those that are stored, by digest, asked in the caller's name. @throws ArtifactsUnavailableError, and what deployments refuses */
  async sizes(caller: ForwardedCaller, digests: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const options = { headers: credentialHeaders(caller, "deployments"), timeoutMs };
    const artifactSha256s = [...new Set(digests)];
    const { artifacts } = await this.#deployments.ask(DatasetArtifactService, (client) =>
      client.describeDatasetArtifacts({ artifactSha256s }, options),
    );
    return new Map(artifacts.map(({ artifactSha256, sizeBytes }) => [artifactSha256, Number(sizeBytes)]));
  }

  /** The bytes, or those of a range. @throws ArtifactsUnavailableError, ArtifactLostError */
  async *read(
    { organisationId, sha256: artifactSha256 }: ArtifactRef,
    { range, signal }: { range?: ArtifactRange | undefined; signal?: AbortSignal | undefined },
  ): AsyncGenerator<Uint8Array> {
    const part = { offset: BigInt(range?.offset ?? 0), lengthBytes: BigInt(range?.length ?? 0) };
    const client = this.#deployments.client(DatasetArtifactService);
    try {
      const request = { organisationId, artifactSha256, ...part };
      for await (const { data } of client.readDatasetArtifact(request, { ...(signal && { signal }) })) yield data;
    } catch (error) {
      if (reasonOf(error) === "ARTIFACT_MISSING") throw new ArtifactLostError(artifactSha256, "is gone");
      throw this.#deployments.translated(error);
    }
  }

  /** Writes an artifact to a new file, and makes sure that it is whole. @throws ArtifactsUnavailableError, ArtifactLostError */
  async download(artifact: ArtifactRef, path: string, signal: AbortSignal): Promise<void> {
    const digest = createHash("sha256");
    await using file = await open(path, "w", 0o644);
    for await (const piece of this.read(artifact, { signal })) {
      digest.update(piece);
      await file.writeFile(piece);
    }
    await file.sync();
    if (digest.digest("hex") !== artifact.sha256) throw new ArtifactLostError(artifact.sha256, "has other bytes");
  }

  /** Stores a file as an artifact; what is stored already stays. @throws ArtifactsUnavailableError, and what deployments refuses */
  async store(
    { organisationId, sha256: artifactSha256 }: ArtifactRef,
    { path, sizeBytes }: { path: string; sizeBytes: number },
    signal: AbortSignal,
  ): Promise<void> {
    async function* pieces() {
      yield { organisationId, artifactSha256, sizeBytes: BigInt(sizeBytes) };
      for await (const data of createReadStream(path, { highWaterMark: pieceBytes })) yield { data };
    }
    await this.#deployments.ask(DatasetArtifactService, (client) => client.storeDatasetArtifact(pieces(), { signal }));
  }

  /** The same of bytes. @throws as {@link store} */
  async storeBytes(
    { organisationId, sha256: artifactSha256 }: ArtifactRef,
    bytes: Uint8Array,
    signal: AbortSignal,
  ): Promise<void> {
    async function* pieces() {
      yield { organisationId, artifactSha256, sizeBytes: BigInt(bytes.byteLength) };
      for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield { data: bytes.subarray(at, at + pieceBytes) };
    }
    await this.#deployments.ask(DatasetArtifactService, (client) => client.storeDatasetArtifact(pieces(), { signal }));
  }

  /** Removes those that nothing refers to. @throws ArtifactsUnavailableError */
  async erase(organisationId: string, digests: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#deployments.ask(DatasetArtifactService, (client) =>
      client.eraseDatasetArtifacts({ organisationId, artifactSha256s: [...digests] }, { signal }),
    );
  }
}
