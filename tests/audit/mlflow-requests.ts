import { randomUUID } from "node:crypto";
import type { AuditEnvironment } from "./audit-environment.ts";
import type { GoodRequest } from "./valid-requests.ts";

const experiment = async (environment: AuditEnvironment): Promise<{ experimentId: string }> =>
  environment.made("MlflowService/CreateMlflowExperiment", { name: randomUUID() });

async function run(environment: AuditEnvironment): Promise<{ runId: string }> {
  const { run } = await environment.made("MlflowService/CreateMlflowRun", await experiment(environment));
  return { runId: run.info.runId };
}

async function endedRun(environment: AuditEnvironment): Promise<{ runId: string }> {
  const running = await run(environment);
  await environment.made("MlflowService/UpdateMlflowRun", { ...running, status: "FINISHED" });
  return running;
}

/** Of the operations that clients of MLflow call. */
export const mlflowRequests: Readonly<Record<string, GoodRequest>> = {
  "MlflowService/CreateMlflowExperiment": () => ({ name: randomUUID() }),
  "MlflowService/UpdateMlflowExperiment": async (environment) => ({
    ...(await experiment(environment)),
    newName: randomUUID(),
  }),
  "MlflowService/DeleteMlflowExperiment": experiment,
  "MlflowService/RestoreMlflowExperiment": async (environment) => {
    const deleted = await experiment(environment);
    await environment.made("MlflowService/DeleteMlflowExperiment", deleted);
    return deleted;
  },
  "MlflowService/SetMlflowExperimentTag": async (environment) => ({
    ...(await experiment(environment)),
    ...{ key: "audited", value: "yes" },
  }),
  "MlflowService/CreateMlflowRun": experiment,
  "MlflowService/UpdateMlflowRun": async (environment) => ({ ...(await run(environment)), runName: "audited" }),
  "MlflowService/DeleteMlflowRun": endedRun,
  "MlflowService/RestoreMlflowRun": async (environment) => {
    const deleted = await endedRun(environment);
    await environment.made("MlflowService/DeleteMlflowRun", deleted);
    return deleted;
  },
  "MlflowService/LogMlflowParameter": async (environment) => ({ ...(await run(environment)), key: "lr", value: "0.1" }),
  "MlflowService/SetMlflowTag": async (environment) => ({ ...(await run(environment)), key: "audited", value: "yes" }),
  "MlflowService/DeleteMlflowTag": async (environment) => {
    const tagged = { ...(await run(environment)), key: "audited" };
    await environment.made("MlflowService/SetMlflowTag", { ...tagged, value: "yes" });
    return tagged;
  },
  "MlflowService/LogMlflowBatch": async (environment) => ({
    ...(await run(environment)),
    tags: [{ key: "audited", value: "yes" }],
  }),
};
