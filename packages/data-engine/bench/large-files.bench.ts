/**
 * A CSV file of 1 GB until it is a Parquet file, against DuckDB alone; and a page of rows out of 10,000,000.
 *
 *     node packages/data-engine/bench/large-files.bench.ts [csv] [page] [--rounds 5]
 */
import { rm, stat } from "node:fs/promises";
import { type Bench, runBench } from "../../../bench/harness/bench.ts";
import { type Figure, percentile } from "../../../bench/harness/figure.ts";
import { interleaved, round } from "../../../bench/harness/rounds.ts";
import { type BenchEngine, openBenchEngine, organisationId } from "./bench-engine.ts";

const csvRows = 16_000_000;
const pageRows = 10_000_000;
const pagesOfRound = 200;
const rowsOfPage = 100;

/** Orders with what most files have: numbers, days, times, words, truth values and values that are missing. */
const orders = (rows: number) => `
  SELECT range AS order_id, TIMESTAMP '2024-01-01' + to_seconds(range * 7) AS ordered_at, DATE '2024-01-01' + CAST(range % 700 AS INTEGER) AS due,
    ['de', 'fr', 'it', 'es', 'pl'][1 + range % 5] AS country, round((hash(range) % 1000000) / 100.0, 2) AS price,
    hash(range) % 12 AS quantity, range % 3 = 0 AS is_paid, CASE WHEN range % 4 = 0 THEN NULL ELSE 'note ' || (hash(range + 1) % 5000) END AS note
  FROM range(${rows})`;

export const largeFiles: Bench = {
  title: "Large files in the data engine",
  async measure({ rounds, share }, parts) {
    await using bench = await openBenchEngine(Math.ceil(4_000 * share) + 500);
    const measures = { csv: () => measureCsv(bench, rounds, share), page: () => measurePages(bench, rounds, share) };
    const figures: Figure[] = [];
    for (const [part, measure] of Object.entries(measures))
      if (parts.length === 0 || parts.includes(part)) figures.push(...(await measure()));
    return figures;
  },
};

async function measureCsv({ engine, path, alone }: BenchEngine, rounds: number, share: number): Promise<Figure[]> {
  const [csv, output] = [path("orders.csv"), path("orders.parquet")];
  await alone([`COPY (${orders(Math.ceil(csvRows * share))}) TO '${csv}' (FORMAT csv, HEADER)`]);
  process.stdout.write(`the file has ${((await stat(csv)).size / 1e9).toFixed(2)} GB\n`);
  const seconds = async (work: () => Promise<unknown>) => {
    const begin = performance.now();
    await work();
    const took = (performance.now() - begin) / 1_000;
    await rm(output);
    return took;
  };
  const files = [{ path: csv, name: "orders", format: "csv" as const }];
  const { ours, theirs } = await interleaved(rounds, {
    theirs: () =>
      seconds(() =>
        alone([`COPY (SELECT * FROM read_csv('${csv}')) TO '${output}' (FORMAT parquet, COMPRESSION zstd)`]),
      ),
    ours: () => seconds(() => engine.convert({ organisationId, files, output })),
  });
  await rm(csv);
  const floor = { name: "DuckDB alone", values: theirs };
  return [{ id: "csv-ready", name: "1 GB of CSV until it is Parquet", unit: "s", values: ours, floor }];
}

async function measurePages({ engine, path }: BenchEngine, rounds: number, share: number): Promise<Figure[]> {
  const output = path("many.parquet");
  const rows = Math.ceil(pageRows * share);
  await engine.queryToFile({ organisationId, views: {}, sql: orders(rows), output });
  let state = 1;
  const page = () => {
    state = (state * 48_271) % 2_147_483_647;
    return engine.rows({ organisationId, files: [output], offset: state % (rows - rowsOfPage), limit: rowsOfPage });
  };
  // Warm: the process is there, and the file is in the memory of the system.
  await round(20, 1, page);
  const { pages } = await interleaved(rounds, { pages: () => round(Math.ceil(pagesOfRound * share), 1, page) });
  const of = (part: number) => pages.map(({ latencies }) => percentile(latencies, part));
  return [
    { id: "page-p50", name: "a page of 100 rows out of 10,000,000, p50", unit: "ms", values: of(0.5) },
    { id: "page-p95", name: "the same, p95", unit: "ms", values: of(0.95) },
  ];
}

if (import.meta.main) await runBench(largeFiles);
