/** What acquiring and releasing the permits of a request costs, beside 10,000 organisations' streams: microseconds, best of rounds. */
import { createRequestLimiter } from "../src/admission/request-limiter.ts";

const requests = 200_000;
const rounds = 7;
const demands = {
  call: { upstream: "training", operation: "POST /commands" },
  prediction: "prediction",
  watch: "watch",
  work_stream: "work_stream",
} as const;

const limiter = createRequestLimiter({
  requestsPerSecond: 1_000_000_000,
  organisationConcurrency: 512,
  totalConcurrency: 4_096,
  totalStreams: 20_000,
  anonymousPerMinute: 600,
});
for (let count = 0; count < 10_000; count += 1) await limiter.acquire(`watcher ${count}`, "watch");

for (const [name, demand] of Object.entries(demands)) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    for (let count = 0; count < requests; count += 1) (await limiter.acquire(`o ${count % 64}`, demand))();
    best = Math.min(best, performance.now() - startedAt);
  }
  process.stdout.write(`${name}: ${((best / requests) * 1_000).toFixed(2)} µs a request\n`);
}
