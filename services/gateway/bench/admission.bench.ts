/**
 * What acquiring and releasing the permits of a request costs, beside 10,000 organisations' streams.
 *
 *     node services/gateway/bench/admission.bench.ts [--rounds 5]
 */
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { cpuOfCalls } from "../../../bench/harness/cpu-of-calls.ts";
import { createRequestLimiter } from "../src/admission/request-limiter.ts";

const wholeRound = 200_000;
const demands = {
  call: { upstream: "training", operation: "POST /commands" },
  prediction: "prediction",
  watch: "watch",
  work_stream: "work_stream",
} as const;

export const admission: Bench = {
  title: "The permits of a request",
  async measure({ rounds, share }) {
    const limiter = createRequestLimiter({
      requestsPerSecond: 1_000_000_000,
      organisationConcurrency: 512,
      totalConcurrency: 4_096,
      totalStreams: 20_000,
      anonymousPerMinute: 600,
    });
    for (let count = 0; count < 10_000; count += 1) await limiter.acquire(`watcher ${count}`, "watch");
    const variants = Object.entries(demands).map(([name, demand]) => {
      let count = 0;
      return [name, async () => (await limiter.acquire(`o ${count++ % 64}`, demand))()] as const;
    });
    return await cpuOfCalls({ rounds, calls: Math.ceil(wholeRound * share) }, Object.fromEntries(variants));
  },
};

if (import.meta.main) await runBench(admission);
