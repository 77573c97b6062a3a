import { type RunningProcess, runServiceProgram, type ServiceEnvironment } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startDataService } from "./data-service.ts";

export const start = (env: ServiceEnvironment): Promise<RunningProcess> => startDataService(readConfig(env));

// The local platform imports this file, to start the service beside others in one process.
if (import.meta.main)
  await runServiceProgram({
    start,
    check: async (process) => (await import("./diagnostics.ts")).check(process),
  });
