import type { Platform } from "@aiplatform/service-host";
import { startWorker, type Worker, type WorkerPlatform } from "@aiplatform/service-kit";
import type { UploadSpace } from "./upload-space.ts";

const dayMs = 86_400_000;
const everyMs = 3_600_000;

/** Forgets uploads without a new part for a day, once an hour, until it is disposed of. */
export function sweepUploads({
  uploads,
  clock,
  ...platform
}: Pick<Platform, "clock"> & WorkerPlatform & { uploads: Pick<UploadSpace, "sweep"> }): Worker {
  const round = () => uploads.sweep(new Date(clock().getTime() - dayMs));
  return startWorker(platform, { name: "upload-sweep", pauseMs: everyMs, round });
}
