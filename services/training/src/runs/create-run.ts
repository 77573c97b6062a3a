import { isDeepStrictEqual } from "node:util";
import { isDuplicateKey } from "@aiplatform/document-store";
import { IdTakenError, InvalidFieldsError, NotFoundError } from "../errors.ts";
import { runCreated } from "../events.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { Staging } from "../staging.ts";
import type { JobDeclaration, Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** What creating a run needs. */
export interface CreateRunDependencies extends Staging {
  pipelines: PipelineStore;
  runs: RunStore;
  clock: () => Date;
  newId: () => string;
}

/** What is wanted. */
export interface NewRun {
  id?: string;
  pipelineId: string;
  name: string;
  jobs: JobDeclaration[];
}

/**
 * Creates a run with its jobs. With an id of the caller's, a repeat answers the first one.
 * Throws NotFoundError without the pipeline, IdTakenError when the id names something else.
 */
export async function createRun(
  { pipelines, runs, outbox, transaction, clock, newId }: CreateRunDependencies,
  organisationId: string,
  wanted: NewRun,
): Promise<Run> {
  assertDistinct(
    "jobs",
    wanted.jobs.map(({ name }) => name),
  );
  for (const [index, job] of wanted.jobs.entries()) {
    assertDistinct(
      `jobs[${index}].overrides`,
      job.overrides.map(({ key }) => key),
    );
  }
  if (!(await pipelines.find(organisationId, wanted.pipelineId))) throw new NotFoundError();
  const run = { ...wanted, id: wanted.id ?? newId(), organisationId, createdAt: clock() };
  try {
    await transaction(async (session) => {
      await runs.insert(organisationId, run, session);
      await outbox.stage(session, runCreated(run));
    });
    return run;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const earlier = await runs.find(organisationId, run.id);
  if (!earlier || !isDeepStrictEqual(declared(earlier), declared(run))) throw new IdTakenError(run.id);
  return earlier;
}

function declared({ pipelineId, name, jobs }: Run): Omit<NewRun, "id"> {
  return { pipelineId, name, jobs };
}

function assertDistinct(field: string, names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new InvalidFieldsError([{ field, reason: "DUPLICATE_NAME", description: `${twice} is there twice` }]);
}
