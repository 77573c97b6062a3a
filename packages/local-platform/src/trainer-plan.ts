import { join } from "node:path";
import { mnistJob } from "@aiplatform/mnist-trainer";
import { addressOf, mainOf, type ProcessPlan, type Topology } from "./topology.ts";

/** The trainer writes a checkpoint when it is asked to stop. */
const graceMs = 20_000;

/** How a run is trained. */
export interface TrainerOptions {
  runId: string;
  /** Holds what a trainer needs. */
  apiKey: string;
  directory: string;
  stepsPerSecond?: number;
}

/** The example trainer at work on a run; its checkpoints and results stay in the platform's directory. */
export function trainerPlan(
  topology: Topology,
  { runId, apiKey, directory, stepsPerSecond }: TrainerOptions,
): ProcessPlan {
  return {
    name: "trainer",
    main: mainOf("examples/mnist-trainer"),
    env: {
      TRAINING_ADDRESS: topology.training.map(({ grpc }) => addressOf(grpc)).join(","),
      API_KEY: apiKey,
      RUN_ID: runId,
      JOB_NAME: mnistJob.name,
      // Of its own for each run: a new run begins with nothing.
      DATA_DIRECTORY: join(directory, "trainer", runId),
      ...(stepsPerSecond !== undefined && { STEPS_PER_SECOND: String(stepsPerSecond) }),
    },
    graceMs,
  };
}

/** Steps that the queued jobs of the demo are trained at, each second: soon over, and something is left for the others. */
const workingStepsPerSecond = 400;

/** The example trainer at work on whatever is queued in a pipeline, such as what automations have started. */
export function pipelineTrainerPlan(
  topology: Topology,
  { pipelineId, apiKey, directory }: Omit<TrainerOptions, "runId" | "stepsPerSecond"> & { pipelineId: string },
): ProcessPlan {
  return {
    name: "pipeline-trainer",
    main: mainOf("examples/mnist-trainer"),
    env: {
      TRAINING_ADDRESS: topology.training.map(({ grpc }) => addressOf(grpc)).join(","),
      API_KEY: apiKey,
      PIPELINE_ID: pipelineId,
      // Beside what the other trainer keeps of its run: models of both can be evaluated.
      DATA_DIRECTORY: join(directory, "trainer"),
      STEPS_PER_SECOND: String(workingStepsPerSecond),
    },
    graceMs,
  };
}
