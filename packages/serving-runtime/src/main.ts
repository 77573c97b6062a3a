import { readConfig } from "./config.ts";
import { runInstance } from "./run-instance.ts";

await runInstance(process.env, readConfig);
