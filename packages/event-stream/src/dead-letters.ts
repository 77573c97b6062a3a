import { createHash } from "node:crypto";
import { type ServiceKeys, SignatureError } from "@aiplatform/service-keys";
import { headers, type MsgHdrs, NatsError } from "nats";
import { type SignatureType, signedBytes } from "./event-signature.ts";
import type { NatsSession } from "./nats-session.ts";
import type { SubjectNames } from "./subjects.ts";

/** An event that could not be handled, with what is needed to handle it after all. */
export interface DeadLetter {
  /** Place in the dead-letter stream. */
  sequence: number;
  headers: MsgHdrs;
  data: Uint8Array;
  /** When the server stored it. */
  storedAt: Date;
  /** Of the stream that it is in. */
  incarnation: string;
  /** Whether the service has signed that it had this event, and could not handle it. */
  isVouchedFor: boolean;
}

/** A message that a consumer did not apply. */
export interface SetAside {
  subject: string;
  data: Uint8Array;
  headers: MsgHdrs | undefined;
  cause: string;
}

export interface DeadLetterEntry extends SetAside {
  eventId: string;
  attempts: number;
}

const maxCauseLength = 1_000;
/** Larger ones are dropped. With `maxRefusedOfConsumer`, all of them take less than half of what dead letters may. */
const maxRefusedBytes = 4 * 1024;
const deadSignature = "dead-signature";
const deadHeaders = ["dead-cause", "dead-consumer", "dead-subject", "dead-attempts", "dead-time"];
const notFound = "404";

interface DeadLetterDependencies {
  session: NatsSession;
  names: SubjectNames;
  keys: ServiceKeys;
  durable: string;
}

export class DeadLetters {
  readonly #session: NatsSession;
  readonly #names: SubjectNames;
  readonly #keys: ServiceKeys;
  readonly #consumer: string;

  constructor({ session, names, keys, durable }: DeadLetterDependencies) {
    this.#session = session;
    this.#names = names;
    this.#keys = keys;
    this.#consumer = durable;
  }

  /** Resolves when the letter is acknowledged: only then may the original be acknowledged. */
  async publish({ eventId, attempts, ...letter }: DeadLetterEntry): Promise<void> {
    const fields = this.#fieldsOf(letter, attempts);
    const bytes = signedBytes(fields, letter.data, deadHeaders);
    fields.set(deadSignature, this.#keys.sign("dead-letter" satisfies SignatureType, bytes));
    const target = this.#names.deadSubject(this.#consumer, eventId);
    await this.#send(target, { data: letter.data, fields, messageId: `${this.#consumer}:${eventId}` });
  }

  /**
   * Keeps what nothing proves to be an event, so that it can be handled once the keys are right. Nothing vouches for it, it is
   * kept while it is small and among the newest, and it pushes no dead letter out: its sender decides how much there is.
   */
  async keepRefused({ sequence, ...letter }: SetAside & { sequence: number }): Promise<void> {
    if (sizeOf(letter) > maxRefusedBytes) return;
    const fields = this.#fieldsOf(letter, 0);
    const target = this.#names.deadSubject(this.#consumer, "refused");
    await this.#send(target, { data: letter.data, fields, messageId: `${this.#consumer}:refused:${sequence}` });
  }

  /** The letters there are now, oldest first. */
  async *all(): AsyncGenerator<DeadLetter> {
    const { manager } = this.#session.ready();
    const filter = this.#names.deadSubject(this.#consumer, "x").replace(/\.x$/, ".*");
    const { state, created } = await manager.streams.info(this.#names.deadStream);
    for (let next = 1; next <= state.last_seq; ) {
      const letter = await this.#read(next, filter, created);
      if (!letter || letter.sequence > state.last_seq) return;
      yield letter;
      next = letter.sequence + 1;
    }
  }

  async remove(letter: DeadLetter): Promise<void> {
    await this.#session.ready().manager.streams.deleteMessage(this.#names.deadStream, letter.sequence);
  }

  #fieldsOf({ headers: original, subject, data, cause }: SetAside, attempts: number): MsgHdrs {
    const fields = headers();
    for (const name of original?.keys() ?? []) {
      if (!/^(nats|dead)-/i.test(name)) fields.set(name, original?.get(name) ?? "");
    }
    fields.set("dead-cause", oneLine(cause));
    fields.set("dead-consumer", this.#consumer);
    fields.set("dead-subject", this.#names.fromWire(subject));
    fields.set("dead-attempts", String(attempts));
    fields.set("dead-time", new Date().toISOString());
    fields.set("dead-sha256", createHash("sha256").update(data).digest("hex"));
    return fields;
  }

  async #send(
    target: string,
    { data, fields, messageId }: { data: Uint8Array; fields: MsgHdrs; messageId: string },
  ): Promise<void> {
    const { connection } = this.#session.ready();
    await connection.jetstream().publish(target, data, { headers: fields, msgID: messageId });
  }

  /** Whether this consumer has put it among the dead letters. */
  #isOwn(fields: MsgHdrs, data: Uint8Array): boolean {
    if (fields.get("dead-consumer") !== this.#consumer) return false;
    const bytes = signedBytes(fields, data, deadHeaders);
    try {
      return (
        this.#keys.verify("dead-letter" satisfies SignatureType, bytes, fields.get(deadSignature)) ===
        this.#keys.service
      );
    } catch (error) {
      if (error instanceof SignatureError) return false;
      throw error;
    }
  }

  async #read(from: number, filter: string, incarnation: string): Promise<DeadLetter | undefined> {
    const { manager } = this.#session.ready();
    try {
      const query = { seq: from, next_by_subj: filter };
      const message = await manager.streams.getMessage(this.#names.deadStream, query);
      const { seq: sequence, header: fields, data, time: storedAt } = message;
      return { sequence, headers: fields, data, storedAt, incarnation, isVouchedFor: this.#isOwn(fields, data) };
    } catch (error) {
      if (error instanceof NatsError && (error.code === notFound || error.api_error?.code === 404)) return undefined;
      throw error;
    }
  }
}

function sizeOf({ subject, data, headers: fields }: SetAside): number {
  const names = fields?.keys() ?? [];
  return names.reduce((sum, name) => sum + name.length + (fields?.get(name).length ?? 0), data.length + subject.length);
}

function oneLine(text: string): string {
  // Headers hold one line of printable ASCII; a cause may hold anything.
  return text.replace(/[^\x20-\x7e]+/g, " ").slice(0, maxCauseLength);
}
