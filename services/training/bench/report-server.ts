/**
 * A server for `metrics-ingest.bench.ts`, in a process of its own: the same host, credentials and validation for every
 * variant; only what becomes of a batch differs. Prints its address as one line of JSON.
 */
import { TrainerService } from "@aiplatform/contract/aiplatform/training/v1/trainers";
import { connectDocumentStore } from "@aiplatform/document-store";
import { createLogger, openServiceKeys, startService } from "@aiplatform/service-host";
import type { ServiceImpl } from "@connectrpc/connect";
import { readConfig, startTrainingService } from "../src/index.ts";
import { reportOf } from "../src/metric-reports/report-message.ts";
import { answerInOrder } from "../src/metric-reports/report-stream.ts";
import { cutsOf } from "../src/run-metrics/job-live.ts";
import { RunLive } from "../src/run-metrics/run-live.ts";
import { benchCallers } from "./bench-caller.ts";

type Report = ServiceImpl<typeof TrainerService>["report"];

const config = readConfig(process.env);
const callers = benchCallers();

/** Folds each batch and keeps nothing else. */
function memoryOnly(): Report {
  const run = new RunLive();
  return async function* report(requests) {
    for await (const request of requests) {
      const { runId, jobName, counter } = request;
      const place = { segment: 0, archived: false, acceptedAt: new Date(), sequence: run.sequence + 1 };
      run.fold({ organisationId: "", runId, jobName, counter, ...place, report: reportOf(request) }, () => cutsOf([]));
      yield { durableCounter: counter, sequence: run.sequence };
    }
  };
}

/** One document for each point, as the database's own collections for measurements want it. */
async function timeSeries(): Promise<Report> {
  const store = await connectDocumentStore({
    uri: config.MONGODB_URI,
    database: config.MONGODB_DATABASE,
    appName: "bench",
  });
  const name = `points_${process.pid}`;
  await store.database.createCollection(name, { timeseries: { timeField: "at", metaField: "series" } });
  const points = store.database.collection(name);
  return (requests) =>
    answerInOrder(requests, async ({ runId, jobName, counter, columns }) => {
      const at = new Date();
      const documents = columns.flatMap(({ name: metric, steps, values }) =>
        steps.map((step, index) => ({ at, series: { runId, jobName, metric }, step, value: values[index] })),
      );
      await points.insertMany(documents, { ordered: false });
      return { counter, sequence: counter };
    }) as ReturnType<Report>;
}

async function start(variant: string | undefined) {
  if (variant === "durable") return startTrainingService(config, { callers });
  const report = variant === "memory" ? memoryOnly() : await timeSeries();
  return startService({
    name: "training",
    config,
    keys: openServiceKeys(config, {
      service: "training",
      logger: createLogger({ service: "training", level: "error" }),
    }),
    services: [TrainerService],
    errors: new Map(),
    callers,
    start: async () => ({ routes: (router) => void router.service(TrainerService, { report }), checks: {}, close: [] }),
  });
}

const service = await start(process.argv[2]);
process.stdout.write(`${JSON.stringify(service.addresses)}\n`);
process.on("SIGTERM", () => void service.stop().then(() => process.exit()));
