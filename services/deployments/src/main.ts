import { runUntilSignal } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startDeploymentsService } from "./deployments-service.ts";

await runUntilSignal(() => startDeploymentsService(readConfig(process.env)));
