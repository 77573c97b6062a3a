import { randomUUID } from "node:crypto";
import type { Claim } from "@aiplatform/document-store";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { ClaimingWorker, type ClaimingWorkerOptions, type WorkerPlatform } from "../src/index.ts";
import { type Parcel, Parcels } from "./parcels.ts";

export type Run = ClaimingWorkerOptions<Parcel>["run"];

/** Parcels in a database of their own, and what workers of them log and count. */
export class ClaimingRig implements AsyncDisposable {
  readonly database: string;
  readonly parcels: Parcels;
  readonly lines: { id: string; attempt: number; worker: string }[] = [];
  readonly #exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter: this.#exporter })] });

  private constructor(database: string, parcels: Parcels) {
    this.database = database;
    this.parcels = parcels;
  }

  static async open(): Promise<ClaimingRig> {
    const database = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
    return new ClaimingRig(database, await Parcels.open(database));
  }

  /** A worker of parcels; it delivers each at once unless told otherwise. */
  start(of: Partial<ClaimingWorkerOptions<Parcel>> = {}): ClaimingWorker<Parcel> {
    const { parcels, lines } = this;
    const run: Run = async ({ id, holder }) => void (await parcels.deliver(id, holder));
    const options = { name: "parcels", leases: parcels.leases, leaseMs: 60_000, concurrency: 4, run, ...of };
    const logger = { warn: (line: object) => void lines.push(line as (typeof lines)[number]) };
    const meter = this.#meters.getMeter("test");
    return new ClaimingWorker<Parcel>({ logger: logger as WorkerPlatform["logger"], meter }, options);
  }

  /** Work by how it ended. */
  readonly outcomes = async (): Promise<Record<string, number>> => {
    await this.#meters.forceFlush();
    const scopes = this.#exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
    const metrics = scopes.flatMap((scope) => scope.metrics);
    const points = metrics.find(({ descriptor }) => descriptor.name === "worker_items_total")?.dataPoints ?? [];
    const counted = points.map(({ attributes, value }) => [String(attributes["outcome"]), Number(value)] as const);
    return Object.fromEntries(counted.filter(([, value]) => value > 0));
  };

  readonly isOver = async (organisationId: string): Promise<boolean> =>
    (await this.parcels.openOf(organisationId)) === 0;

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parcels.drop();
    await this.#meters.shutdown();
  }
}

/** Work that is under way until the test ends it. */
export class Held {
  readonly claims: Claim<Parcel>[] = [];
  readonly signals: AbortSignal[] = [];
  readonly #over = Promise.withResolvers<void>();

  readonly run: Run = async (claim, signal) => {
    this.claims.push(claim);
    this.signals.push(signal);
    await this.#over.promise;
  };

  release(): void {
    this.#over.resolve();
  }
}
