import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInfra } from "@aiplatform/local-platform";

/** A nats-server that a test may kill, and where its data lies. */
export async function startOwnNats() {
  const directory = await mkdtemp(join(tmpdir(), "event-stream-"));
  const parts = await startInfra({ directory, mongodb: false, env: { ...process.env, NATS_URL: undefined } });
  const stop = async () => {
    await parts.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { parts, store: join(directory, "nats", "data"), [Symbol.asyncDispose]: stop };
}
