import type { Logger } from "@aiplatform/document-store";
import { type Msg, type NatsConnection, NatsError } from "nats";
import type { Consumer } from "./consumer.ts";
import type { NatsSession } from "./nats-session.ts";
import { type SubjectNames, wakeSubject } from "./subjects.ts";

/** What became of a consumer's dead letters; numbers are `undefined` where no replica of the consumer answered. */
export interface Redriven {
  consumer: string;
  /** Dead letters that there were. */
  found: number;
  handled: number | undefined;
  failed: number | undefined;
}

/** The longest time that the dead letters of one consumer may take, ms. */
const answerWithinMs = 60_000;
const noResponders = "503";

const subjectOf = (names: SubjectNames, consumer: string) => names.toWire(wakeSubject("redrive", consumer));

/** Lets any NATS client have this consumer's dead letters tried again; one of its replicas does it. */
export function offerRedrive(
  { session, names, logger }: { session: NatsSession; names: SubjectNames; logger: Logger },
  { durable, consumer }: { durable: string; consumer: Consumer },
): () => void {
  let unsubscribe = () => {};
  const answer = async (message: Msg) => {
    try {
      const outcome = await consumer.redrive();
      message.respond(JSON.stringify(outcome));
    } catch (error) {
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
export async function redriveAll({
  session,
  names,
}: {
  session: NatsSession;
  names: SubjectNames;
}): Promise<Redriven[]> {
  const { connection, manager } = session.ready();
  const { state } = await manager.streams.info(names.deadStream, { subjects_filter: ">" });
  const found = new Map<string, number>();
  for (const [subject, letters] of Object.entries(state.subjects ?? {})) {
    const consumer = decodeURIComponent(subject.split(".")[1] ?? "");
    found.set(consumer, (found.get(consumer) ?? 0) + letters);
  }
  const outcomes: Redriven[] = [];
  for (const [consumer, letters] of found) {
    const answer = await ask(connection, subjectOf(names, consumer));
    outcomes.push({ consumer, found: letters, handled: answer?.handled, failed: answer?.failed });
  }
  return outcomes;
}

async function ask(
  connection: NatsConnection,
  subject: string,
): Promise<{ handled: number; failed: number } | undefined> {
  try {
    return (await connection.request(subject, undefined, { timeout: answerWithinMs })).json();
  } catch (error) {
    if (error instanceof NatsError && (error.code === noResponders || error.code === "TIMEOUT")) return undefined;
    throw error;
  }
}
