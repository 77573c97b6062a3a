import { runServiceProgram } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startDeploymentsService } from "./deployments-service.ts";

await runServiceProgram({
  start: () => startDeploymentsService(readConfig(process.env)),
  check: async (process) => (await import("./diagnostics.ts")).check(process),
});
