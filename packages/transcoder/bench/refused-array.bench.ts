/**
 * What refusing a wrong array of 100 kB costs: milliseconds of the process's CPU for the whole request, entries and size of the
 * answer.
 *
 *     node packages/transcoder/bench/refused-array.bench.ts [--rounds 5]
 */
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import type { Figure } from "../../../bench/harness/figure.ts";
import { callerFromImplementations, createFetchHandler } from "../src/index.ts";

const url = "https://api.test/data-dictionary/3fa85f64-5717-4562-b3fc-2c963f66afa6/";
const array = (count: number, item: unknown) => JSON.stringify(Array(count).fill(item));
const arrays = {
  "more items than it may have": array(50_000, 1),
  "texts for objects": array(1_000, "x".repeat(97)),
  "objects with wrong members": array(1_000, { name: 1, comment: "x".repeat(74) }),
};

const handle = createFetchHandler({
  services: [DataDictionaryService],
  call: callerFromImplementations((registry) => registry.service(DataDictionaryService, {})),
});

interface Refusal {
  readonly cpuMs: number;
  readonly entries: number;
  readonly kibibytes: number;
}

async function refusal(body: string): Promise<Refusal> {
  const headers = { "content-type": "application/json" };
  const before = process.cpuUsage();
  const answer = await handle(new Request(url, { method: "PATCH", headers, body }));
  const text = (await answer?.text()) ?? "";
  const { user, system } = process.cpuUsage(before);
  if (answer?.status !== 422) throw new Error(`expected 422, got ${answer?.status}: ${text}`);
  const { detail }: { detail: readonly unknown[] } = JSON.parse(text);
  return { cpuMs: (user + system) / 1_000, entries: detail.length, kibibytes: Buffer.byteLength(text) / 1_024 };
}

export const refusedArray: Bench = {
  title: "A wrong array of 100 kB",
  async measure({ rounds }) {
    const figures: Figure[] = [];
    for (const [kind, body] of Object.entries(arrays)) {
      const seen: Refusal[] = [];
      for (let round = 0; round < rounds; round += 1) seen.push(await refusal(body));
      const id = kind.replaceAll(" ", "-");
      figures.push(
        { id: `${id}-cpu`, name: `${kind}, CPU`, unit: "ms", values: seen.map(({ cpuMs }) => cpuMs) },
        { id: `${id}-entries`, name: `${kind}, entries`, unit: "", values: seen.map(({ entries }) => entries) },
        { id: `${id}-answer`, name: `${kind}, answer`, unit: "KiB", values: seen.map(({ kibibytes }) => kibibytes) },
      );
    }
    return figures;
  },
};

if (import.meta.main) await runBench(refusedArray);
