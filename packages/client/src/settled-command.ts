import type { components } from "../gen/api.d.ts";
import { delay } from "./delay.ts";
import type { PlatformClient } from "./platform-client.ts";
import { answerOf } from "./platform-error.ts";
import type { WaitOptions } from "./wait-options.ts";

type Command = components["schemas"]["TrainingControlCommandRead"];

/** Where a command of a job is. */
export interface CommandAddress {
  pipeline_id: string;
  run_id: string;
  job_name: string;
  command_id: string;
}

/** Pause between looks, for the moment between two streams, ms. */
const pauseMs = 1_000;

/**
 * Waits until the command is `applied` or `rejected`, and returns it as it is then.
 * @throws the signal's reason when that is aborted before
 */
export async function settledCommand(
  platform: Pick<PlatformClient, "GET" | "events">,
  { command_id, ...job }: CommandAddress,
  { signal }: WaitOptions = {},
): Promise<Command> {
  for (;;) {
    const now = answerOf(
      await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/{command_id}", {
        params: { path: { ...job, command_id } },
        signal: signal ?? null,
      }),
    );
    if (now.status !== "pending") return now;
    const stop = new AbortController();
    const stream = platform.events(
      "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/stream",
      { path: job },
      signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    );
    try {
      for await (const { data } of stream) if (data.id === command_id && data.status !== "pending") return data;
    } finally {
      stop.abort();
    }
    await delay(pauseMs, signal).catch(() => signal?.throwIfAborted());
  }
}
