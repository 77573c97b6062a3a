/**
 * What the circuit breaker and the time limit of a call cost: CPU of this process for reading one document through the
 * driver alone and through the guarded collection, in turns. `node packages/document-store/bench/breaker.bench.ts`
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDocumentStore } from "@aiplatform/document-store";
import { startParts } from "@aiplatform/local-platform";

const rounds = 12;
const calls = 2_000;

async function cpuOf(call: () => Promise<unknown>, times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let done = 0; done < times; done += 1) await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const directory = await mkdtemp(join(tmpdir(), "breaker-bench-"));
const parts = await startParts({ directory, nats: false });
const store = await connectDocumentStore({ uri: parts.mongodbUri, database: "bench", appName: "bench" });
const alone = store.client.db("bench").collection("things");
const guarded = store.database.collection("things");
await alone.insertOne({ n: 1 });

const ways = {
  "read by the driver alone": () => alone.findOne({ n: 1 }),
  "read through breaker and limit": () => guarded.findOne({ n: 1 }),
};
const seen = Object.entries(ways).map(([name, call]) => ({ name, call, cpu: [] as number[] }));
for (let round = -1; round < rounds; round += 1) {
  for (const { call, cpu } of round % 2 === 0 ? seen : seen.toReversed()) {
    const each = await cpuOf(call, calls);
    if (round >= 0) cpu.push(each);
  }
}
for (const { name, cpu } of seen) process.stdout.write(`${name}: ${median(cpu).toFixed(1)} µs of CPU a call\n`);

const nothing = async () => undefined;
await cpuOf(() => store.breaker.run(nothing), 100_000);
const bare = await cpuOf(nothing, 300_000);
const within = await cpuOf(() => store.breaker.run(nothing), 300_000);
process.stdout.write(`breaker and limit around nothing: ${(within - bare).toFixed(2)} µs of CPU a call\n`);

await store.close();
await parts.stop();
await rm(directory, { recursive: true, force: true });
