import { serveWithKeys } from "@aiplatform/testkit";
import { readConfig, startTrainingService } from "../src/index.ts";

await serveWithKeys((callers) => startTrainingService(readConfig(process.env), { callers }));
