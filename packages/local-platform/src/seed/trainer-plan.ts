import { join } from "node:path";
import { mnistJob } from "@aiplatform/mnist-trainer/mnist-job";
import { mainOf, type ProcessPlan } from "../infra/processes/process-plan.ts";

/** The trainer writes a checkpoint when it is asked to stop. */
const graceMs = 20_000;

interface TrainerOptions {
  /** The replicas of the training service, `host:port`. */
  trainingAddresses: readonly string[];
  /** Holds what a trainer needs. */
  apiKey: string;
  /** The platform's directory, where checkpoints and results stay. */
  directory: string;
}

/** The example trainer at work on a run. */
export function trainerPlan(
  options: TrainerOptions & { runId: string; stepsPerSecond?: number | undefined },
): ProcessPlan {
  const { runId, directory, stepsPerSecond } = options;
  const plan = mnistTrainer("trainer", options, {
    RUN_ID: runId,
    JOB_NAME: mnistJob.name,
    // Of its own for each run: a new run begins with nothing.
    DATA_DIRECTORY: join(directory, "trainer", runId),
  });
  if (stepsPerSecond !== undefined) plan.env["STEPS_PER_SECOND"] = String(stepsPerSecond);
  return plan;
}

/** Steps that the queued jobs of the demo are trained at, each second: soon over, and something is left for the others. */
const queuedStepsPerSecond = 400;

/** The example trainer at work on whatever is queued in a pipeline, such as what automations have started. */
export function pipelineTrainerPlan(options: TrainerOptions & { pipelineId: string }): ProcessPlan {
  return mnistTrainer("pipeline-trainer", options, {
    PIPELINE_ID: options.pipelineId,
    // Beside what the other trainer keeps of its run: models of both can be evaluated.
    DATA_DIRECTORY: join(options.directory, "trainer"),
    STEPS_PER_SECOND: String(queuedStepsPerSecond),
  });
}

function mnistTrainer(
  name: string,
  { trainingAddresses, apiKey }: TrainerOptions,
  env: Record<string, string>,
): ProcessPlan {
  return {
    name,
    main: mainOf("examples/mnist-trainer"),
    env: { TRAINING_ADDRESS: trainingAddresses.join(","), API_KEY: apiKey, ...env },
    graceMs,
  };
}
