import type { Logger } from "@aiplatform/document-store";
import { operatorName, type ServiceKeys, SignatureError } from "@aiplatform/service-keys";
import { type Msg, type NatsConnection, NatsError } from "nats";
import type { Consumer } from "./consumer.ts";
import type { SignatureType } from "./event-signature.ts";
import type { NatsSession } from "./nats-session.ts";
import { type SubjectNames, wakeSubject } from "./subjects.ts";

/** What became of a consumer's dead letters; numbers are `undefined` where no replica of the consumer answered. */
export interface Redriven {
  consumer: string;
  /** Dead letters that there were. */
  found: number;
  handled: number | undefined;
  failed: number | undefined;
  /** Why the consumer did not do it, although it was asked. */
  refused: string | undefined;
}

interface RedriveDependencies {
  session: NatsSession;
  names: SubjectNames;
  keys: ServiceKeys;
  clock: () => Date;
}

/** The longest time that the dead letters of one consumer may take, ms. */
const answerWithinMs = 60_000;
const noResponders = "503";

const subjectOf = (names: SubjectNames, consumer: string) => names.toWire(wakeSubject("redrive", consumer));

/** From when a request is good until when; clocks of operator and service may differ by as much. */
const requestLifetimeMs = 5 * 60_000;
/** Longer requests are no request of ours. */
const maxRequestLength = 1_000;

/** Signed by the operator for one consumer, so that a request to one is none to another. */
function signRequest(keys: ServiceKeys, subject: string, now: Date): string {
  const bytes = Buffer.from(JSON.stringify([subject, now.toISOString()]));
  return JSON.stringify([now.toISOString(), keys.sign("redrive" satisfies SignatureType, bytes)]);
}

/** @throws SignatureError unless the operator has signed this lately */
function assertRequested(keys: ServiceKeys, { subject, data }: Msg, now: Date): void {
  const [signedAt, signature] = data.length > maxRequestLength ? [] : stringsIn(data);
  if (signedAt === undefined || signature === undefined) throw new SignatureError("the request is not signed");
  const bytes = Buffer.from(JSON.stringify([subject, signedAt]));
  if (keys.verify("redrive" satisfies SignatureType, bytes, signature) !== operatorName)
    throw new SignatureError("the request is not signed by the operator");
  const age = now.getTime() - new Date(signedAt).getTime();
  if (!(Math.abs(age) <= requestLifetimeMs)) throw new SignatureError("the request was signed at another time");
}

function stringsIn(data: Uint8Array): string[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(data).toString("utf8"));
    return Array.isArray(parsed) && parsed.every((each) => typeof each === "string") ? parsed : [];
  } catch {
    return [];
  }
}

/** Lets the operator have this consumer's dead letters tried again; one of its replicas does it. */
export function offerRedrive(
  { session, names, logger, keys, clock }: RedriveDependencies & { logger: Logger },
  { durable, consumer }: { durable: string; consumer: Consumer },
): () => void {
  let unsubscribe = () => {};
  const answer = async (message: Msg) => {
    try {
      assertRequested(keys, message, clock());
      const outcome = await consumer.redrive();
      message.respond(JSON.stringify(outcome));
    } catch (error) {
      if (error instanceof SignatureError) return void message.respond(JSON.stringify({ refused: error.message }));
      // The client gets no answer, and asks again.
      logger.warn({ err: error, durable }, "dead letters could not be tried again");
    }
  };
  const detach = session.onConnection((connection) => {
    const subscription = connection.subscribe(subjectOf(names, durable), {
      queue: durable,
      callback: (error: NatsError | null, message) => {
        if (!error) void answer(message);
      },
    });
    unsubscribe = () => subscription.unsubscribe();
  });
  return () => {
    detach();
    unsubscribe();
  };
}

/** Has the dead letters of every consumer tried again by the services they belong to, one consumer after the other. */
export async function redriveAll({ session, names, keys, clock }: RedriveDependencies): Promise<Redriven[]> {
  const { connection, manager } = session.ready();
  const { state } = await manager.streams.info(names.deadStream, { subjects_filter: ">" });
  const found = new Map<string, number>();
  for (const [subject, letters] of Object.entries(state.subjects ?? {})) {
    const consumer = decodeURIComponent(subject.split(".")[1] ?? "");
    found.set(consumer, (found.get(consumer) ?? 0) + letters);
  }
  const outcomes: Redriven[] = [];
  for (const [consumer, letters] of found) {
    const subject = subjectOf(names, consumer);
    const answer = await ask(connection, subject, signRequest(keys, subject, clock()));
    outcomes.push({
      consumer,
      found: letters,
      handled: answer?.handled,
      failed: answer?.failed,
      refused: answer?.refused,
    });
  }
  return outcomes;
}

async function ask(
  connection: NatsConnection,
  subject: string,
  request: string,
): Promise<Partial<Pick<Redriven, "handled" | "failed" | "refused">> | undefined> {
  try {
    return (await connection.request(subject, request, { timeout: answerWithinMs })).json();
  } catch (error) {
    if (error instanceof NatsError && (error.code === noResponders || error.code === "TIMEOUT")) return undefined;
    throw error;
  }
}
