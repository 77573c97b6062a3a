import { runUntilSignal } from "@aiplatform/service-host";
import { readConfig } from "./config.ts";
import { startTrainingService } from "./training-service.ts";

await runUntilSignal(() => startTrainingService(readConfig(process.env)));
