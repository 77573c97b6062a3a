import type { Goal } from "./verdict.ts";

/** The program that measures a row: a bench, which runs alone as well. */
export interface BenchProgram {
  /** Path in the repository. */
  readonly module: string;
  /** The part of it that this row needs. */
  readonly part?: string;
}

/** A promise of speed or cost, in figures. */
export interface Row {
  readonly row: number;
  readonly what: string;
  readonly goals: readonly Goal[];
  /** Whether its benches fetch packages from PyPI: measured only where the row is named or `--peers` is set. */
  readonly needsPackages?: boolean;
  /** One or more programs, or why there is none. */
  readonly benches: readonly BenchProgram[] | string;
}

const load = (part: string): BenchProgram => ({ module: "tests/load/main.ts", part });
const training = (name: string): BenchProgram => ({ module: `services/training/bench/${name}.bench.ts` });

/** Every row of the goals, in their order. A goal is about a ratio, measured in turns with its floor, or about a value. */
export const rows: readonly Row[] = [
  {
    row: 1,
    what: "CPU of a gateway route against node:http that answers the same",
    benches: [{ module: "packages/transcoder/bench/route.bench.ts" }],
    goals: [
      { figure: "transcoder-cpu", max: 1.25 },
      { figure: "gateway-cpu", max: 2.5 },
    ],
  },
  {
    row: 2,
    what: "CPU of raw http2 and protobuf against a unary hop",
    benches: [{ module: "packages/service-host/bench/hop.bench.ts" }],
    goals: [{ figure: "raw-hop-cpu", min: 0.75 }],
  },
  {
    row: 3,
    what: "Operation 1, p50 at concurrency 1, against a durable insert",
    benches: [load("commands")],
    goals: [{ figure: "command-p50", max: 1.7 }],
  },
  {
    row: 4,
    what: "Operation 1 at concurrency 64 against durable inserts",
    benches: [load("commands")],
    goals: [{ figure: "command-rate", min: 1 }],
  },
  {
    row: 5,
    what: "The command store against a textbook transaction and plain inserts",
    benches: [training("command-log")],
    goals: [
      { figure: "store-spread-textbook", min: 20 },
      { figure: "store-hot-textbook", min: 150 },
      { figure: "store-spread-plain", min: 4 },
    ],
  },
  {
    row: 6,
    what: "CPU of gateway, service and mongod per command against a textbook mesh",
    benches: [{ module: "bench/rows/command-cpu.ts" }],
    goals: [{ figure: "command-cpu", max: 0.1 }],
  },
  {
    row: 7,
    what: "POST until the trainer holds the command, against POST until 201",
    benches: [load("delivery")],
    goals: [
      { figure: "delivery-p50", max: 1 },
      { figure: "delivery-p99", max: 2 },
    ],
  },
  {
    row: 8,
    what: "Durable metric ingest against ingest in memory, and against one document per point",
    benches: [training("metrics-ingest")],
    goals: [
      { figure: "ingest-memory", min: 0.6 },
      { figure: "ingest-time-series", min: 8 },
    ],
  },
  {
    row: 9,
    what: "Operation 8 of 50 series through the gateway against the same bytes over raw HTTP",
    benches: [load("live-metrics")],
    goals: [{ figure: "live-metrics-p50", max: 2 }],
  },
  {
    row: 10,
    what: "The MLflow tracking server at the same work",
    needsPackages: true,
    benches: [{ module: "bench/peers/mlflow.ts" }],
    goals: [
      { figure: "mlflow-command-32", min: 15 },
      { figure: "mlflow-points", min: 40 },
      { figure: "mlflow-read-8", min: 10 },
    ],
  },
  {
    row: 11,
    what: "The Prefect server at a change of state",
    needsPackages: true,
    benches: [{ module: "bench/peers/prefect.ts" }],
    goals: [
      { figure: "prefect-command-32", min: 20 },
      { figure: "prefect-command-1", min: 6 },
    ],
  },
  {
    row: 12,
    what: "A prediction through the gateway against the runtime directly, p50 at 1",
    benches: [{ module: "services/deployments/bench/predictions.bench.ts" }],
    goals: [{ figure: "prediction-p50", max: 1.5 }],
  },
  {
    row: 13,
    what: "All services ready, and their memory, against the same from sources",
    benches: [{ module: "bench/rows/service-start.ts" }],
    goals: [
      { figure: "services-ready", max: 0.3 },
      { figure: "service-memory", max: 0.55 },
    ],
  },
  {
    row: 14,
    what: "Commands per CPU second of two replicas against one",
    benches: [training("replicas")],
    goals: [{ figure: "two-replicas", min: 0.95 }],
  },
  {
    row: 15,
    what: "100 kB of wrong array to operation 7",
    benches: [{ module: "packages/transcoder/bench/refused-array.bench.ts" }],
    // 100 entries, and one that says that there are more.
    goals: ["more-items-than-it-may-have", "texts-for-objects", "objects-with-wrong-members"].flatMap((kind) => [
      { figure: `${kind}-cpu`, of: "value" as const, max: 100 },
      { figure: `${kind}-entries`, of: "value" as const, max: 101 },
      { figure: `${kind}-answer`, of: "value" as const, max: 256 },
    ]),
  },
  {
    row: 16,
    what: "npm start until it prints its addresses",
    benches: [{ module: "bench/rows/platform-start.ts" }],
    goals: [
      { figure: "first-start", of: "value", max: 120 },
      { figure: "second-start", of: "value", max: 5 },
    ],
  },
  {
    row: 17,
    what: "Python trainer: log() of 10 metrics, cost of a step, memory",
    benches: "its bench is Python: sdks/python/benches/log_overhead.py",
    goals: [],
  },
  {
    row: 18,
    what: "Datasets of 1 GB and 10,000,000 rows, and search in 1,000,000 vectors",
    benches: [
      { module: "packages/data-engine/bench/large-files.bench.ts" },
      { module: "packages/data-engine/bench/vector-search.bench.ts" },
    ],
    goals: [
      { figure: "csv-ready", max: 3 },
      { figure: "page-p50", of: "value", max: 50 },
      { figure: "search-recall", of: "value", min: 0.95 },
      { figure: "search-many", max: 3 },
    ],
  },
  {
    row: 19,
    what: "Console: compressed bytes of the first screen",
    benches: [{ module: "bench/rows/console-size.ts" }],
    goals: [{ figure: "console-bytes", of: "value", max: 250 }],
  },
  {
    row: 20,
    what: "Idle platform of npm start",
    benches: [{ module: "bench/rows/idle-platform.ts" }],
    goals: [
      { figure: "idle-memory", of: "value", max: 900 },
      { figure: "idle-cpu", of: "value", max: 2 },
    ],
  },
  {
    row: 21,
    what: "Console: script of a frame with 50 live curves of 10,000 points",
    benches: [{ module: "bench/rows/console-frames.ts" }],
    goals: [{ figure: "frame-script-p95", of: "value", max: 8 }],
  },
];
