import { randomUUID } from "node:crypto";
import { GroupWriter } from "@aiplatform/document-store";
import { type EventStream, startRelay } from "@aiplatform/event-stream";
import { currentCause, type Logger, type Platform } from "@aiplatform/service-host";
import { currentTraceparent } from "@aiplatform/telemetry";
import type { JobKey } from "./job-entry.ts";
import { type JobLogStore, jobKeyText } from "./job-log-store.ts";
import { JobLogs, type JobLogsOptions } from "./job-logs.ts";
import { JobOutbox } from "./job-outbox.ts";
import { announceJob, listenToJobs } from "./job-signals.ts";

export interface OpenJobLogDependencies {
  logStore: JobLogStore;
  stream: EventStream;
  logger: Logger;
  clock: () => Date;
  meter: Platform["meter"];
}

export interface OpenJobLog extends AsyncDisposable {
  logs: JobLogs;
}

/** Opens the jobs' logs: one group writer, one relay, one subscription for the whole process. */
export function openJobLog(
  { logStore, stream, logger, clock, meter }: OpenJobLogDependencies,
  options: JobLogsOptions,
): OpenJobLog {
  const outbox = new JobOutbox(logStore, clock);
  const appender = new GroupWriter(logStore.entries, {
    chainOf: ({ run_id, job_name }) => jobKeyText({ runId: run_id, jobName: job_name }),
  });
  const dependencies = {
    store: logStore,
    appender,
    clock,
    newDecision: randomUUID,
    traceparent: () => currentTraceparent(),
    cause: currentCause,
    flushed: (job: JobKey, position: number) => {
      announceJob(stream, job, position);
    },
    warn: (error: unknown, text: string) => logger.warn({ err: error }, text),
  };
  const logs = new JobLogs(dependencies, options);
  logs.onChange((_job, change) => outbox.durable(change));
  const subscription = listenToJobs(stream, logs);
  const relay = startRelay({ source: outbox, stream, logger, meter, service: "training", name: "job_log" });
  return {
    logs,
    async [Symbol.asyncDispose]() {
      subscription.close();
      await appender.close();
      await relay.close();
    },
  };
}
