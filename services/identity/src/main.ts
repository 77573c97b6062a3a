import { runUntilSignal } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startIdentityService } from "./identity-service.ts";

await runUntilSignal(() => startIdentityService(readConfig(process.env)));
