import { randomUUID } from "node:crypto";
import { answerOf, type components, type PlatformClient, settledCommand } from "@aiplatform/client";
import { Command } from "commander";
import { CommandRejectedError, UsageError, WaitedTooLongError } from "./exit-codes.ts";
import type { OperationRequest } from "./operation-request.ts";

type Action = components["schemas"]["TrainingControlAction"];
type Read = components["schemas"]["TrainingControlCommandRead"];

/** What a job can be told, and the word for it here. */
const actions: Readonly<Record<string, { action: Action; says: string }>> = {
  continue: { action: "continue", says: "releases a hold" },
  pause: { action: "pause", says: "saves, then frees the devices" },
  resume: { action: "resume", says: "goes on where it was paused" },
  rollback: { action: "rollback", says: "goes back to a checkpoint" },
  "warm-restart": { action: "warm_restart", says: "begins anew with the weights of a checkpoint" },
  finish: { action: "finish_from_checkpoint", says: "ends the run with a checkpoint as its result" },
  abort: { action: "abort", says: "stops at once and discards the result" },
};

interface JobOptions {
  pipeline: string;
  job: string;
  checkpoint?: string;
  set: Record<string, unknown>;
  idempotencyKey?: string;
  wait: boolean;
  timeout: string;
}

/** What the commands of jobs need. */
export interface JobCommandParts {
  platform: () => PlatformClient;
  /** Writes what the platform answered. */
  print: (command: Read) => void;
  /** Writes the request and answers true when it is to be shown instead of sent. */
  shown: (request: OperationRequest) => boolean;
}

/** A command per action: `pause RUN --pipeline P --job J --wait`. */
export function jobCommands(parts: JobCommandParts): Command[] {
  return Object.entries(actions).map(([name, { action, says }]) =>
    new Command(name)
      .summary(`tell a job: ${says}`)
      .argument("<run_id>", "the run")
      .requiredOption("--pipeline <pipeline_id>", "the pipeline of the run")
      .requiredOption("--job <job_name>", "the job of the run")
      .option("--checkpoint <checkpoint_id>", "the checkpoint; otherwise the one that the platform resolves to")
      .option("--set <key=value>", "a setting to change with it, its value as JSON (repeatable)", readSetting, {})
      .option("--idempotency-key <uuid>", "for repeating this very command; otherwise a new one")
      .option("--wait", "until it is applied or rejected", false)
      .option("--timeout <seconds>", "how long to wait", "600")
      .action((runId: string, options: JobOptions) => give(parts, { action, runId, options })),
  );
}

async function give(
  { platform, print, shown }: JobCommandParts,
  { action, runId, options }: { action: Action; runId: string; options: JobOptions },
): Promise<void> {
  const job = { pipeline_id: options.pipeline, run_id: runId, job_name: options.job };
  const body = {
    action,
    idempotency_key: options.idempotencyKey ?? randomUUID(),
    runtime_overrides: options.set,
    ...(options.checkpoint !== undefined && { checkpoint_id: options.checkpoint }),
  };
  const path = "/pipelines/{pipeline_id}/runs/{run_id}/training/{job_name}/commands";
  const values = Object.entries(job);
  const target = values.reduce<string>(
    (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const headers = { "content-type": "application/json" };
  if (shown({ method: "POST", target, headers, body: JSON.stringify(body) })) return;
  const client = platform();
  const command = answerOf(await client.POST(path, { params: { path: job }, body }));
  const now = options.wait ? await waitFor(client, { job, command }, Number(options.timeout)) : command;
  print(now);
  if (now.status === "rejected") throw new CommandRejectedError(`rejected: ${now.detail ?? "without a reason"}`);
}

async function waitFor(
  platform: PlatformClient,
  waited: Parameters<typeof settledCommand>[1],
  seconds: number,
): Promise<Read> {
  if (!(seconds > 0)) throw new UsageError("--timeout is a number of seconds above 0");
  const signal = AbortSignal.timeout(seconds * 1_000);
  try {
    return await settledCommand(platform, waited, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new WaitedTooLongError(`command ${waited.command.id} is still pending after ${seconds} s`);
  }
}

function readSetting(text: string, former: Record<string, unknown>): Record<string, unknown> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new UsageError(`--set wants key=value, not ${text}`);
  try {
    return { ...former, [key]: JSON.parse(value) };
  } catch {
    return { ...former, [key]: value };
  }
}
