import type { ClientSession, Outbox, ReplayStore } from "@aiplatform/document-store";
import type { TaskRunner } from "@aiplatform/worker-pool";
import type { AutomationParts } from "./automation-runs/automation-parts.ts";
import type { Delegations } from "./automations/delegate-steps.ts";
import type { EmailParts } from "./email-drafts/email-parts.ts";
import type { KnownMembers } from "./known-members.ts";
import type { ContentStores } from "./stores.ts";
import type { ContentTasks } from "./tasks/tasks.ts";

/** What the operations work with; each picks what it needs. */
export interface ContentDependencies extends ContentStores, EmailParts, AutomationParts {
  outbox: Pick<Outbox, "stage">;
  /** Computes in worker threads what would hold up the event loop. */
  tasks: TaskRunner<ContentTasks>;
  /** Answers of requests that were sent with an idempotency key. */
  replays: Pick<ReplayStore, "run">;
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transaction: <R>(work: (session: ClientSession) => Promise<R>) => Promise<R>;
  /** Who is a member of the caller's organisation, for what says who owns it. */
  members: KnownMembers;
  /** In whose name steps act. */
  delegations: Delegations;
  /** Aborted when this replica drains: streams end. */
  draining: AbortSignal;
  clock: () => Date;
  newId: () => string;
}
