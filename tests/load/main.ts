/**
 * Operations of the whole mesh through the gateway, beside what they stand on: commands and direct inserts, delivery to a trainer and the
 * answer, live metrics and raw HTTP.
 *
 *     npm run load [-- commands delivery live-metrics] [--rounds 5]
 */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlatform } from "@aiplatform/local-platform";
import { createMeshTransport } from "@aiplatform/service-host";
import { type Bench, runBench } from "../../bench/harness/bench.ts";
import type { Figure } from "../../bench/harness/figure.ts";
import { measureCommands } from "./commands.ts";
import { measureDelivery } from "./delivery.ts";
import { measureLiveMetrics } from "./live-metrics.ts";
import { createJobs } from "./run-with-jobs.ts";
import { unbounded } from "./unbounded.ts";

export const load: Bench = {
  title: "Operations of the whole mesh",
  async measure(effort, parts) {
    const isWanted = (part: string) => parts.length === 0 || parts.includes(part);
    await using home = await mkdtempDisposable(join(tmpdir(), "load-"));
    const settings = { gateway: unbounded };
    await using platform = await startPlatform({ directory: home.path, trainer: false, separate: "all", settings });
    const training = createMeshTransport({ addresses: platform.description.grpc.training });
    const figures: Figure[] = [];
    try {
      const [delivery, metrics, ...spreadOver] = await createJobs(training, platform.description.api_key, 258);
      if (!delivery || !metrics) throw new Error("no jobs were created");
      // Commands come last: the others would meet the events that they leave.
      if (isWanted("delivery"))
        figures.push(...(await measureDelivery(platform, { transport: training, job: delivery }, effort)));
      if (isWanted("live-metrics"))
        figures.push(...(await measureLiveMetrics(platform, { transport: training, job: metrics }, effort)));
      if (isWanted("commands")) figures.push(...(await measureCommands(platform, spreadOver, effort)));
    } finally {
      await training.close();
    }
    return figures;
  },
};

if (import.meta.main) await runBench(load);
