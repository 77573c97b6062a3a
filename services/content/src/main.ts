import { runServiceProgram } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startContentService } from "./content-service.ts";

await runServiceProgram({
  start: () => startContentService(readConfig(process.env)),
  check: async (process) => (await import("./diagnostics.ts")).check(process),
});
