import { readSettings, runUntilSignal } from "@aiplatform/service-host";
import { startTrainer } from "./mnist-trainer.ts";
import { trainerSettings } from "./settings.ts";

await runUntilSignal(async () => {
  const config = readSettings(trainerSettings, process.env);
  const trainer = await startTrainer(config);
  if (config.EXIT_WHEN_ENDED) void trainer.done.then(() => process.kill(process.pid, "SIGTERM"));
  return { name: "mnist-trainer", addresses: {}, ...trainer };
});
