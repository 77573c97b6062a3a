/**
 * How long a person waits for a dictionary of 5,000 entries: through the real client, MongoDB and NATS beside it.
 *
 *     node services/content/bench/data-dictionary.bench.ts [rounds, default 30]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { startInfra } from "@aiplatform/local-platform";
import { ContentRig } from "../tests/content-rig.ts";

const rounds = Number(process.argv[2] ?? 30);
const size = 5_000;
const directory = await mkdtemp(join(tmpdir(), "data-dictionary-bench-"));
await using parts = new AsyncDisposableStack();
parts.defer(() => rm(directory, { recursive: true, force: true }));
const { mongodbUri, natsUrl, stop } = await startInfra({ directory });
parts.defer(() => stop());
process.env["TEST_MONGODB_URI"] = mongodbUri;
process.env["TEST_NATS_URL"] = natsUrl;
const rig = parts.use(await ContentRig.start());
const member = rig.member();
const datasets = member.client(DatasetService);
const dictionaries = member.client(DataDictionaryService);

const entriesOf = (round: number, count = size) =>
  Array.from({ length: count }, (_, index) => ({
    name: `column_${index}`,
    description: `What column ${index} of the sales of the year means, said for the ${round}. time`,
  }));

const measured = new Map<string, number[]>();
async function measure<R>(what: string, work: () => Promise<R>): Promise<R> {
  const startedAt = performance.now();
  const result = await work();
  measured.set(what, [...(measured.get(what) ?? []), performance.now() - startedAt]);
  return result;
}

for (let round = 0; round < rounds; round++) {
  const { dataset } = await datasets.createDataset({ name: "sales" });
  const datasetId = dataset?.id ?? "";
  const patch = (entries: ReturnType<typeof entriesOf>) => dictionaries.patchDataDictionary({ datasetId, entries });
  await measure("5,000 new entries", () => patch(entriesOf(1)));
  await measure("5,000 entries replaced", () => patch(entriesOf(2)));
  await measure("5,000 entries that are the same", () => patch(entriesOf(2)));
  await measure("1 of 5,000 entries replaced", () => patch(entriesOf(3, 1)));
  await measure("5,000 entries read", () => dictionaries.getDataDictionary({ datasetId }));
}

console.log(`${"".padEnd(34)}p50 ms   p99 ms   (${rounds} rounds)`);
for (const [what, times] of measured) {
  times.sort((one, other) => one - other);
  const at = (share: number) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0);
  console.log(`${what.padEnd(34)}${String(at(0.5)).padStart(6)}${String(at(0.99)).padStart(9)}`);
}
