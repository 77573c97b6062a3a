import type { ClientSession, Outbox } from "@aiplatform/document-store";
import { InvalidFieldsError } from "@aiplatform/service-host";
import { NotFoundError } from "../errors.ts";
import { runCreated } from "../events.ts";
import type { PipelineStore } from "../pipelines/pipeline-store.ts";
import type { JobDeclaration, Run } from "./run.ts";
import type { RunStore } from "./run-store.ts";

/** What creating a run needs. */
export interface CreateRunDependencies {
  pipelines: PipelineStore;
  runs: RunStore;
  outbox: Pick<Outbox, "stage">;
  clock: () => Date;
  newId: () => string;
}

/** What is wanted. */
export interface NewRun {
  pipelineId: string;
  name: string;
  jobs: JobDeclaration[];
}

/** Creates a run with its jobs. Throws NotFoundError without the pipeline, InvalidFieldsError for a name that is there twice. */
export async function createRun(
  { pipelines, runs, outbox, clock, newId }: CreateRunDependencies,
  organisationId: string,
  wanted: NewRun,
  session: ClientSession,
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
  const run = { ...wanted, id: newId(), organisationId, createdAt: clock() };
  await runs.insert(organisationId, run, session);
  await outbox.stage(session, runCreated(run));
  return run;
}

function assertDistinct(field: string, names: string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  throw new InvalidFieldsError([{ field, reason: "DUPLICATE_NAME", description: `${twice} is there twice` }]);
}
