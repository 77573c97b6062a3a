import type { Page } from "@aiplatform/document-store";
import type { ListPageRequest } from "@aiplatform/list-filter";
import { NotFoundError } from "@aiplatform/service-kit/not-found";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { StoredMedium } from "../media/media.ts";
import type { ArchivedSteps, MediaName, MediaStore } from "../media/media-store.ts";
import { cutsOf } from "../run-metrics/job-live.ts";
import type { JobDirectory } from "../runs/job-directory.ts";

export interface ListMediaDependencies {
  directory: Pick<JobDirectory, "get">;
  logs: Pick<JobLogs, "currentState">;
  media: Pick<MediaStore, "list" | "names" | "find">;
}

/** A run, and the pipeline that it is said to be of. */
export interface MediaAddress {
  pipelineId: string;
  runId: string;
  /** Default: no. */
  includeArchived?: boolean | undefined;
}

/** There is no such medium in the run. */
export class MediumNotFoundError extends NotFoundError {
  override name = "MediumNotFoundError";
}

/**
 * A page of a run's media. They are `archived` also where a later rollback or warm restart has archived their steps.
 * @throws JobNotFoundError, InvalidListRequestError, InvalidCursorError
 */
export async function listMedia(
  dependencies: ListMediaDependencies,
  organisationId: string,
  { runId, includeArchived, ...address }: MediaAddress,
  request: ListPageRequest,
): Promise<Page<StoredMedium>> {
  const cuts = await archivedSteps(dependencies, organisationId, { ...address, runId });
  const of = { runId, without: includeArchived ? undefined : cuts };
  const { items, nextCursor } = await dependencies.media.list(organisationId, of, request);
  return {
    items: items.map((medium) => ({ ...medium, archived: medium.archived || isCut(medium, cuts) })),
    nextCursor,
  };
}

/** Under which names a run has media. @throws JobNotFoundError */
export async function listMediaNames(
  dependencies: ListMediaDependencies,
  organisationId: string,
  { runId, includeArchived, ...address }: MediaAddress,
): Promise<MediaName[]> {
  const cuts = await archivedSteps(dependencies, organisationId, { ...address, runId });
  return dependencies.media.names(organisationId, { runId, without: includeArchived ? undefined : cuts });
}

/** One of a run's media. @throws JobNotFoundError, MediumNotFoundError */
export async function findMedium(
  { directory, media }: Pick<ListMediaDependencies, "directory" | "media">,
  organisationId: string,
  { pipelineId, runId, mediaId }: { pipelineId: string; runId: string; mediaId: string },
): Promise<StoredMedium> {
  await directory.get(organisationId, { pipelineId, runId });
  const found = await media.find(organisationId, runId, mediaId);
  if (!found) throw new MediumNotFoundError(mediaId);
  return found;
}

/** What rollbacks and warm restarts have archived, of all jobs of a run. @throws JobNotFoundError */
async function archivedSteps(
  { directory, logs }: Pick<ListMediaDependencies, "directory" | "logs">,
  organisationId: string,
  address: { pipelineId: string; runId: string },
): Promise<ArchivedSteps[]> {
  const { run } = await directory.get(organisationId, address);
  const ofJobs = run.jobs.map(async ({ name: jobName }) => {
    const { segments } = await logs.currentState({ organisationId, ...address, jobName });
    return [...cutsOf(segments).archivedFromStep].map(([segment, above]) => ({ jobName, segment, above }));
  });
  return (await Promise.all(ofJobs)).flat();
}

function isCut({ jobName, segment, step }: StoredMedium, cuts: readonly ArchivedSteps[]): boolean {
  return cuts.some((cut) => cut.jobName === jobName && cut.segment === segment && step > cut.above);
}
