import { schemaProblem } from "../deployments/interface-schema.ts";

/** What worker threads compute for requests. */
export const deploymentsTasks = { schemaProblem };

export type DeploymentsTasks = typeof deploymentsTasks;
