import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startInfra } from "@aiplatform/local-platform";
import { serviceKeyFiles } from "@aiplatform/testkit";
import { bundleDataEngine, bundleServingRuntime, linkSyncAll } from "../../scripts/bundle.ts";
import { root } from "../../scripts/install.mjs";
import { serverDataFolder } from "./server-data.ts";

/** Each file drops a database at its end, and would wait half a second for a mongod that saves the CPU of looking often. */
const journalMs = 20;

/**
 * Starts one mongod and one nats-server for the whole test run and names them in TEST_MONGODB_URI and TEST_NATS_URL.
 * Where both are set already, those are used: `npm run infra` keeps a pair running between test runs. TEST_SERVICE_KEYS names
 * the directory of the keys that all processes of the run share, SERVING_RUNTIME_BUNDLE
 * that of the program of instances, and DATA_ENGINE_BUNDLE that of the processes of the data engine.
 * Answers the teardown, which stops both and removes their data. A suite that runs beside another uses what that one started.
 */
export default async function startTestInfra(): Promise<() => Promise<void>> {
  if (process.env.TEST_SERVICE_KEYS) return async () => {};
  const keys = await mkdtemp(join(tmpdir(), "aiplatform-service-keys-"));
  process.env.TEST_SERVICE_KEYS = keys;
  // Before workers do: two that make them at once would have different ones.
  serviceKeyFiles("gateway");
  const bundles = await bundleForTests();
  const removeFiles = async () => {
    for (const folder of [keys, bundles]) await rm(folder, { recursive: true, force: true });
  };
  if (process.env.TEST_MONGODB_URI && process.env.TEST_NATS_URL) return removeFiles;
  const directory = serverDataFolder();
  const infra = await startInfra({ directory, journalMs, log: (line) => process.stderr.write(`${line}\n`) });
  process.env.TEST_MONGODB_URI = infra.mongodbUri;
  process.env.TEST_NATS_URL = infra.natsUrl;
  return async () => {
    await infra.stop();
    await rm(directory, { recursive: true, force: true });
    await removeFiles();
  };
}

/** Of the sources as they are now. Below node_modules, where files can be linked instead of copied. */
async function bundleForTests(): Promise<string> {
  const cache = join(root, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "tested-runtime-"));
  await bundleServingRuntime(folder, linkSyncAll);
  process.env.SERVING_RUNTIME_BUNDLE = join(folder, "serving-runtime");
  await bundleDataEngine(folder, linkSyncAll);
  process.env.DATA_ENGINE_BUNDLE = join(folder, "data-engine");
  return folder;
}
