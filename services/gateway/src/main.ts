import { runServiceProgram } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startGateway } from "./gateway-service.ts";

await runServiceProgram({
  start: () => startGateway(readConfig(process.env)),
  check: async (process) => (await import("./diagnostics.ts")).check(process),
});
