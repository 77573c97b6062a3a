import type { Platform } from "@aiplatform/service-host";
import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";

/** Where the bytes of uploads wait until they are whole. What one replica took another can go on with. */
export interface UploadStore {
  /** Bytes that have arrived without a gap, from the first. */
  receivedBytes(organisationId: string, sha256: string): Promise<number>;
  /** Keeps bytes durably at their place; again at the same place has one effect. */
  write(organisationId: string, sha256: string, piece: { offset: number; bytes: Uint8Array }): Promise<void>;
  /** Everything that has arrived without a gap; nothing when there is no such upload. */
  read(organisationId: string, sha256: string): AsyncIterable<Uint8Array>;
  forget(organisationId: string, sha256: string): Promise<void>;
  /** Uploads of the organisation that are not whole yet. */
  count(organisationId: string): Promise<number>;
  /** Forgets every upload of an organisation. @throws ArtifactsUnavailableError, the reason of `signal` */
  forgetAll(organisationId: string, signal: AbortSignal): Promise<void>;
  /** Forgets uploads without a write since then, and what killed processes left behind. */
  sweep(before: Date): Promise<void>;
}

const dayMs = 86_400_000;
const everyMs = 3_600_000;

/** Forgets uploads without a new part for a day, once an hour. */
export function sweepUploads({
  uploads,
  clock,
  ...platform
}: Pick<Platform, "clock"> & WorkerPlatform & { uploads: Pick<UploadStore, "sweep"> }): Worker {
  const round = () => uploads.sweep(new Date(clock().getTime() - dayMs));
  return startWorker(platform, { name: "upload-sweep", pauseMs: everyMs, round });
}
