import { serveWithKeys } from "@aiplatform/testkit";
import { readConfig, startDeploymentsService } from "../src/index.ts";

await serveWithKeys((callers) => startDeploymentsService(readConfig(process.env), { callers }));
