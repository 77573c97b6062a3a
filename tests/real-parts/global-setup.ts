import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Parts, startParts } from "@aiplatform/local-platform";

/** What is left for the teardown, which jest runs in the same process. */
export const realParts: { parts?: Parts; directory?: string } = {};

/**
 * Starts one mongod and one nats-server for the whole test run and names them in TEST_MONGODB_URI and TEST_NATS_URL.
 * Where both are set already, those are used: `npm run parts` keeps a pair running between test runs.
 */
export default async function startRealParts(): Promise<void> {
  if (process.env.TEST_MONGODB_URI && process.env.TEST_NATS_URL) return;
  realParts.directory = await mkdtemp(join(tmpdir(), "aiplatform-parts-"));
  realParts.parts = await startParts({
    directory: realParts.directory,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  process.env.TEST_MONGODB_URI = realParts.parts.mongodbUri;
  process.env.TEST_NATS_URL = realParts.parts.natsUrl;
}
