// What tells whether the service's settings hold, without starting it.
export { openArtifacts } from "./artifacts/artifacts.ts";
export { type DeploymentsConfig, deploymentsSettings, readConfig } from "./config.ts";
export { missingRights } from "./serving/kubernetes-driver/missing-rights.ts";
