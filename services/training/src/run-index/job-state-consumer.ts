import { JobStateChangedSchema } from "@aiplatform/contract/aiplatform/events/v1/training";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { JobLogs } from "../job-log/job-logs.ts";
import type { JobDirectory } from "../runs/job-directory.ts";
import type { RunIndexStore } from "./run-index-store.ts";

export interface JobStateConsumerDependencies {
  stream: EventStream;
  store: DocumentStore;
  directory: Pick<JobDirectory, "find">;
  logs: Pick<JobLogs, "currentState">;
  index: Pick<RunIndexStore, "putJobState">;
}

/** Copies the states of jobs to their runs, by which lists find them. An event that comes twice or late changes nothing. */
export function consumeJobStates(dependencies: JobStateConsumerDependencies): Consumer {
  const { stream, store, directory, logs, index } = dependencies;
  return stream.consume({
    durable: "training-run-states",
    subjects: [eventSubject(JobStateChangedSchema)],
    store,
    handler: async (event) => {
      const { organisationId, runId, jobName } = decodeEvent(JobStateChangedSchema, event.data);
      const found = await directory.find(organisationId, { runId, jobName });
      if (!found) return;
      const { state, position } = await logs.currentState(found.reference);
      await index.putJobState(organisationId, runId, { name: jobName, state, position });
    },
  });
}
