import { ModelVersionStatus } from "@aiplatform/contract/aiplatform/deployments/v1/models";
import { JobState, TrainingJobSchema } from "@aiplatform/contract/aiplatform/training/v1/runs";
import { JsonObjectSchema } from "@aiplatform/contract/transcoder/v1/json";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { until } from "../infra/wait.ts";
import { as, type DemoClients, unless } from "./demo-clients.ts";

/** The model of the demo. */
export interface ModelIds {
  model_id: string;
}

/** What the demo's model is made with. */
export interface ModelPlan {
  /** A token of a member of the organisation. */
  bearer: string;
  /** The pipeline of the demo run: what that leaves one day is the model's next version. */
  pipelineId: string;
  job: MessageInitShape<typeof TrainingJobSchema>;
  /** Id of last time. */
  known: ModelIds | undefined;
  /** Has a trainer train the run to its end. */
  train: (runId: string) => Promise<void>;
  log: (line: string) => void;
}

/** Steps of the short run: some seconds, after which more than nine of ten test images are named rightly. */
const plannedSteps = 600;
const configuration = {
  planned_steps: plannedSteps,
  eval_every: plannedSteps,
  checkpoint_every: plannedSteps,
  log_every: 20,
};
const registeredWithinMs = 60_000;

/**
 * Makes a model that can be deployed, or finds it: a run as short as may be is trained to its end, and what it leaves is
 * registered as every run's result is. A run that came to a bad end is followed by another at the next start.
 */
export async function seedModel(clients: DemoClients, plan: ModelPlan): Promise<ModelIds> {
  const { bearer, known } = plan;
  if (known && (await unless(clients.models.getModel({ modelId: known.model_id }, as(bearer)), Code.NotFound))) {
    return known;
  }
  const runId = await finishedRun(clients, plan);
  return { model_id: await modelOfRun(clients, plan, runId) };
}

async function finishedRun({ runs }: DemoClients, { bearer, pipelineId, job, train, log }: ModelPlan): Promise<string> {
  const short = create(TrainingJobSchema, job);
  short.configuration = create(JsonObjectSchema, { text: JSON.stringify(configuration) });
  const wanted = { pipelineId, name: "digits in a few seconds", jobs: [short] };
  const stateOf = async (runId: string) => (await runs.getRun({ runId }, as(bearer))).run?.jobs[0]?.state;
  // A start that is cut short makes no second run: the next goes on with the one that this key has made.
  for (let before = ""; ; ) {
    const { run } = await runs.createRun({ ...wanted, idempotencyKey: `demo model${before}` }, as(bearer));
    const runId = run?.id ?? "";
    let state = await stateOf(runId);
    if (state !== JobState.COMPLETED && state !== JobState.FAILED && state !== JobState.ABORTED) {
      log("training a first model, which takes some seconds");
      await train(runId);
      state = await stateOf(runId);
      if (state !== JobState.COMPLETED) throw new Error(`the run ${runId} produced no model`);
    }
    if (state === JobState.COMPLETED) return runId;
    before = ` after ${runId}`;
  }
}

/** Waits until what the run has left is a ready version of a model. */
async function modelOfRun({ models }: DemoClients, { bearer, pipelineId }: ModelPlan, runId: string): Promise<string> {
  const look = async () => {
    const all = await models.listModels({ limit: 1_000 }, as(bearer));
    const model = all.models.find((each) => each.pipelineId === pipelineId);
    if (!model) return undefined;
    const { versions } = await models.listModelVersions({ modelId: model.id, limit: 1_000 }, as(bearer));
    const version = versions.find(({ source }) => source?.runId === runId);
    if (version?.status === ModelVersionStatus.FAILED)
      throw new Error(`the model has no version: ${version.statusDetail}`);
    return version?.status === ModelVersionStatus.READY ? model.id : undefined;
  };
  const otherwise = () => new Error(`the result of the run ${runId} was not registered as a model version`);
  return until(look, { withinMs: registeredWithinMs, everyMs: 50, otherwise });
}
