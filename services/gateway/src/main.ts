import { readSettings, runUntilSignal } from "@aiplatform/service-host";
import { gatewaySettings } from "./config.ts";
import { startGateway } from "./gateway-service.ts";

await runUntilSignal(() => startGateway(readSettings(gatewaySettings, process.env)));
