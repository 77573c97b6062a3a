import { type EventStream, wakeSubject } from "@aiplatform/event-stream";

const domain = "training";
const topic = "run-deleted";

/** Tells the other replicas that a run was deleted. A lost message costs as long as they believe a run to be there. */
export function announceDeletedRun(stream: Pick<EventStream, "announce">, runId: string): void {
  stream.announce(wakeSubject(domain, topic, runId), Buffer.from(runId));
}

export function listenToDeletedRuns(
  stream: Pick<EventStream, "listen">,
  forget: (runId: string) => void,
): { close(): void } {
  return stream.listen(wakeSubject(domain, topic, "*"), ({ data }) => forget(Buffer.from(data).toString()));
}
