import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { Socket } from "node:net";

export interface Http2Limits {
  /** So long a connection may be open without a stream, ms. */
  readonly idleTimeoutMs: number;
  /** Age, give or take a tenth, at which a connection gives way to a new one, ms. What is under way on it ends first. */
  readonly maxAgeMs: number;
}

/** Streams of one connection under way at once: the least that RFC 9113 recommends, and each holds what it has received. */
const maxStreams = 100;
/** Header fields of one request, in bytes. The reader of HTTP/1.1 behind it has the limit that is answered with 431. */
const maxHeaderListBytes = 32_768;
const streamWindow = 262_144;
const connectionWindow = 1_048_576;
const maxSessionMegabytes = 10;
/** How often a connection with streams must show that its client is there. */
const pingEveryMs = 30_000;
/** To take the last that a connection is told. */
const lingerMs = 1_000;

const options = {
  maxSessionMemory: maxSessionMegabytes,
  maxSessionInvalidFrames: 100,
  maxSessionRejectedStreams: maxStreams,
  // A client may give up all that it has under way at once, and no more than that again and again.
  streamResetBurst: maxStreams,
  streamResetRate: maxStreams,
  settings: {
    enablePush: false,
    maxConcurrentStreams: maxStreams,
    maxHeaderListSize: maxHeaderListBytes,
    initialWindowSize: streamWindow,
  },
} satisfies Parameters<typeof performServerHandshake>[1] & object;

export type StreamTaker = (stream: ServerHttp2Stream, rawHeaders: readonly string[], socket: Socket) => void;

/** The connections on which HTTP/2 is spoken. */
export class Http2Sessions {
  readonly #limits: Http2Limits;
  readonly #take: StreamTaker;
  readonly #sessions = new Set<ServerHttp2Session>();
  #isClosing = false;

  constructor(limits: Http2Limits, take: StreamTaker) {
    this.#limits = limits;
    this.#take = take;
  }

  accept(socket: Socket): void {
    const session = performServerHandshake(socket, options);
    session.setLocalWindowSize(connectionWindow);
    session.on("error", () => session.destroy());
    this.#sessions.add(session);
    const stopWatching = this.#watch(session, socket);
    session.once("close", () => {
      stopWatching();
      this.#sessions.delete(session);
      socket.destroy();
    });
    if (this.#isClosing) giveWay(session);
  }

  /** Tells all clients to open no further streams here (GOAWAY). Connections close when their streams have ended. */
  close(): void {
    this.#isClosing = true;
    for (const session of this.#sessions) giveWay(session);
  }

  destroy(): void {
    for (const session of this.#sessions) session.destroy();
  }

  /** Ends a connection that has no streams, whose client is gone, or that is old. Answers what stops it. */
  #watch(session: ServerHttp2Session, socket: Socket): () => void {
    const { idleTimeoutMs, maxAgeMs } = this.#limits;
    const end = () => {
      giveWay(session);
      setTimeout(() => session.destroy(), lingerMs).unref();
    };
    const whileIdle = () => setTimeout(end, idleTimeoutMs).unref();
    let streams = 0;
    let idle = whileIdle();
    session.on("stream", (stream, _headers, _flags, rawHeaders) => {
      streams += 1;
      clearTimeout(idle);
      stream.once("close", () => {
        streams -= 1;
        if (streams === 0 && !session.destroyed) idle = whileIdle();
      });
      stream.on("error", () => {});
      this.#take(stream, rawHeaders, socket);
    });
    const age = setTimeout(() => giveWay(session), maxAgeMs * (0.9 + Math.random() * 0.2)).unref();
    const stopAsking = askForLife(session, () => streams > 0);
    return () => {
      clearTimeout(idle);
      clearTimeout(age);
      stopAsking();
    };
  }
}

function giveWay(session: ServerHttp2Session): void {
  if (!session.closed && !session.destroyed) session.close();
}

/** Pings a client that waits for something, and ends its connection when the last ping has had no answer. */
function askForLife(session: ServerHttp2Session, isUsed: () => boolean): () => void {
  let isAsked = false;
  const timer = setInterval(() => {
    if (session.destroyed) return;
    if (isAsked) return void session.destroy();
    if (!isUsed()) return;
    isAsked = true;
    session.ping(() => {
      isAsked = false;
    });
  }, pingEveryMs).unref();
  return () => clearInterval(timer);
}
