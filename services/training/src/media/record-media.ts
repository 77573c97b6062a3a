import { InvalidFieldsError } from "@aiplatform/service-host";
import { v5 as namedId } from "uuid";
import type { JobKey } from "../job-log/job-entry.ts";
import type { JobNameStore } from "../job-names/job-name-store.ts";
import { mediaLimits, type NewMedium } from "./media.ts";
import type { MediaStore } from "./media-store.ts";

export interface AdmitMediaDependencies {
  mediaNames: Pick<JobNameStore, "known" | "add">;
}

export interface RecordMediaDependencies {
  media: Pick<MediaStore, "insert">;
  clock: () => Date;
}

/** Where media were reported. */
export interface MediaOrigin {
  segment: number;
  archived: boolean;
}

/**
 * Adds the names of media to the job's, before they are stored. Costs nothing while no name is new.
 * @throws InvalidFieldsError when they would be too many; then none is added
 */
export async function admitMedia(
  { mediaNames }: AdmitMediaDependencies,
  job: JobKey,
  media: readonly NewMedium[],
): Promise<void> {
  const known = mediaNames.known(job);
  const fresh = [...new Set(media.map(({ name }) => name))].filter((name) => !known.has(name));
  if (fresh.length === 0) return;
  const has = await mediaNames.add(job, fresh);
  const index = media.findIndex(({ name }) => !has.has(name));
  if (index < 0) return;
  const description =
    `would be more than the ${mediaLimits.namesPerJob} names that media of a job may have; report under a name that the job has ` +
    "already, or keep what differs each time (a step, an id) out of the name";
  throw new InvalidFieldsError([{ field: `media[${index}].name`, reason: "MEDIA_NAMES_TOO_MANY", description }]);
}

/**
 * Stores media. The id of each follows from what it shows, of which job and segment, so that whatever brings it again changes nothing:
 * a repeated report, or another one.
 */
export async function recordMedia(
  { media: store, clock }: RecordMediaDependencies,
  job: JobKey,
  media: readonly NewMedium[],
  { segment, archived }: MediaOrigin,
): Promise<void> {
  if (media.length === 0) return;
  const storedAt = clock();
  const stored = media.map(({ digest, ...medium }) => {
    const id = namedId(`media/${job.jobName}/${segment}/${digest}`, job.runId);
    return { ...medium, id, jobName: job.jobName, segment, archived, storedAt };
  });
  await store.insert(job, stored);
}
