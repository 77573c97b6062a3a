import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../mesh/rest.ts";
import { until } from "../mesh/rest.ts";
import { operations } from "../openapi/description.ts";
import { Fault, type FaultMode } from "./fault-points.ts";
import type { FaultyPlatform } from "./faulty-platform.ts";
import { askPersistently, type Conversation, undocumented } from "./persistent-client.ts";
import type { Story, Tale } from "./tale.ts";

/** How a point fails, and how many times in a row: drivers repeat a call once by themselves. */
export interface Way {
  name: string;
  mode: FaultMode;
  times: number;
  /** How long requests are repeated at least. */
  timeoutSeconds: number;
}

export const ways: readonly Way[] = [
  { name: "before", mode: "before", times: 2, timeoutSeconds: 25 },
  { name: "after", mode: "after", times: 1, timeoutSeconds: 25 },
  { name: "twice after", mode: "after", times: 2, timeoutSeconds: 25 },
  // A transaction that hangs holds its documents for 10 s, one after the other; an idempotency key that does is free after 30 s.
  { name: "hang", mode: "hang", times: 1, timeoutSeconds: 75 },
];

/** How long a point is waited for that is reached in the background, s. */
const backgroundSeconds = 20;
/** How often a tale is told before its point counts as not reached. */
const rounds = 3;
/** Tales that are told at the same time. */
const atOnce = 8;

interface Telling {
  story: Story;
  tale: Tale;
  requestId: string;
  conversation: Conversation;
}

interface ToldTale extends Telling {
  fault: Fault;
}

async function tell(
  environment: FaultyPlatform,
  { story, tale, way }: { story: Story; tale: Tale; way?: Way },
): Promise<Telling> {
  const requestId = randomUUID();
  const request = { ...tale.request, headers: { ...tale.request.headers, "x-request-id": requestId } };
  const timeoutSeconds = Math.max(way?.timeoutSeconds ?? 0, tale.timeoutSeconds ?? 0);
  return { story, tale, requestId, conversation: await askPersistently(environment.platform, request, timeoutSeconds) };
}

/** What is wrong once everything has settled; one line each. */
async function problemsOf(
  environment: FaultyPlatform,
  { story, tale, requestId, conversation }: Telling,
): Promise<string[]> {
  const { answers, last } = conversation;
  const problems = undocumented(story.operation, answers);
  const success = tale.status ?? operations.get(story.operation)?.status;
  const isRepeat = answers.length > 1 && tale.repeatedAs?.includes(last.status);
  if (last.status !== success && !isRepeat)
    problems.push(`answered ${answers.map(({ status }) => status)}: ${last.text}`);
  const found: Json = await tale.found(last).catch((error: Error) => error.message);
  if (!isDeepStrictEqual(found, tale.expected))
    problems.push(`found ${JSON.stringify(found)} instead of ${JSON.stringify(tale.expected)}`);
  const { service, events, anyNumberOf = [] } = tale.causes ?? { service: "identity", events: [] };
  const caused = (await environment.eventsOf(service, requestId)).filter(({ type }) => !anyNumberOf.includes(type));
  if (!isDeepStrictEqual(caused.map(({ type }) => type).toSorted(), [...events].toSorted()))
    problems.push(`caused the events ${JSON.stringify(caused)}`);
  const all = await environment.recordsOf(requestId);
  const records = isRepeat ? all.filter((record) => !record.includes(" refused ")) : all;
  if (records.length !== (tale.records ?? 0)) problems.push(`is in the audit log as ${JSON.stringify(records)}`);
  return problems;
}

/** Lets the platform run for some seconds without a request: what passes then is reached by time alone. */
export async function pointsAtRest(environment: FaultyPlatform, seconds: number): Promise<Set<string>> {
  await environment.settled();
  environment.points.forget();
  const end = Date.now() + seconds * 1_000;
  await until(
    "time to pass",
    seconds + 1,
    async () => Date.now(),
    (now) => now >= end,
  );
  return new Set(environment.points.seen.keys());
}

/** Tells a story twice without a fault. Answers the points that were passed both times; throws when anything is wrong. */
export async function discover(environment: FaultyPlatform, story: Story): Promise<string[]> {
  const seen: Set<string>[] = [];
  for (const _ of ["once", "again"]) {
    const tale = await story.prepare(environment);
    await environment.settled();
    environment.points.forget();
    const told = await tell(environment, { story, tale });
    await tale.found(told.conversation.last);
    await environment.settled();
    seen.push(new Set(environment.points.seen.keys()));
    const problems = await problemsOf(environment, told);
    await tale.cleanUp?.(told.conversation.last);
    if (problems.length > 0) throw new Error(`${story.title} without a fault: ${problems.join("; ")}`);
  }
  const [first = new Set<string>(), second = new Set<string>()] = seen;
  return [...first].filter((point) => second.has(point)).toSorted();
}

/** Tells the story once for each point, with a fault there. Answers what was wrong, one line each. */
export async function breakEach(
  environment: FaultyPlatform,
  story: Story,
  { points, way }: { points: readonly string[]; way: Way },
): Promise<string[]> {
  const told: ToldTale[] = [];
  // What no answer is awaited for has none that could be lost.
  let left = points.filter((point) => way.mode !== "after" || isAnswered(point));
  for (let round = 0; round < rounds && left.length > 0; round++) {
    const broken = await breakOnce(environment, story, { points: left, way });
    told.push(...broken);
    left = broken.filter(({ fault }) => fault.fired === 0).map(({ fault }) => fault.point);
  }
  await Promise.all(told.map(({ fault }) => fault.over));
  await environment.settled();
  const problems = left.map((point) => `${point}, ${way.name}: was not reached`);
  for (const tale of told) {
    const found = await problemsOf(environment, tale);
    problems.push(...found.map((problem) => `${tale.fault.point}, ${way.name}: ${problem}`));
    await tale.tale.cleanUp?.(tale.conversation.last);
  }
  return problems;
}

/** Acknowledgements of events and wake-ups are sent, and that is all. */
function isAnswered(point: string): boolean {
  return !/: [+-][A-Z]+ |: publish aiplatform_wake\./.test(point);
}

/** A tale for each of the faults; some at once, because most of their time they wait. */
async function breakOnce(
  environment: FaultyPlatform,
  story: Story,
  { points, way }: { points: readonly string[]; way: Way },
): Promise<ToldTale[]> {
  // Before any fault waits: what a tale needs has to be there.
  const waiting: { fault: Fault; tale: Tale }[] = [];
  for (const point of points) {
    const fault = new Fault(point, way.mode, way.times);
    waiting.push({ fault, tale: await story.prepare(environment) });
  }
  const told: ToldTale[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { fault, tale } = next;
      environment.points.arm(fault);
      const one = await tell(environment, { story, tale, way });
      told.push({ ...one, fault });
      // For the points that its reads pass; what it finds counts in the end.
      await tale.found(one.conversation.last).catch(() => undefined);
      await until(fault.point, backgroundSeconds, async () => fault.fired > 0, Boolean).catch(() => false);
      environment.points.disarm(fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return told;
}
