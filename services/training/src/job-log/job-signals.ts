import { type EventStream, wakeSubject } from "@aiplatform/event-stream";
import type { JobKey } from "./job-entry.ts";
import type { JobLogs } from "./job-logs.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Tells the other replicas the last position of a job's log. The periodic check makes up for lost messages. */
export function announceJob(stream: EventStream, { organisationId, runId, jobName }: JobKey, position: number): void {
  const message = JSON.stringify([organisationId, runId, jobName, position]);
  stream.announce(wakeSubject("training", "job", runId, jobName), encoder.encode(message));
}

export function listenToJobs(stream: EventStream, logs: JobLogs): { close(): void } {
  return stream.listen(wakeSubject("training", "job", "*", "*"), ({ data }) => {
    const message: unknown = JSON.parse(decoder.decode(data));
    if (!Array.isArray(message)) return;
    const [organisationId, runId, jobName, position] = message;
    if (typeof position !== "number") return;
    logs.notify({ organisationId: String(organisationId), runId: String(runId), jobName: String(jobName) }, position);
  });
}
