// A trainer as a process of its own, for tests that kill it.
import { createMeshTransport, runUntilSignal } from "@aiplatform/service-host";
import { runTrainer } from "@aiplatform/trainer";
import { decayWorkload } from "./decay-workload.ts";

await runUntilSignal(async () => {
  const { ADDRESS = "", RUN_ID: runId = "", JOB_NAME: jobName = "", DATA_DIRECTORY: directory = "" } = process.env;
  const transport = createMeshTransport({ addresses: ADDRESS, channels: 1 });
  const options = { transport, apiKey: "key", runId, jobName, directory, stepsPerSecond: 300, log: () => {} };
  const trainer = await runTrainer(options, await decayWorkload(directory));
  const stop = async () => {
    await trainer.stop();
    transport.close();
  };
  return { name: "decay-trainer", addresses: {}, stop, [Symbol.asyncDispose]: stop };
});
