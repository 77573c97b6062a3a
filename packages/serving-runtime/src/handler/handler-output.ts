import type { Readable, Writable } from "node:stream";

/** Bytes of a handler's output that are passed on in a second; the rest is counted and left out. */
const bytesPerSecond = 16_384;

/** Passes on what a handler writes, cut to what a log can take. The excess is read too, so that it fills no memory. */
export function passOnBounded(from: Readable, to: Writable): void {
  let windowEndsAt = 0;
  let passed = 0;
  let dropped = 0;
  const reportDropped = () => {
    if (dropped > 0) to.write(`\n[${dropped} bytes of output left out]\n`);
    dropped = 0;
  };
  from.on("data", (chunk: Buffer) => {
    const now = performance.now();
    if (now >= windowEndsAt) {
      reportDropped();
      windowEndsAt = now + 1_000;
      passed = 0;
    }
    const room = Math.max(0, bytesPerSecond - passed);
    if (room > 0) to.write(chunk.subarray(0, room));
    passed += Math.min(room, chunk.length);
    dropped += Math.max(0, chunk.length - room);
  });
  from.once("close", reportDropped);
}
