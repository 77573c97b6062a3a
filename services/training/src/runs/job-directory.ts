import { NotFoundError } from "@aiplatform/service-kit/not-found";
import { LRUCache } from "lru-cache";
import type { JobReference } from "../job-log/job-entry.ts";
import type { JobDeclaration, Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** What has to belong together; without a name, the job that is declared first. */
export interface JobAddress {
  pipelineId?: string | undefined;
  runId: string;
  jobName?: string | undefined;
}

/** A run and one of its jobs. */
export interface DirectoryEntry {
  run: Run;
  job: JobDeclaration;
  reference: JobReference;
}

/** The address in the spelling in which ids are stored. */
export function addressOf({ pipelineId, runId, jobName }: Required<JobAddress>) {
  return { pipelineId, runId, jobName };
}

/** The job does not exist, or belongs to another organisation: the two look the same. */
export class JobNotFoundError extends NotFoundError {
  override name = "JobNotFoundError";
}

const maxCachedRuns = 10_000;

/**
 * Finds jobs by what their callers know of them. Jobs never change, so runs are cached, for a while: the message that a run was
 * deleted may be lost.
 */
export class JobDirectory {
  readonly #runs: Pick<RunStore, "find">;
  /** By the run's id, which is unique over all organisations. */
  readonly #cache: LRUCache<string, Run>;
  /** Raised with each run that is forgotten: what was read before may be of that run. */
  #generation = 0;

  /** `maxAgeMs`: how long a run is believed to be there. */
  constructor(runs: Pick<RunStore, "find">, { maxAgeMs }: { maxAgeMs: number }) {
    this.#runs = runs;
    this.#cache = new LRUCache({ max: maxCachedRuns, ttl: maxAgeMs });
  }

  /** @throws JobNotFoundError where {@link find} finds none */
  async get(organisationId: string, address: JobAddress): Promise<DirectoryEntry> {
    const found = await this.find(organisationId, address);
    if (!found) throw new JobNotFoundError();
    return found;
  }

  /** Undefined unless the organisation has the run, the run is of that pipeline, and it has that job. */
  async find(organisationId: string, { pipelineId, runId, jobName }: JobAddress): Promise<DirectoryEntry | undefined> {
    const run = await this.#run(organisationId, runId);
    if (!run || (pipelineId !== undefined && run.pipelineId !== pipelineId)) return undefined;
    const job = jobName === undefined ? run.jobs[0] : run.jobs.find(({ name }) => name === jobName);
    if (!job) return undefined;
    const reference = { organisationId, pipelineId: run.pipelineId, runId, jobName: job.name };
    return { run, job, reference };
  }

  /** The run was deleted. */
  forget(runId: string): void {
    this.#generation++;
    this.#cache.delete(runId);
  }

  async #run(organisationId: string, runId: string): Promise<Run | undefined> {
    const known = this.#cache.get(runId);
    if (known) return known.organisationId === organisationId ? known : undefined;
    const generation = this.#generation;
    const run = await this.#runs.find(organisationId, runId);
    if (run && generation === this.#generation) this.#cache.set(runId, run);
    return run;
  }
}
