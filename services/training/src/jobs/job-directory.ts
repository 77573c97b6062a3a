import { LRUCache } from "lru-cache";
import type { JobDeclaration, Run } from "../runs/run.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { JobReference } from "./job-head.ts";

/** What has to belong together. */
export interface JobAddress {
  pipelineId?: string;
  runId: string;
  jobName?: string;
}

/** A run, and one of its jobs: the one named, else the one declared first. */
export interface DirectoryEntry {
  run: Run;
  jobs: JobDeclaration[];
  job: JobDeclaration;
  reference: JobReference;
}

/** Finds jobs by what their callers know of them. Runs never change, so the ones found are remembered. */
export class JobDirectory {
  readonly #runs: RunStore;
  readonly #found: LRUCache<string, Run>;

  constructor(runs: RunStore, cachedRuns = 10_000) {
    this.#runs = runs;
    this.#found = new LRUCache({ max: cachedRuns });
  }

  /** Undefined unless the organisation has the run, the run is of that pipeline, and it has that job. */
  async find(organisationId: string, { pipelineId, runId, jobName }: JobAddress): Promise<DirectoryEntry | undefined> {
    const run = await this.#run(organisationId, runId);
    if (!run || (pipelineId !== undefined && run.pipelineId !== pipelineId)) return undefined;
    const job = jobName === undefined ? run.jobs[0] : run.jobs.find(({ name }) => name === jobName);
    if (!job) return undefined;
    const reference = { organisationId, pipelineId: run.pipelineId, runId, jobName: job.name };
    return { run, jobs: run.jobs, job, reference };
  }

  async #run(organisationId: string, runId: string): Promise<Run | undefined> {
    const key = `${organisationId}:${runId}`;
    const known = this.#found.get(key);
    if (known) return known;
    const run = await this.#runs.find(organisationId, runId);
    if (run) this.#found.set(key, run);
    return run;
  }
}
