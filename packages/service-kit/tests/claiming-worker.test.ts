import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Claim } from "@aiplatform/document-store";
import { eventually } from "@aiplatform/testkit";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClaimingWorker, type ClaimingWorkerOptions, type WorkerPlatform } from "../src/index.ts";
import { type Parcel, Parcels } from "./parcels.ts";

const program = fileURLToPath(new URL("claiming-process.ts", import.meta.url));

let database: string;
let parcels: Parcels;
let exporter: InMemoryMetricExporter;
let meters: MeterProvider;
let lines: { id: string; attempt: number; worker: string }[];
let platform: WorkerPlatform;

beforeEach(async () => {
  database = `t_${randomUUID().replaceAll("-", "").slice(0, 16)}`;
  parcels = await Parcels.open(database);
  exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  meters = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  lines = [];
  const logger = { warn: (line: object) => void lines.push(line as (typeof lines)[number]) };
  platform = { logger: logger as WorkerPlatform["logger"], meter: meters.getMeter("test") };
});
afterEach(async () => {
  await parcels.drop();
  await meters.shutdown();
});

type Run = ClaimingWorkerOptions<Parcel>["run"];

/** A worker of parcels; it delivers each at once unless told otherwise. */
function startWorkerOf(of: Partial<ClaimingWorkerOptions<Parcel>> = {}): ClaimingWorker<Parcel> {
  const run: Run = async ({ id, holder }) => void (await parcels.deliver(id, holder));
  const options = { name: "parcels", leases: parcels.leases, leaseMs: 60_000, concurrency: 4, run, ...of };
  return new ClaimingWorker<Parcel>(platform, options);
}

/** Work that is under way until the test ends it. */
class Held {
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

/** Work by how it ended. */
async function outcomes(): Promise<Record<string, number>> {
  await meters.forceFlush();
  const metrics =
    exporter
      .getMetrics()
      .at(-1)
      ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
  const points = metrics.find(({ descriptor }) => descriptor.name === "worker_items_total")?.dataPoints ?? [];
  const counted = points.map(({ attributes, value }) => [String(attributes["outcome"]), Number(value)] as const);
  return Object.fromEntries(counted.filter(([, value]) => value > 0));
}

const isOver = async (organisationId: string) => (await parcels.openOf(organisationId)) === 0;

describe("work that is due", () => {
  it("is done once each, by whichever worker claims it", async () => {
    const ids = await parcels.add(50, "ours");
    await using _one = startWorkerOf();
    await using _other = startWorkerOf();
    await eventually(() => isOver("ours"));
    for (const id of ids) expect((await parcels.get(id)).delivered_by).toHaveLength(1);
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual({ done: 50 });
  });

  it("is done no more at once than the worker has room for", async () => {
    const organisations = Array.from({ length: 10 }, () => randomUUID());
    for (const organisationId of organisations) await parcels.add(3, organisationId);
    const held = new Held();
    let active = 0;
    let most = 0;
    await using _ = startWorkerOf({
      concurrency: 3,
      run: async (claim, signal) => {
        active += 1;
        most = Math.max(most, active);
        await held.run(claim, signal);
        await parcels.deliver(claim.id, claim.holder);
        active -= 1;
      },
    });
    await eventually(() => active === 3);
    held.release();
    await eventually(async () => (await Promise.all(organisations.map(isOver))).every(Boolean));
    expect(most).toBe(3);
  });

  it("keeps its lease for as long as it takes", async () => {
    const [id = ""] = await parcels.add(1);
    const held = new Held();
    await using worker = startWorkerOf({ leaseMs: 1_000, run: held.run });
    const before = await eventually(async () => held.claims.length > 0 && (await parcels.get(id)).due_at);
    // Not before: it might take the parcel first.
    await using _other = startWorkerOf();
    await eventually(async () => (await parcels.get(id)).due_at.getTime() > before.getTime() + 2_000);
    expect(held.signals.map(({ aborted }) => aborted)).toEqual([false]);
    held.release();
    await worker[Symbol.asyncDispose]();
    expect(held.claims).toHaveLength(1);
  });
});

describe("an organisation with ten thousand items due", () => {
  it("does not keep another's single item waiting", async () => {
    await parcels.add(10_000, "noisy");
    const [id = ""] = await parcels.add(1, "quiet");
    await using _ = startWorkerOf();
    await eventually(() => isOver("quiet"));
    expect((await parcels.get(id)).delivered_by).toHaveLength(1);
    expect(await parcels.openOf("noisy")).toBeGreaterThan(9_000);
  });

  it("leaves room for others though nothing that it began ever ends, and so do two and three of its kind", async () => {
    const noisy = ["noisy-1", "noisy-2", "noisy-3"];
    for (const organisationId of noisy) await parcels.add(1_000, organisationId);
    const held = new Held();
    const run: Run = async (claim, signal) => {
      if (claim.organisationId !== "quiet") return await held.run(claim, signal);
      await parcels.deliver(claim.id, claim.holder);
    };
    await using _ = startWorkerOf({ concurrency: 8, run });
    await eventually(() => noisy.every((each) => held.claims.some(({ organisationId }) => organisationId === each)));
    await parcels.add(5, "quiet");
    await eventually(() => isOver("quiet"));
    held.release();
  });
});

describe("work of an organisation that waits", () => {
  it("is not claimed until it no longer waits, while others' is done", async () => {
    const waiting = new Set(["waiting"]);
    const [id = ""] = await parcels.add(1, "waiting");
    await parcels.add(3, "ours");
    await using _ = startWorkerOf({ waitingOrganisations: async () => waiting });
    await eventually(() => isOver("ours"));
    expect(await parcels.get(id)).toMatchObject({ open: true, holder: null });
    waiting.clear();
    await eventually(() => isOver("waiting"));
  });

  it("is aborted where it is under way, and done later", async () => {
    const waiting = new Set<string>();
    const [id = ""] = await parcels.add(1, "waiting");
    const begun = Promise.withResolvers<void>();
    let attempts = 0;
    await using _ = startWorkerOf({
      leaseMs: 300,
      waitingOrganisations: async () => waiting,
      run: async ({ holder }, signal) => {
        attempts += 1;
        if (attempts > 1) return void (await parcels.deliver(id, holder));
        begun.resolve();
        await once(signal, "abort");
      },
    });
    await begun.promise;
    waiting.add("waiting");
    await eventually(async () => (await outcomes())["lost"] === 1);
    waiting.clear();
    await eventually(() => isOver("waiting"));
    expect(attempts).toBe(2);
  });

  it("is not claimed while it is not known who waits", async () => {
    const [id = ""] = await parcels.add(1);
    let asked = 0;
    await using _ = startWorkerOf({
      waitingOrganisations: () => {
        asked += 1;
        return Promise.reject(new Error("the database is away"));
      },
    });
    await eventually(() => asked > 1);
    expect(await parcels.get(id)).toMatchObject({ open: true, holder: null });
  });
});

describe("work whose lease is stolen", () => {
  it("is told, writes nothing more, and does not take the lease back", async () => {
    const [id = ""] = await parcels.add(1);
    const claimed = Promise.withResolvers<string>();
    const written = Promise.withResolvers<boolean>();
    await using _ = startWorkerOf({
      leaseMs: 300,
      run: async ({ holder }, signal) => {
        claimed.resolve(holder);
        await once(signal, "abort");
        written.resolve(await parcels.deliver(id, holder));
      },
    });
    await claimed.promise;
    await parcels.steal(id);
    expect(await written.promise).toBe(false);
    await eventually(async () => (await outcomes())["lost"] === 1);
    expect(await parcels.get(id)).toMatchObject({ open: true, holder: "thief", delivered_by: [] });
    expect(lines).toEqual([]);
  });
});

describe("work that has ended by its own write", () => {
  it("counts as done when a renewal finds it ended before it returns: it counted as lost", async () => {
    const [id = ""] = await parcels.add(1);
    await using _ = startWorkerOf({
      leaseMs: 300,
      run: async ({ holder }, signal) => {
        await parcels.deliver(id, holder);
        await once(signal, "abort");
      },
    });
    await eventually(async () => Object.keys(await outcomes()).length > 0);
    expect(await outcomes()).toEqual({ done: 1 });
  });
});

describe("work that fails each time", () => {
  it("is tried again after growing pauses, and what is due behind it is done meanwhile", async () => {
    const [poison = ""] = await parcels.add(1, "ours");
    const at: number[] = [];
    const run: Run = async ({ id, holder }) => {
      if (id !== poison) return void (await parcels.deliver(id, holder));
      at.push(performance.now());
      throw new Error("it cannot be delivered");
    };
    await using _ = startWorkerOf({ concurrency: 1, backoff: { minMs: 40, maxMs: 10_000 }, leaseMs: 300, run });
    await eventually(() => at.length === 1);
    await parcels.add(20, "ours");
    await eventually(async () => (await parcels.openOf("ours")) === 1);
    await eventually(() => at.length === 5);
    // Half of each pause is random: 40, 80, 160 and 320 ms at most, 20, 40, 80 and 160 at least.
    expect((at[4] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(300);
    expect(lines.slice(0, 5).map(({ id, attempt, worker }) => ({ id, attempt, worker }))).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => ({ id: poison, attempt, worker: "parcels" })),
    );
    await eventually(async () => ((await parcels.get(poison)).failures ?? 0) >= 5);
    // It goes on failing meanwhile.
    await eventually(async () => {
      const { done, failed } = await outcomes();
      return done === 20 && failed === at.length;
    });
  });
});

describe("a process that is too busy to renew its leases in time", () => {
  it("does not take its work from itself", async () => {
    const [id = ""] = await parcels.add(1);
    let runs = 0;
    await using _ = startWorkerOf({
      leaseMs: 90,
      run: async ({ holder }, signal) => {
        runs += 1;
        for (let count = 0; count < 10 && !signal.aborted; count += 1) {
          // The event loop stands still, as under load, until the lease has expired.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
          await parcels.get(id);
        }
        await parcels.deliver(id, holder);
      },
    });
    await eventually(async () => !(await parcels.get(id)).open);
    expect(runs).toBe(1);
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual({ done: 1 });
  });
});

describe("work that a caller has claimed in a write of its own", () => {
  it("is renewed, and ends with what the caller runs", async () => {
    const organisationId = randomUUID();
    await using worker = startWorkerOf({ leaseMs: 300 });
    const term = worker.newTerm();
    const [id = ""] = await parcels.add(1, organisationId, { open: false });
    const lease = await parcels.leases.acquire({ organisationId, id }, term);
    if (!lease) throw new Error("it was claimed meanwhile");
    const { due_at: before } = await parcels.get(id);
    await worker.adopt(lease, async () => {
      await eventually(async () => (await parcels.get(id)).due_at.getTime() > before.getTime() + 300);
      await parcels.deliver(id, term.holder);
    });
    expect(await parcels.get(id)).toMatchObject({ holder: null, delivered_by: [term.holder] });
  });

  it("that fails ends all the same, and is due again later", async () => {
    const organisationId = randomUUID();
    await using worker = startWorkerOf();
    const [id = ""] = await parcels.add(1, organisationId, { open: false });
    const lease = await parcels.leases.acquire({ organisationId, id }, worker.newTerm());
    if (!lease) throw new Error("it was claimed meanwhile");
    await worker.adopt(lease, async () => {
      throw new Error("the road is closed");
    });
    expect(lines).toMatchObject([{ id, attempt: 1, worker: "parcels" }]);
    const { holder, failures, due_at } = await parcels.get(id);
    expect({ holder, failures }).toEqual({ holder: null, failures: 1 });
    expect(due_at.getTime()).toBeGreaterThan(0);
  });
});

describe("work that is cancelled", () => {
  it("is told, and is not tried again before its lease expires", async () => {
    const [id = ""] = await parcels.add(1);
    const signals: AbortSignal[] = [];
    await using worker = startWorkerOf({
      run: async (_, signal) => {
        signals.push(signal);
        await once(signal, "abort");
      },
    });
    await eventually(() => signals.length === 1);
    worker.cancel(id);
    await eventually(async () => (await outcomes())["lost"] === 1);
    expect(signals).toHaveLength(1);
  });
});

describe("a worker that ends in the middle of its work", () => {
  it("tells it, waits for it, and releases it for others to go on with at once", async () => {
    const ids = [...(await parcels.add(1)), ...(await parcels.add(1))];
    const held = new Held();
    const worker = startWorkerOf({ run: held.run });
    await eventually(() => held.claims.length === 2);
    const ended = worker[Symbol.asyncDispose]();
    expect(held.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    for (const id of ids) expect((await parcels.get(id)).holder).not.toBeNull();
    held.release();
    await ended;
    for (const id of ids) expect(await parcels.get(id)).toMatchObject({ open: true, holder: null });
    await using _other = startWorkerOf();
    await eventually(async () => (await Promise.all(ids.map((id) => parcels.get(id)))).every(({ open }) => !open));
    await expect.poll(outcomes, { timeout: 10_000 }).toEqual({ released: 2, done: 2 });
    expect(lines).toEqual([]);
  });

  it("counts no failure of what breaks off because of that", async () => {
    const [id = ""] = await parcels.add(1);
    const begun = Promise.withResolvers<void>();
    const worker = startWorkerOf({
      run: async (_, signal) => {
        begun.resolve();
        await once(signal, "abort");
        signal.throwIfAborted();
      },
    });
    await begun.promise;
    await worker[Symbol.asyncDispose]();
    expect(await parcels.get(id)).toMatchObject({ open: true, holder: null });
    expect((await parcels.get(id)).failures).toBeUndefined();
    expect(lines).toEqual([]);
  });
});

/** What a process that claims parcels says. */
interface Said {
  claimed?: string;
  holder?: string;
  isDelivered?: boolean;
}

async function hear(child: ChildProcess): Promise<Said> {
  const [said] = await once(child, "message");
  return said;
}

describe("a process that hangs past its lease", () => {
  it("writes nothing when it wakes up, and the one that took over ends the work", async () => {
    const [id = ""] = await parcels.add(1);
    const child = spawn(process.execPath, [program, database, "500"], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exited = once(child, "exit");
    const { claimed, holder } = await hear(child);
    expect(claimed).toBe(id);
    child.kill("SIGSTOP");
    const held = new Held();
    const run: Run = async (claim, signal) => {
      await held.run(claim, signal);
      await parcels.deliver(claim.id, claim.holder);
    };
    await using _ = startWorkerOf({ run });
    await eventually(() => held.claims.length === 1);
    child.kill("SIGCONT");
    child.send("deliver");
    expect(await hear(child)).toEqual({ isDelivered: false });
    held.release();
    await eventually(async () => !(await parcels.get(id)).open);
    const { delivered_by } = await parcels.get(id);
    expect(delivered_by).toEqual([held.claims[0]?.holder]);
    expect(delivered_by).not.toContain(holder);
    child.disconnect();
    await exited;
  });
});
