import { join } from "node:path";
import { mnistJob } from "@aiplatform/mnist-trainer";
import type { Demo } from "./demo/seed-demo.ts";
import { addressOf, mainOf, type ProcessPlan, type Topology } from "./topology.ts";

/** The trainer writes a checkpoint when it is asked to stop. */
const graceMs = 20_000;

/** How the demo run is trained. */
export interface TrainerOptions {
  demo: Demo;
  directory: string;
  stepsPerSecond?: number;
}

/** The example trainer at work on the demo run; its checkpoints and results stay in the platform's directory. */
export function trainerPlan(topology: Topology, { demo, directory, stepsPerSecond }: TrainerOptions): ProcessPlan {
  return {
    name: "trainer",
    main: mainOf("examples/mnist-trainer"),
    env: {
      TRAINING_ADDRESS: topology.training.map(({ grpc }) => addressOf(grpc)).join(","),
      API_KEY: demo.trainerKey,
      RUN_ID: demo.demo.run_id,
      JOB_NAME: mnistJob.name,
      // Of its own for each run: a new run begins with nothing.
      DATA_DIRECTORY: join(directory, "trainer", demo.demo.run_id),
      ...(stepsPerSecond !== undefined && { STEPS_PER_SECOND: String(stepsPerSecond) }),
    },
    graceMs,
  };
}
