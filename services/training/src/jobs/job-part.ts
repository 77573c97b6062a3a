import { randomUUID } from "node:crypto";
import { type DocumentStore, GroupWriter } from "@aiplatform/document-store";
import { type EventStream, startRelay } from "@aiplatform/event-stream";
import { currentCause, type Logger, type Platform } from "@aiplatform/service-host";
import { currentTraceparent } from "@aiplatform/telemetry";
import { RunStore } from "../runs/run-store.ts";
import type { SteeringObservation } from "../steering-observation.ts";
import { JobDirectory } from "./job-directory.ts";
import { JobLogStore, jobKeyText } from "./job-log-store.ts";
import { JobLogs } from "./job-logs.ts";
import { JobOutbox } from "./job-outbox.ts";
import { announceJob, listenToJobs } from "./job-wake-ups.ts";

/** What the jobs' logs are made of. */
export interface JobPartDependencies {
  store: DocumentStore;
  stream: EventStream;
  logger: Logger;
  clock: () => Date;
  meter: Platform["meter"];
  steering: Pick<SteeringObservation, "written">;
  commandExpiryMs: number;
  cachedJobs?: number;
}

/** The jobs' logs, as the rest of the service uses them. */
export interface JobPart extends AsyncDisposable {
  runs: RunStore;
  directory: JobDirectory;
  logStore: JobLogStore;
  logs: JobLogs;
}

/** Opens the jobs' logs: one group writer, one relay, one subscription for the whole process. */
export function openJobs({ store, stream, logger, clock, meter, steering, ...limits }: JobPartDependencies): JobPart {
  const runs = new RunStore(store);
  const logStore = new JobLogStore(store);
  const outbox = new JobOutbox(logStore, clock);
  const appender = new GroupWriter(logStore.entries, {
    chainOf: ({ run_id, job_name }) => jobKeyText({ runId: run_id, jobName: job_name }),
  });
  const logs = new JobLogs({
    ...limits,
    store: logStore,
    appender,
    clock,
    newDecision: randomUUID,
    traceparent: () => currentTraceparent(),
    cause: currentCause,
    announce: (job, position) => announceJob(stream, job, position),
    published: () => outbox.wake(),
    warn: (error, text) => logger.warn({ err: error }, text),
    written: steering.written,
  });
  const wakeUps = listenToJobs(stream, logs);
  const relay = startRelay({ source: outbox, stream, logger, meter, name: "job_log" });
  return {
    runs,
    directory: new JobDirectory(runs),
    logStore,
    logs,
    async [Symbol.asyncDispose]() {
      wakeUps.close();
      await appender.close();
      await relay.close();
    },
  };
}
