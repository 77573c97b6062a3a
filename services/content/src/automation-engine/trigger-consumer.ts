import { type Consumer, type EventStream, eventSubject, eventType, type ReceivedEvent } from "@aiplatform/event-stream";
import { ConnectError } from "@connectrpc/connect";
import { triggers } from "../automations/trigger.ts";
import { automationCredential } from "./automation-run.ts";
import { eventJson } from "./event-json.ts";
import type { AutomationEngine } from "./start-automation-engine.ts";
import { type StartTriggeredRunDependencies, startTriggeredRun } from "./start-triggered-run.ts";
import { isTemporary } from "./step-failure.ts";

type Dependencies = StartTriggeredRunDependencies & { runWorker: Pick<AutomationEngine["runWorker"], "wake"> };

const byType = new Map([...triggers].map(([name, { schema }]) => [eventType(schema), { name, schema }]));
const delegationCredential = "delegation:";

/** Starts what waits for events to happen, and goes on with what waits for them. */
export function startRunsOnEvents({ stream, ...dependencies }: Dependencies & { stream: EventStream }): Consumer {
  return stream.consumeBatches({
    durable: "content-triggers",
    subjects: [...triggers.values()].map(({ schema }) => eventSubject(schema)),
    maxBatch: 100,
    // Identity, which says what publishers may read at this moment.
    isAway: (error) => error instanceof ConnectError && isTemporary(error),
    handler: async (events) => {
      for (const event of events) await handle(dependencies, event);
      dependencies.runWorker.wake();
    },
  });
}

async function handle(dependencies: Dependencies, event: ReceivedEvent): Promise<void> {
  const { automations, automationRuns, clock } = dependencies;
  const { id, type, organisationId, entityId, data, time } = event;
  await automationRuns.wake(organisationId, entityId, clock());
  const known = byType.get(type);
  if (!known || isByAutomation(event)) return;
  const { name, schema } = known;
  const triggered = await automations.triggeredBy(organisationId, name);
  if (triggered.length === 0) return;
  const happened = { id, name, json: eventJson(schema, data), time };
  for (const automation of triggered) await startTriggeredRun(dependencies, automation, happened);
}

/** What a step does starts nothing: automations that start each other would never end. */
function isByAutomation({ cause }: ReceivedEvent): boolean {
  const credential = cause?.credentialId ?? "";
  return credential.startsWith(automationCredential) || credential.startsWith(delegationCredential);
}
