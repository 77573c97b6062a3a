/**
 * The ten nearest of 1,000,000 vectors of 384 numbers, against LanceDB called directly, and what both find of them; and of 100,000, which are all
 * compared.
 *
 *     node packages/data-engine/bench/vector-search.bench.ts [many] [exact] [--rounds 5]
 *
 * `LANCEDB_FOLDER` names a folder in which LanceDB is installed (lancedb-peer.ts); without it there is nothing to compare with.
 */
import { dirname } from "node:path";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { type Figure, median } from "../../../bench/harness/figure.ts";
import { interleaved, round } from "../../../bench/harness/rounds.ts";
import { type BenchEngine, openBenchEngine, organisationId } from "./bench-engine.ts";
import { openLance } from "./lancedb-peer.ts";
import { dimensions, VectorsOfSubjects, writeVectorFile } from "./vectors-of-subjects.ts";

const [manyRows, exactRows] = [1_000_000, 100_000];
const limit = 10;
const searchesOfRound = 100;
/** Searches whose answers are compared with those that are right. */
const checked = 50;

export const vectorSearch: Bench = {
  title: "Search among vectors",
  async measure({ rounds, share }, parts) {
    await using bench = await openBenchEngine(Math.ceil(9_000 * share) + 1_000);
    const figures: Figure[] = [];
    const asked = (part: string) => parts.length === 0 || parts.includes(part);
    if (asked("exact")) figures.push(...(await measureExact(bench, rounds, share)));
    if (asked("many")) figures.push(...(await measureMany(bench, rounds, share)));
    return figures;
  },
};

/** Vectors that are laid out, and others to look for. */
async function laidOut({ engine, path }: BenchEngine, rows: number, every: boolean) {
  const source = new VectorsOfSubjects();
  const [vectors, cells] = [path(`${rows}.parquet`), path(`${rows}.cells`)];
  await writeVectorFile(source, rows, { path: vectors, folder: dirname(dirname(vectors)) });
  const sought = Array.from({ length: searchesOfRound }, () => source.next());
  const begin = performance.now();
  const laying = { organisationId, vectors, metric: "cosine" as const, dimensions, output: cells };
  const limits = { timeMs: 7_200_000 };
  const laid = await engine.layVectors({ ...laying, limits, exactRows: every ? rows : Math.ceil(rows / 2) });
  const seconds = (performance.now() - begin) / 1_000;
  process.stdout.write(
    `${rows} vectors laid out in ${seconds.toFixed(0)} s: ${laid.cells} cells, recall ${laid.recall.toFixed(3)}\n`,
  );
  const find = async (vector: Float32Array) =>
    (await engine.nearest({ organisationId, cells, vector: [...vector], limit })).map(({ row }) => row);
  return { vectors, sought, find, seconds };
}

async function measureExact(bench: BenchEngine, rounds: number, share: number): Promise<Figure[]> {
  const { sought, find } = await laidOut(bench, Math.ceil(exactRows * share), true);
  const search = timed(find, sought, share);
  await search();
  const { ours } = await interleaved(rounds, { ours: search });
  return [{ id: "search-exact", name: "the nearest of 100,000, all of them compared, p50", unit: "ms", values: ours }];
}

async function measureMany(bench: BenchEngine, rounds: number, share: number): Promise<Figure[]> {
  const rows = Math.ceil(manyRows * share);
  const { vectors, sought, find, seconds } = await laidOut(bench, rows, false);
  const { LANCEDB_FOLDER: installed } = process.env;
  const search = timed(find, sought, share);
  if (installed === undefined) {
    process.stdout.write("LANCEDB_FOLDER is not set: there is nothing to compare with\n");
    await search();
    const { ours } = await interleaved(rounds, { ours: search });
    return [{ id: "search-many", name: "the nearest of 1,000,000, p50", unit: "ms", values: ours }];
  }
  const lance = await openLance(installed, vectors, dirname(dirname(vectors)));
  const peer = timed((vector) => lance.find(vector, limit), sought, share);
  for (const warm of [search, peer]) await warm();
  const { ours, theirs } = await interleaved(rounds, { theirs: peer, ours: search });
  const recall = { ours: 0, theirs: 0 };
  for (const vector of sought.slice(0, checked)) {
    const truth = new Set(await lance.compareAll(vector, limit));
    const shareOf = (found: readonly number[]) => found.filter((row) => truth.has(row)).length / limit / checked;
    recall.ours += shareOf(await find(vector));
    recall.theirs += shareOf(await lance.find(vector, limit));
  }
  const floor = { name: "LanceDB called directly", values: theirs };
  const recalls = { name: floor.name, values: [recall.theirs] };
  return [
    { id: "search-many", name: "the nearest of 1,000,000, p50", unit: "ms", values: ours, floor },
    {
      id: "search-recall",
      name: "share of the ten nearest that is found",
      unit: "",
      values: [recall.ours],
      floor: recalls,
    },
    { id: "vectors-laid", name: "1,000,000 vectors laid out", unit: "s", values: [seconds] },
  ];
}

/** Milliseconds of a search in the middle of a round. */
function timed(find: (vector: Float32Array) => Promise<unknown>, sought: readonly Float32Array[], share: number) {
  const count = Math.max(1, Math.ceil(searchesOfRound * share));
  return async () =>
    median((await round(count, 1, (at) => find(sought[at % sought.length] ?? new Float32Array()))).latencies);
}

if (import.meta.main) await runBench(vectorSearch);
