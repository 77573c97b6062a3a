import { createPlatformClient } from "@aiplatform/client";
import { Command } from "commander";
import { type Connection, credentialOf } from "../contexts/connection.ts";
import type { Invocation } from "../invocation.ts";
import { watchRun } from "./watch-run.ts";

/** What the command works with. */
export interface WatchParts {
  invocation: Invocation;
  connection: () => Connection;
  signal: () => AbortSignal | undefined;
}

/** `watch RUN --pipeline P`: shows a run until its job has ended; the exit status tells how. */
export function watchCommand({ invocation, connection, signal }: WatchParts): Command {
  return new Command("watch")
    .summary("show a run's curve until its job has ended")
    .description(
      "Shows the curve and progress of a run until its job has ended, at a terminal as a drawing, otherwise line by line. " +
        "The exit status is 0 when the job was completed, and 1 when it failed or was aborted.",
    )
    .argument("<run_id>", "the run")
    .requiredOption("--pipeline <pipeline_id>", "the pipeline of the run")
    .option("--job <job_name>", "the job of the run; otherwise the one declared first")
    .option("--metric <name>", "the metric to show; otherwise the primary one")
    .action(async (run: string, options: { pipeline: string; job?: string; metric?: string }) => {
      const { baseUrl, ...rest } = connection();
      const platform = createPlatformClient({ baseUrl, credential: credentialOf({ baseUrl, ...rest }) });
      await watchRun(platform, { ...options, run }, invocation, signal());
    });
}
