import { schemaProblem } from "../bundles/interface-schema.ts";

export const deploymentsTasks = { schemaProblem };

export type DeploymentsTasks = typeof deploymentsTasks;
