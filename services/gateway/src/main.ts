import { runUntilSignal } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startGateway } from "./gateway-service.ts";

await runUntilSignal(() => startGateway(readConfig(process.env)));
