import { createHash } from "node:crypto";
import { headers, type MsgHdrs, NatsError } from "nats";
import type { NatsSession } from "./nats-session.ts";
import type { SubjectNames } from "./subjects.ts";

/** An event that could not be handled, with what is needed to handle it after all. */
export interface DeadLetter {
  /** Place in the dead-letter stream. */
  sequence: number;
  headers: MsgHdrs;
  data: Uint8Array;
}

export interface DeadLetterEntry {
  eventId: string;
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs | undefined;
  cause: string;
  attempts: number;
}

const maxCauseLength = 1_000;
const notFound = "404";

/** The dead letters of one consumer. */
export class DeadLetters {
  readonly #session: NatsSession;
  readonly #names: SubjectNames;
  readonly #consumer: string;

  constructor(session: NatsSession, names: SubjectNames, consumer: string) {
    this.#session = session;
    this.#names = names;
    this.#consumer = consumer;
  }

  /** Resolves when the letter is acknowledged: only then may the original be acknowledged. */
  async publish({ eventId, subject, data, headers: original, cause, attempts }: DeadLetterEntry): Promise<void> {
    const { connection } = this.#session.ready();
    const fields = headers();
    for (const name of original?.keys() ?? []) {
      if (!name.toLowerCase().startsWith("nats-")) fields.set(name, original?.get(name) ?? "");
    }
    fields.set("dead-cause", oneLine(cause));
    fields.set("dead-consumer", this.#consumer);
    fields.set("dead-subject", this.#names.fromWire(subject));
    fields.set("dead-attempts", String(attempts));
    fields.set("dead-time", new Date().toISOString());
    fields.set("dead-sha256", createHash("sha256").update(data).digest("hex"));
    const target = this.#names.deadSubject(this.#consumer, eventId);
    await connection.jetstream().publish(target, data, { headers: fields, msgID: `${this.#consumer}:${eventId}` });
  }

  /** The letters there are now, oldest first. */
  async *all(): AsyncGenerator<DeadLetter> {
    const { manager } = this.#session.ready();
    const filter = this.#names.deadSubject(this.#consumer, "x").replace(/\.x$/, ".*");
    const { state } = await manager.streams.info(this.#names.deadStream);
    for (let next = 1; next <= state.last_seq; ) {
      const letter = await this.#read(next, filter);
      if (!letter || letter.sequence > state.last_seq) return;
      yield letter;
      next = letter.sequence + 1;
    }
  }

  async remove(letter: DeadLetter): Promise<void> {
    await this.#session.ready().manager.streams.deleteMessage(this.#names.deadStream, letter.sequence);
  }

  async #read(from: number, filter: string): Promise<DeadLetter | undefined> {
    const { manager } = this.#session.ready();
    try {
      const query = { seq: from, next_by_subj: filter };
      const message = await manager.streams.getMessage(this.#names.deadStream, query);
      return { sequence: message.seq, headers: message.header, data: message.data };
    } catch (error) {
      if (error instanceof NatsError && (error.code === notFound || error.api_error?.code === 404)) return undefined;
      throw error;
    }
  }
}

function oneLine(text: string): string {
  // Headers hold one line of printable ASCII; a cause may hold anything.
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, maxCauseLength);
}
