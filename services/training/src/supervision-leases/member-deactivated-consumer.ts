import { MemberDeactivatedSchema } from "@aiplatform/contract/aiplatform/events/v1/identity";
import type { DocumentStore } from "@aiplatform/document-store";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { JobLogStore } from "../job-log/job-log-store.ts";
import type { JobLogs } from "../job-log/job-logs.ts";
import { releaseLeaseOf } from "./lease-operations.ts";

export interface MemberDeactivatedDependencies {
  stream: EventStream;
  store: DocumentStore;
  logs: JobLogs;
  logStore: JobLogStore;
}

/** Releases the leases of members who can no longer act. Doing it again finds nothing to release. */
export function consumeMemberDeactivated({ stream, store, logs, logStore }: MemberDeactivatedDependencies): Consumer {
  return stream.consume({
    durable: "training-member-deactivated",
    subjects: [eventSubject(MemberDeactivatedSchema)],
    store,
    handler: async (event) => {
      const { organisationId, memberId } = decodeEvent(MemberDeactivatedSchema, event.data);
      const jobs = await logStore.leasedBy(organisationId, memberId);
      for (const job of jobs) await releaseLeaseOf({ logs }, job, memberId);
    },
  });
}
