import type { Environment } from "vitest/runtime";
import { workerResources } from "./worker-resources.ts";

/** Plain Node, set up once for each worker: its end is where what the files share ends too. */
export default {
  name: "worker",
  viteEnvironment: "ssr",
  setup: () => ({ teardown: () => workerResources[Symbol.asyncDispose]() }),
} satisfies Environment;
