import type { components } from "../gen/api.d.ts";
import { delay } from "./delay.ts";
import type { PlatformClient } from "./platform-client.ts";
import { answerOf } from "./platform-error.ts";

type Command = components["schemas"]["TrainingControlCommandRead"];

/** Where a job is. */
export interface JobAddress {
  pipeline_id: string;
  run_id: string;
  job_name: string;
}

/** Pause between looks, for the moment between two streams, ms. */
const pauseMs = 1_000;

/**
 * Waits until the command is `applied` or `rejected`, and returns it as it is then.
 * @throws the signal's reason when that is aborted before
 */
export async function settledCommand(
  platform: Pick<PlatformClient, "GET" | "events">,
  { job, command }: { job: JobAddress; command: Command },
  signal?: AbortSignal,
): Promise<Command> {
  const { id } = command;
  for (let now = command; ; ) {
    if (now.status !== "pending") return now;
    signal?.throwIfAborted();
    const stop = new AbortController();
    const stream = platform.events(
      "/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/stream",
      { path: job },
      signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    );
    try {
      for await (const { data } of stream) if (data.id === id && data.status !== "pending") return data;
    } finally {
      stop.abort();
    }
    await delay(pauseMs, signal).catch(() => signal?.throwIfAborted());
    const path = { ...job, command_id: id };
    now = answerOf(
      await platform.GET("/platform/pipelines/{pipeline_id}/runs/{run_id}/jobs/{job_name}/commands/{command_id}", {
        params: { path },
        signal: signal ?? null,
      }),
    );
  }
}
