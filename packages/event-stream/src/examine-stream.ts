import type { PublishedBetween, StreamMark } from "@aiplatform/document-store";
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  type JetStreamManager,
  NatsError,
  nanos,
  nuid,
  type StreamInfo,
} from "nats";
import { lookingConsumer } from "./nats-login.ts";
import type { NatsSession, ReadySession } from "./nats-session.ts";
import type { Acknowledged } from "./publish-events.ts";
import { streamMaxAgeMs, trimmedUpTo } from "./stream-limits.ts";
import { doneUpTo, nothingRead, type Progress } from "./stream-room.ts";
import type { SubjectNames } from "./subjects.ts";

/** What a look at the stream found. */
export interface Examination {
  /** What the next look has to find again. */
  mark: StreamMark;
  /** When the events were published that the stream has lost; one entry for each gap. */
  losses: PublishedBetween[];
  /** Whether more is left to verify. */
  more: boolean;
}

/** What is known of the stream from before. */
export interface KnownOfStream {
  mark: StreamMark | undefined;
  /** The newest event that NATS acknowledged to this process since. */
  acknowledged: Acknowledged | undefined;
  /** Whether the server, or its disk, may have been another meanwhile: looks at the newest known events, too. */
  thorough: boolean;
}

interface Look {
  session: NatsSession;
  names: SubjectNames;
  /** Of the service that looks. */
  name: string;
  /** Durable consumers that have to be done with an event; undefined: all there are. */
  readers: readonly string[] | undefined;
}

// Between the clocks of NATS and of the database, and between an acknowledgement and its note.
const clockMarginMs = 10 * 60_000;
const hourMs = 3_600_000;
const maxInOneLook = 20_000;
const fetchSize = 1_000;
const fetchExpiryMs = 1_000;
const consumerExists = 10148;

/** Compares the stream with what was known of it. */
export async function examineStream(
  { session, names, name, readers }: Look,
  { mark, acknowledged, thorough }: KnownOfStream,
): Promise<Examination> {
  const { manager, incarnation } = session.ready();
  const info = await manager.streams.info(names.stream);
  if (mark?.incarnation !== incarnation) {
    return { mark: freshMark(info, incarnation), losses: mark ? [{}] : [], more: false };
  }
  const losses = [...headLoss(mark, info), ...(await tailLoss(manager, info, { mark, acknowledged, thorough }))];
  const floor = doneUpTo(info.state.last_seq, await readersOf(manager, names.stream, readers));
  const from = { ...mark, verified: Math.min(Math.max(mark.verified, info.state.first_seq - 1), info.state.last_seq) };
  const read = await readHeaders(
    session.ready(),
    { stream: names.stream, consumer: lookingConsumer(name) },
    { from, upTo: floor },
  );
  const { last_seq: last, last_ts } = info.state;
  const lastAt = last > 0 ? new Date(last_ts) : mark.lastAt;
  return {
    mark: { incarnation, verified: read.verified, verifiedAt: read.verifiedAt, last, lastAt },
    losses: [...losses, ...read.losses].map(withMargin),
    more: !read.leftToOther && read.verified < floor,
  };
}

function freshMark({ state }: StreamInfo, incarnation: string): StreamMark {
  const empty = state.messages === 0;
  const verifiedAt = empty ? new Date() : new Date(state.first_ts);
  const lastAt = empty ? verifiedAt : new Date(state.last_ts);
  return { incarnation, verified: Math.max(0, state.first_seq - 1), verifiedAt, last: state.last_seq, lastAt };
}

/** The first events are gone, neither by their age nor to make room. */
function headLoss(
  mark: Pick<StreamMark, "verified" | "verifiedAt">,
  { state, config }: Pick<StreamInfo, "state" | "config">,
): PublishedBetween[] {
  const explained = Math.max(mark.verified, trimmedUpTo(config));
  if (state.first_seq <= explained + 1 || state.last_seq <= explained) return [];
  if (mark.verifiedAt.getTime() < Date.now() - streamMaxAgeMs + hourMs) return [];
  return [{ since: mark.verifiedAt, until: state.messages > 0 ? new Date(state.first_ts) : undefined }];
}

/** The newest events that were known are gone, or others have their sequences. */
async function tailLoss(
  manager: JetStreamManager,
  { config, state }: StreamInfo,
  { mark, acknowledged, thorough }: KnownOfStream & { mark: StreamMark },
): Promise<PublishedBetween[]> {
  const lost = [{ since: mark.verifiedAt }];
  const newest = Math.max(mark.last, acknowledged?.sequence ?? 0);
  if (state.last_seq < newest) return lost;
  if (!thorough) return [];
  const at = (seq: number) => manager.streams.getMessage(config.name, { seq }).catch(() => undefined);
  const known = mark.last >= state.first_seq && mark.last > 0 ? await at(mark.last) : undefined;
  if (known && known.time.getTime() !== mark.lastAt.getTime()) return lost;
  const own = acknowledged && acknowledged.sequence >= state.first_seq ? await at(acknowledged.sequence) : undefined;
  return own && own.header.get("Nats-Msg-Id") !== acknowledged?.messageId ? lost : [];
}

async function readersOf(
  manager: JetStreamManager,
  stream: string,
  readers: readonly string[] | undefined,
): Promise<Progress[]> {
  const all = await Array.fromAsync(manager.consumers.list(stream));
  const durable = all.filter(({ config }) => config.durable_name !== undefined);
  if (!readers) return durable.length > 0 ? durable : [nothingRead];
  return readers.map((reader) => durable.find(({ name }) => name === reader) ?? nothingRead);
}

interface Read {
  verified: number;
  verifiedAt: Date;
  losses: PublishedBetween[];
  /** Another replica reads at this moment. */
  leftToOther: boolean;
}

/** Reads what follows the mark, without the data, and finds the sequences at which nothing is. */
async function readHeaders(
  { connection, manager }: ReadySession,
  { stream, consumer: name }: { stream: string; consumer: string },
  { from, upTo }: { from: StreamMark; upTo: number },
): Promise<Read> {
  const read: Read = { verified: from.verified, verifiedAt: from.verifiedAt, losses: [], leftToOther: false };
  const end = Math.min(upTo, from.verified + maxInOneLook);
  if (end <= from.verified) return read;
  const made = await makeReader(manager, stream, {
    name,
    // Differs from that of another replica, with whom it would otherwise share the events.
    metadata: { reader: nuid.next() },
    ack_policy: AckPolicy.None,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: from.verified + 1,
    headers_only: true,
    mem_storage: true,
    num_replicas: 1,
    inactive_threshold: nanos(30_000),
  });
  if (!made) return { ...read, leftToOther: true };
  try {
    const consumer = await connection.jetstream().consumers.get(stream, name);
    while (read.verified < end) {
      const max_messages = Math.min(fetchSize, end - read.verified);
      const before = read.verified;
      for await (const message of await consumer.fetch({ max_messages, expires: fetchExpiryMs })) {
        const until = new Date(Number(message.info.timestampNanos / 1_000_000));
        if (message.seq > read.verified + 1 && (await isGone(manager, stream, read.verified + 1)))
          read.losses.push({ since: read.verifiedAt, until });
        read.verified = message.seq;
        read.verifiedAt = until;
      }
      if (read.verified === before) break;
    }
    if (read.verified < end && (await isGone(manager, stream, read.verified + 1))) {
      read.losses.push({ since: read.verifiedAt });
      read.verified = end;
    }
    return read;
  } finally {
    await manager.consumers.delete(stream, name).catch(() => undefined);
  }
}

/** Under a name that the service may use and no other; answers false where a replica of it has one at this moment. */
async function makeReader(
  manager: JetStreamManager,
  stream: string,
  config: Partial<ConsumerConfig>,
): Promise<boolean> {
  try {
    await manager.consumers.add(stream, config);
    return true;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.err_code === consumerExists) return false;
    throw error;
  }
}

/** Asked of what a look missed: it may have come late, or have left the stream meanwhile for a good reason. */
async function isGone(manager: JetStreamManager, stream: string, seq: number): Promise<boolean> {
  const found = await manager.streams.getMessage(stream, { seq }).catch(() => undefined);
  if (found) return false;
  const { state } = await manager.streams.info(stream);
  return state.first_seq <= seq;
}

function withMargin({ since, until }: PublishedBetween): PublishedBetween {
  return {
    since: since && new Date(since.getTime() - clockMarginMs),
    until: until && new Date(until.getTime() + clockMarginMs),
  };
}
