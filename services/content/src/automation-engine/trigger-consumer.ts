import { type Consumer, type EventStream, eventSubject, eventType, type ReceivedEvent } from "@aiplatform/event-stream";
import type { DescMessage } from "@bufbuild/protobuf";
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
    handler: (events) => handle(dependencies, events),
  });
}

/** Hardly any event has to do with an automation, so two looks at indexes find those of a batch that do. */
async function handle(dependencies: Dependencies, events: readonly ReceivedEvent[]): Promise<void> {
  const { automations, automationRuns, runWorker, clock } = dependencies;
  const triggering = events.flatMap(knownEventOf);
  const [waitedFor, listenedTo] = await Promise.all([
    automationRuns.waitedFor(events),
    automations.listenedTo(triggering),
  ]);
  for (const event of events) {
    if (waitedFor.has(waitingKey(event))) await automationRuns.wake(event.organisationId, event.entityId, clock());
  }
  for (const trigger of triggering) if (listenedTo.has(eventKey(trigger))) await startRuns(dependencies, trigger);
  if (waitedFor.size > 0 || listenedTo.size > 0) runWorker.wake();
}

interface KnownEvent {
  organisationId: string;
  name: string;
  schema: DescMessage;
  event: ReceivedEvent;
}

function knownEventOf(event: ReceivedEvent): KnownEvent[] {
  const known = byType.get(event.type);
  return known && !isByAutomation(event) ? [{ organisationId: event.organisationId, ...known, event }] : [];
}

async function startRuns(
  dependencies: Dependencies,
  { organisationId, name, schema, event }: KnownEvent,
): Promise<void> {
  const happened = { id: event.id, name, json: eventJson(schema, event.data), time: event.time };
  // Read again for each event: the one before may have disabled it.
  const triggered = await dependencies.automations.triggeredBy(organisationId, name);
  for (const automation of triggered) await startTriggeredRun(dependencies, automation, happened);
}

/** What a step does starts nothing: automations that start each other would never end. */
function isByAutomation({ cause }: ReceivedEvent): boolean {
  const credential = cause?.credentialId ?? "";
  return credential.startsWith(automationCredential) || credential.startsWith(delegationCredential);
}
