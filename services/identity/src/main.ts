import { runServiceProgram } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startIdentityService } from "./identity-service.ts";

await runServiceProgram({
  start: () => startIdentityService(readConfig(process.env)),
  check: async (process) => (await import("./diagnostics.ts")).check(process),
});
