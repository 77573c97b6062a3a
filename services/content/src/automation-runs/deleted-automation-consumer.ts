import { AutomationDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { ContentDependencies } from "../dependencies.ts";
import { endRun } from "./end-run.ts";

type Dependencies = Pick<
  ContentDependencies,
  "automations" | "automationRuns" | "outbox" | "transaction" | "clock" | "runs"
>;

/** Gives up the runs of automations that are gone, and forgets them. */
export function forgetRuns({ stream, ...dependencies }: Dependencies & { stream: EventStream }): Consumer {
  return stream.consumeBatches({
    durable: "content-forgotten-runs",
    subjects: [eventSubject(AutomationDeletedSchema)],
    // One at a time: there may be many runs.
    maxBatch: 1,
    handler: async (events) => {
      for (const { data } of events) {
        const { organisationId, automationId } = decodeEvent(AutomationDeletedSchema, data);
        await giveUpRuns(dependencies, organisationId, automationId);
        await dependencies.automationRuns.forget(organisationId, automationId);
      }
    },
  });
}

async function giveUpRuns(dependencies: Dependencies, organisationId: string, automationId: string): Promise<void> {
  const { automationRuns, transaction, runs } = dependencies;
  for (const id of await automationRuns.openOf(organisationId, automationId)) {
    await transaction(async (session) => {
      const run = await automationRuns.find(organisationId, id, session);
      const end = { status: "cancelled", error: "The automation was deleted" } as const;
      if (run) await endRun(dependencies, run, end, session);
    });
    runs.giveUp(id);
  }
}
