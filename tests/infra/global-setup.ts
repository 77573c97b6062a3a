import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInfra } from "@aiplatform/local-platform";

/**
 * Starts one mongod and one nats-server for the whole test run and names them in TEST_MONGODB_URI and TEST_NATS_URL.
 * Where both are set already, those are used: `npm run infra` keeps a pair running between test runs. TEST_SERVICE_KEYS names
 * the directory of the keys that all processes of the run share.
 * Answers the teardown, which stops both and removes their data.
 */
export default async function startTestInfra(): Promise<() => Promise<void>> {
  const keys = await mkdtemp(join(tmpdir(), "aiplatform-service-keys-"));
  process.env.TEST_SERVICE_KEYS = keys;
  const removeKeys = () => rm(keys, { recursive: true, force: true });
  if (process.env.TEST_MONGODB_URI && process.env.TEST_NATS_URL) return removeKeys;
  const directory = await mkdtemp(join(tmpdir(), "aiplatform-infra-"));
  const infra = await startInfra({ directory, log: (line) => process.stderr.write(`${line}\n`) });
  process.env.TEST_MONGODB_URI = infra.mongodbUri;
  process.env.TEST_NATS_URL = infra.natsUrl;
  return async () => {
    await infra.stop();
    await rm(directory, { recursive: true, force: true });
    await removeKeys();
  };
}
