import {
  createLogger,
  createMeshTransport,
  MeshIdentity,
  outgoingCallInterceptor,
  SettingsError,
  type SettingsValues,
  startTelemetry,
} from "@aiplatform/service-host";
import { type RunningTrainer, runTrainer, type TrainerOptions } from "@aiplatform/trainer";
import { MnistWorkload } from "./mnist-workload.ts";
import { workOffPipeline } from "./pipeline/work-off-pipeline.ts";
import type { trainerSettings } from "./settings.ts";

export type TrainerConfig = SettingsValues<typeof trainerSettings>;

/**
 * Trains the digit classifier for a job of the platform, or works off the queued jobs of a pipeline.
 * @throws SettingsError, JournalError, DirectoryInUseError
 */
export async function startTrainer(config: TrainerConfig): Promise<RunningTrainer> {
  if ((config.RUN_ID === undefined) === (config.PIPELINE_ID === undefined)) {
    throw new SettingsError(["one of RUN_ID and PIPELINE_ID has to be set, and not both"]);
  }
  const logger = createLogger({ service: "mnist-trainer", level: config.LOG_LEVEL });
  const log = (line: string) => logger.info(line);
  const tls = MeshIdentity.open(config, logger);
  const telemetry = startTelemetry({ service: "mnist-trainer", config });
  const { tracer } = telemetry;
  const interceptors = [outgoingCallInterceptor({ tracer })];
  const transport = createMeshTransport({ addresses: config.TRAINING_ADDRESS, channels: 1, interceptors, tls });
  try {
    const trainer = await begin(config, { transport, log, tracer });
    const done = trainer.done.then(async (how) => {
      transport.close();
      tls?.close();
      await telemetry.close();
      log(`nothing more to do: ${how}`);
      return how;
    });
    const stop = async () => {
      await trainer.stop();
      await done;
    };
    return { done, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    transport.close();
    tls?.close();
    await telemetry.close();
    throw error;
  }
}

async function begin(
  config: TrainerConfig,
  parts: Pick<TrainerOptions, "transport" | "log" | "tracer">,
): Promise<RunningTrainer> {
  const { API_KEY: apiKey, DATA_DIRECTORY: directory, STEPS_PER_SECOND: stepsPerSecond } = config;
  const options = { ...parts, apiKey, directory, stepsPerSecond };
  const { RUN_ID: runId, PIPELINE_ID: pipelineId, JOB_NAME: jobName, MODEL_DIRECTORIES: modelDirectories } = config;
  if (pipelineId !== undefined) return workOffPipeline({ ...options, pipelineId, modelDirectories });
  return await runTrainer({ ...options, runId: runId ?? "", jobName }, await MnistWorkload.open(directory, parts.log));
}
