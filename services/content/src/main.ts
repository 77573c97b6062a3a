import { runUntilSignal } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startContentService } from "./content-service.ts";

await runUntilSignal(() => startContentService(readConfig(process.env)));
