import { join } from "node:path";
import { writePrivate } from "../infra/private-file.ts";
import type { Description } from "./description.ts";

/**
 * What a shell and the programs that it starts need to talk to the platform, as lines that it can source. The address and
 * the key have two names: short ones for `curl`, and those that the client and the command line read.
 */
export function shellVariables(description: Description): string {
  const { gateway, grpc, api_key, bearer, pipeline_id, run_id, job_name, foreign } = description;
  const { mail, dataset_id, automation_id, draft_id, feature_key, model_id } = description;
  const variables = {
    GATEWAY: gateway,
    PLATFORM_URL: gateway,
    TRAINING: grpc.training,
    KEY: api_key,
    PLATFORM_API_KEY: api_key,
    TOKEN: bearer,
    PIPELINE: pipeline_id,
    RUN: run_id,
    JOB: job_name,
    DATASET: dataset_id,
    AUTOMATION: automation_id,
    DRAFT: draft_id,
    FEATURE: feature_key,
    MODEL: model_id,
    MAIL: mail,
    OTHER_KEY: foreign.api_key,
  };
  const quoted = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`;
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quoted(value)}\n`)
    .join("");
}

/** Writes them to `platform.env` of the platform's directory, for its owner alone. Returns the path. */
export async function writeShellVariables(directory: string, description: Description): Promise<string> {
  const path = join(directory, "platform.env");
  await writePrivate(path, shellVariables(description));
  return path;
}
