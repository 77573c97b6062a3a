import { randomUUID } from "node:crypto";
import type { components } from "@aiplatform/client";
import { Command } from "commander";
import { UsageError } from "./exit-codes.ts";
import type { OperationOptions } from "./operation-command.ts";

type Action = components["schemas"]["TrainingControlAction"];

/** What a job can be told, and the word for it here. */
const actions: Readonly<Record<string, { action: Action; description: string }>> = {
  continue: { action: "continue", description: "releases a hold" },
  pause: { action: "pause", description: "saves, then frees the devices" },
  resume: { action: "resume", description: "goes on where it was paused" },
  rollback: { action: "rollback", description: "goes back to a checkpoint" },
  "warm-restart": { action: "warm_restart", description: "begins again with the weights of a checkpoint" },
  finish: { action: "finish_from_checkpoint", description: "ends the run with a checkpoint as its result" },
  abort: { action: "abort", description: "stops at once and discards the result" },
};

interface JobOptions {
  pipeline: string;
  job: string;
  checkpoint?: string;
  set: Record<string, unknown>;
  idempotencyKey?: string;
  wait: boolean;
}

/** The operation behind the commands of jobs. */
export const jobOperation = "createTrainingControlCommand";

/** A command per action: `pause RUN --pipeline P --job J --wait`. `run` carries the operation out. */
export function jobCommands(run: (options: OperationOptions) => Promise<void>): Command[] {
  return Object.entries(actions).map(([name, { action, description }]) =>
    new Command(name)
      .summary(`tell a job: ${description}`)
      .description(`Tells a job of a run: ${description}.`)
      .argument("<run_id>", "the run")
      .requiredOption("--pipeline <pipeline_id>", "the pipeline of the run")
      .requiredOption("--job <job_name>", "the job of the run")
      .option("--checkpoint <checkpoint_id>", "the checkpoint; otherwise the one that the platform resolves to")
      .option("--set <key=value>", "a setting to change with it, its value as JSON (repeatable)", readSetting, {})
      .option("--idempotency-key <uuid>", "for repeating this very command; otherwise a new one")
      .option("--wait", "until it is applied or rejected", false)
      .action((runId: string, options: JobOptions) => run(commandOptions(action, runId, options))),
  );
}

function commandOptions(action: Action, runId: string, options: JobOptions): OperationOptions {
  const { pipeline, job, checkpoint, set, idempotencyKey = randomUUID(), wait } = options;
  return {
    values: {
      pipeline_id: pipeline,
      run_id: runId,
      job_name: job,
      action,
      idempotency_key: idempotencyKey,
      runtime_overrides: JSON.stringify(set),
      checkpoint_id: checkpoint,
    },
    all: false,
    wait,
  };
}

function readSetting(text: string, former: Record<string, unknown>): Record<string, unknown> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new UsageError(`--set must be key=value, not ${text}`);
  try {
    return { ...former, [key]: JSON.parse(value) };
  } catch {
    return { ...former, [key]: value };
  }
}
