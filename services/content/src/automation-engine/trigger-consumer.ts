import { type Consumer, type EventStream, eventSubject, eventType, type ReceivedEvent } from "@aiplatform/event-stream";
import { ConnectError } from "@connectrpc/connect";
import { eventKey } from "../automations/automation-store.ts";
import { triggers } from "../automations/trigger.ts";
import { automationCredential } from "./automation-run.ts";
import { waitingKey } from "./automation-run-store.ts";
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
      for (const event of await effective(dependencies, events)) await handle(dependencies, event);
    },
  });
}

/** An event, and what it has to do with: most events have nothing to do with any automation. */
interface EffectiveEvent extends ReceivedEvent {
  isWaitedFor: boolean;
  isListenedTo: boolean;
}

/** The events that a run waits for or that may start one, found by two looks at indexes for all of them. */
async function effective(
  { automations, automationRuns }: Dependencies,
  events: readonly ReceivedEvent[],
): Promise<EffectiveEvent[]> {
  const named = events.flatMap(({ organisationId, type }) => {
    const name = byType.get(type)?.name;
    return name === undefined ? [] : [{ organisationId, name }];
  });
  const [waitedFor, listenedTo] = await Promise.all([automationRuns.waitedFor(events), automations.listenedTo(named)]);
  return events
    .map((event) => ({
      ...event,
      isWaitedFor: waitedFor.has(waitingKey(event)),
      isListenedTo: listenedTo.has(eventKey({ ...event, name: byType.get(event.type)?.name ?? "" })),
    }))
    .filter(({ isWaitedFor, isListenedTo }) => isWaitedFor || isListenedTo);
}

async function handle(dependencies: Dependencies, event: EffectiveEvent): Promise<void> {
  const { automations, automationRuns, runWorker, clock } = dependencies;
  const { id, type, organisationId, entityId, data, time } = event;
  if (event.isWaitedFor) await automationRuns.wake(organisationId, entityId, clock());
  const known = byType.get(type);
  if (known && event.isListenedTo && !isByAutomation(event)) {
    const { name, schema } = known;
    const happened = { id, name, json: eventJson(schema, data), time };
    // Read anew for each event: the one before may have disabled it.
    const triggered = await automations.triggeredBy(organisationId, name);
    for (const automation of triggered) await startTriggeredRun(dependencies, automation, happened);
  }
  runWorker.wake();
}

/** What a step does starts nothing: automations that start each other would never end. */
function isByAutomation({ cause }: ReceivedEvent): boolean {
  const credential = cause?.credentialId ?? "";
  return credential.startsWith(automationCredential) || credential.startsWith(delegationCredential);
}
