import type { Socket } from "node:net";

/** What a client of HTTP/2 sends first where it knows that the server speaks it (RFC 9113, 3.4). */
const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

export interface Speakers {
  readonly http1: (socket: Socket) => void;
  readonly http2: (socket: Socket) => void;
  /** To send what tells the protocols apart, from its first byte, ms. */
  readonly timeoutMs: number;
}

/** Looks at the first bytes of a connection, leaves them on it, and hands it to who speaks its protocol. */
export function chooseProtocol(socket: Socket, { http1, http2, timeoutMs }: Speakers): void {
  let timer: NodeJS.Timeout | undefined;
  const fail = () => socket.destroy();
  const stop = () => {
    clearTimeout(timer);
    socket.off("data", look).off("end", decide).off("error", fail).off("close", stop);
  };
  let received: Buffer = Buffer.alloc(0);
  const decide = () => {
    stop();
    socket.pause();
    if (received.length > 0) socket.unshift(received);
    const speak = received.length >= preface.length && begins(received) ? http2 : http1;
    speak(socket);
    if (speak === http1) socket.resume();
  };
  const look = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    if (!begins(received) || received.length >= preface.length) decide();
    else timer ??= setTimeout(fail, timeoutMs).unref();
  };
  socket.on("data", look).on("end", decide).on("error", fail).on("close", stop);
}

/** Whether what was received is the preface, as far as it goes. */
function begins(received: Buffer): boolean {
  const length = Math.min(received.length, preface.length);
  return received.compare(preface, 0, length, 0, length) === 0;
}
