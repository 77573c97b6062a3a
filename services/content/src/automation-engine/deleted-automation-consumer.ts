import { AutomationDeletedSchema } from "@aiplatform/contract/aiplatform/events/v1/content";
import { type Consumer, decodeEvent, type EventStream, eventSubject } from "@aiplatform/event-stream";
import type { AutomationStore } from "../automations/automation-store.ts";
import type { KeepScheduleDependencies } from "../automations/keep-schedule.ts";
import type { OperationContext } from "../operation-context.ts";
import type { AutomationRunStore } from "./automation-run-store.ts";
import { completeRun } from "./complete-run.ts";
import type { AutomationEngine } from "./start-automation-engine.ts";

interface Dependencies extends Pick<OperationContext, "outbox" | "transaction" | "clock">, KeepScheduleDependencies {
  automations: AutomationStore;
  automationRuns: AutomationRunStore;
  runWorker: Pick<AutomationEngine["runWorker"], "cancel">;
}

export function forgetRuns({ stream, ...dependencies }: Dependencies & { stream: EventStream }): Consumer {
  return stream.consumeBatches({
    durable: "content-forgotten-runs",
    subjects: [eventSubject(AutomationDeletedSchema)],
    // One at a time: there may be many runs.
    maxBatch: 1,
    handler: async (events) => {
      for (const { data } of events) {
        const { organisationId, automationId } = decodeEvent(AutomationDeletedSchema, data);
        await cancelRuns(dependencies, organisationId, automationId);
        await dependencies.automationRuns.forget(organisationId, automationId);
      }
    },
  });
}

async function cancelRuns(dependencies: Dependencies, organisationId: string, automationId: string): Promise<void> {
  const { automationRuns, transaction, runWorker } = dependencies;
  for (const id of await automationRuns.openOf(organisationId, automationId)) {
    await transaction(async (session) => {
      const run = await automationRuns.find(organisationId, id, session);
      const end = { status: "cancelled", error: "The automation was deleted" } as const;
      if (run) await completeRun(dependencies, run, end, session);
    });
    runWorker.cancel(id);
  }
}
