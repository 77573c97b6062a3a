import { setImmediate as turn } from "node:timers/promises";
import type { OutboxRecord } from "@aiplatform/document-store";
import type { Tracer } from "@opentelemetry/api";
import { type MsgHdrs, NatsError } from "nats";
import { subjectOf, toHeaders } from "./cloud-event.ts";
import { EventStreamFullError, EventStreamUnavailableError } from "./errors.ts";
import { beginSending } from "./event-trace.ts";
import type { NatsSession } from "./nats-session.ts";
import type { StreamRoom } from "./stream-room.ts";
import type { SubjectNames } from "./subjects.ts";

/** An event that NATS has acknowledged. */
export interface Acknowledged {
  sequence: number;
  messageId: string;
}

interface PublishDependencies {
  session: NatsSession;
  names: SubjectNames;
  room: StreamRoom;
  tracer: Tracer | undefined;
  ackTimeoutMs: number;
  /** Signs an event's attributes and data. */
  sign: (fields: MsgHdrs, data: Uint8Array) => void;
}

const maximumBytesExceeded = 10077;
/** Some 2 ms. */
const signedInARow = 40;

/** Publishes in this order; answers the newest event once all are acknowledged. Rejects as `EventStream.publish` does. */
export async function publishEvents(
  { session, names, room, tracer, ackTimeoutMs, sign }: PublishDependencies,
  records: readonly OutboxRecord[],
): Promise<Acknowledged | undefined> {
  const { connection } = session.ready();
  await room.assert().catch((error: unknown) => {
    if (error instanceof EventStreamFullError) throw error;
    throw unacknowledged({ session, room }, error);
  });
  const stream = connection.jetstream({ timeout: ackTimeoutMs });
  let newest: Acknowledged | undefined;
  const send = async ({ record, headers, end }: Signed) => {
    const fields = { msgID: messageId(record), headers, expect: { streamName: names.stream } };
    try {
      const { seq: sequence } = await stream.publish(names.toWire(subjectOf(record)), record.data, fields);
      if (sequence > (newest?.sequence ?? 0)) newest = { sequence, messageId: fields.msgID };
    } finally {
      end();
    }
  };
  const outcomes = await Promise.allSettled((await signAll({ tracer, sign }, records)).map(send));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure && isFull(failure.reason)) {
    room.refused();
    throw new EventStreamFullError();
  }
  if (failure) throw unacknowledged({ session, room }, failure.reason);
  room.acknowledged(true);
  return newest;
}

interface Signed {
  record: OutboxRecord;
  headers: MsgHdrs;
  end: () => void;
}

async function signAll(
  { tracer, sign }: Pick<PublishDependencies, "tracer" | "sign">,
  records: readonly OutboxRecord[],
) {
  const signed: Signed[] = [];
  for (const staged of records) {
    const { record, end } = beginSending(tracer, staged);
    const headers = toHeaders(record);
    sign(headers, record.data);
    signed.push({ record, headers, end });
    // Signatures take time of which calls need some.
    if (signed.length % signedInARow === 0) await turn();
  }
  return signed;
}

function unacknowledged({ session, room }: Pick<PublishDependencies, "session" | "room">, cause: unknown): Error {
  room.acknowledged(false);
  session.suspect();
  return new EventStreamUnavailableError("NATS did not acknowledge every event", { cause });
}

/** A publication after a loss is no repeat, although the event is the same one. */
function messageId({ id, losses }: OutboxRecord): string {
  return losses === undefined ? id : `${id}:${losses}`;
}

function isFull(error: unknown): boolean {
  return error instanceof NatsError && error.api_error?.err_code === maximumBytesExceeded;
}
