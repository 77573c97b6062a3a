import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { measureCommands } from "./commands.ts";
import { measureDelivery } from "./delivery.ts";
import { measureLiveMetrics } from "./live-metrics.ts";
import { quickEffort, wholeEffort } from "./measure.ts";
import { createJobs } from "./run-with-jobs.ts";

// `--quick` shows that the benches run; its figures say little. `commands`, `delivery`, `live-metrics`: only those named.
const effort = process.argv.includes("--quick") ? quickEffort : wholeEffort;
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isWanted = (bench: string) => named.length === 0 || named.includes(bench);
const directory = await mkdtemp(join(tmpdir(), "load-"));
// These benches measure how fast the platform is, not what it refuses.
const unbounded = { REQUESTS_PER_SECOND: "1000000", CALL_SLACK_MS: "60000", SHED_DELAY_MS: "60000" };
const platform = await startPlatform({ directory, trainer: false, separate: "all", settings: { gateway: unbounded } });
const training = createMeshTransport({ addresses: platform.description.grpc.training });
try {
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} cores shared by client, services, mongod and nats-server\n`,
  );
  const jobs = await createJobs(training, platform.description.api_key, 258);
  const [delivery, metrics, ...spreadOver] = jobs;
  if (!delivery || !metrics) throw new Error("no jobs were created");
  if (isWanted("commands")) await measureCommands(platform, spreadOver, effort);
  if (isWanted("delivery")) await measureDelivery(platform, { transport: training, job: delivery }, effort);
  if (isWanted("live-metrics")) await measureLiveMetrics(platform, { transport: training, job: metrics }, effort);
} finally {
  await training.close();
  await platform.stop();
  await rm(directory, { recursive: true, force: true });
}
