import { runServiceProgram } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startTrainingService } from "./training-service.ts";

await runServiceProgram({
  start: () => startTrainingService(readConfig(process.env)),
  check: async (process) => (await import("./diagnostics.ts")).check(process),
});
