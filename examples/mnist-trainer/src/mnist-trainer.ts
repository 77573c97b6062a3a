import { createLogger, createMeshTransport, type SettingsValues } from "@aiplatform/service-host";
import { type RunningTrainer, runTrainer } from "./agent/run-trainer.ts";
import { MnistWorkload } from "./mnist-workload.ts";
import type { trainerSettings } from "./settings.ts";

export type TrainerConfig = SettingsValues<typeof trainerSettings>;

/** Trains the digit classifier for a job of the platform. @throws JournalError, DirectoryInUseError */
export async function startTrainer(config: TrainerConfig): Promise<RunningTrainer> {
  const logger = createLogger({ service: "mnist-trainer", level: config.LOG_LEVEL });
  const says = (line: string) => logger.info(line);
  const transport = createMeshTransport({ addresses: config.TRAINING_ADDRESS, channels: 1 });
  try {
    const workload = await MnistWorkload.open(config.DATA_DIRECTORY, says);
    const trainer = await runTrainer(
      {
        transport,
        apiKey: config.API_KEY,
        runId: config.RUN_ID,
        jobName: config.JOB_NAME,
        directory: config.DATA_DIRECTORY,
        stepsPerSecond: config.STEPS_PER_SECOND,
        says,
      },
      workload,
    );
    const done = trainer.done.then((how) => {
      transport.close();
      says(`nothing more to do: ${how}`);
      return how;
    });
    const stop = async () => {
      await trainer.stop();
      await done;
    };
    return { done, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    transport.close();
    throw error;
  }
}
