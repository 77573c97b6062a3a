import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** Bundled, the thread's program lies beside the service's. */
const extension = import.meta.filename.endsWith(".ts") ? "ts" : "js";
const program = new URL(`./digest-thread.${extension}`, import.meta.url);

const memory = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 16, stackSizeMb: 1 };

/** SHA-256 of bytes, hexadecimal, computed in a thread of its own at the pace at which they come. */
export async function digestInThread(bytes: AsyncIterable<Uint8Array>): Promise<unknown> {
  // Settings of the service have secrets in them, and hashing needs none.
  const thread = new Worker(program, { env: {}, argv: [], name: "digest", resourceLimits: memory });
  const told = async (piece: Uint8Array | null): Promise<unknown> => {
    const answer = once(thread, "message");
    thread.postMessage(piece);
    return (await answer)[0];
  };
  try {
    for await (const piece of bytes) await told(piece);
    return await told(null);
  } finally {
    await thread.terminate();
  }
}
