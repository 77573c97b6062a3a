import { serveWithKeys } from "@aiplatform/testkit";
import { readConfig, startContentService } from "../src/index.ts";

await serveWithKeys((callers) => startContentService(readConfig(process.env), { callers }));
