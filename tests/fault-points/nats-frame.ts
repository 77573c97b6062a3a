/** One line of NATS' protocol, with its payload where it has one. */
export interface NatsFrame {
  /** All of it, as it was sent. */
  readonly bytes: Buffer;
  readonly verb: string;
  /** Of PUB, HPUB, MSG and HMSG. */
  readonly subject?: string;
  readonly reply?: string;
  /** Headers included. */
  readonly payload?: Buffer;
}

const lineEnd = "\r\n";
/** Arguments of the verbs that carry a payload, without those that are always there: subject (and sid), size (and header size). */
const carriers: Readonly<Record<string, { replyAt: number; withReply: number }>> = {
  PUB: { replyAt: 1, withReply: 3 },
  HPUB: { replyAt: 1, withReply: 4 },
  MSG: { replyAt: 2, withReply: 4 },
  HMSG: { replyAt: 2, withReply: 5 },
};

/** The whole frames at the beginning of `bytes`, and the rest. */
export function splitFrames(bytes: Buffer): { frames: NatsFrame[]; rest: Buffer } {
  const frames: NatsFrame[] = [];
  let rest = bytes;
  for (;;) {
    const frame = firstFrame(rest);
    if (frame === undefined) return { frames, rest };
    frames.push(frame);
    rest = rest.subarray(frame.bytes.length);
  }
}

function firstFrame(bytes: Buffer): NatsFrame | undefined {
  const end = bytes.indexOf(lineEnd);
  if (end === -1) return undefined;
  const [verb = "", ...given] = bytes.toString("latin1", 0, end).split(/[ \t]+/);
  const carrier = carriers[verb.toUpperCase()];
  const begin = end + lineEnd.length;
  if (carrier === undefined) return { bytes: bytes.subarray(0, begin), verb };
  const size = Number(given.at(-1));
  if (bytes.length < begin + size + lineEnd.length) return undefined;
  const reply = given.length === carrier.withReply ? given[carrier.replyAt] : undefined;
  return {
    bytes: bytes.subarray(0, begin + size + lineEnd.length),
    verb: verb.toUpperCase(),
    ...(given[0] !== undefined && { subject: given[0] }),
    ...(reply !== undefined && { reply }),
    payload: bytes.subarray(begin, begin + size),
  };
}
