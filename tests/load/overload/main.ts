// Shows what the platform does when it is asked for more than it can do: node tests/load/overload/main.ts [seconds], default 600.
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import { measureNeighbours, measureOverload, printNeighbours, printOverload } from "./overload.ts";

const seconds = Number(process.argv[2] ?? 600);
const directory = await mkdtemp(join(tmpdir(), "overload-"));
process.stdout.write(
  `Node ${process.version}, ${cpus().length} cores shared by generator, services, mongod and nats-server\n`,
);
try {
  {
    const settings = { gateway: { REQUESTS_PER_SECOND: "1000000" } };
    await using platform = await startPlatform({ directory, trainer: false, separate: "all", settings });
    printOverload(await measureOverload(platform, seconds), seconds);
  }
  const plan = { rate: 25, seconds: Math.min(seconds, 60) };
  const settings = { gateway: { REQUESTS_PER_SECOND: `${plan.rate}` } };
  await using platform = await startPlatform({ directory, trainer: false, separate: "all", settings });
  printNeighbours(await measureNeighbours(platform, plan), plan);
} finally {
  await rm(directory, { recursive: true, force: true });
}
