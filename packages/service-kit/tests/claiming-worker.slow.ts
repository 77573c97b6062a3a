import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "@aiplatform/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClaimingRig, Held, type Run } from "./claiming-rig.ts";

const program = fileURLToPath(new URL("claiming-process.ts", import.meta.url));

let rig: ClaimingRig;

beforeEach(async () => {
  rig = await ClaimingRig.open();
});
afterEach(() => rig[Symbol.asyncDispose]());

describe("work that is due", () => {
  it("is done once each, by whichever worker claims it", async () => {
    const ids = await rig.parcels.add(50, "ours");
    await using _one = rig.start();
    await using _other = rig.start();
    await eventually(() => rig.isOver("ours"));
    for (const id of ids) expect((await rig.parcels.get(id)).delivered_by).toHaveLength(1);
    await expect.poll(rig.outcomes, { timeout: 10_000 }).toEqual({ done: 50 });
  });

  it("is done no more at once than the worker has room for", async () => {
    const organisations = Array.from({ length: 10 }, () => randomUUID());
    for (const organisationId of organisations) await rig.parcels.add(3, organisationId);
    const held = new Held();
    let active = 0;
    let most = 0;
    await using _ = rig.start({
      concurrency: 3,
      run: async (claim, signal) => {
        active += 1;
        most = Math.max(most, active);
        await held.run(claim, signal);
        await rig.parcels.deliver(claim.id, claim.holder);
        active -= 1;
      },
    });
    await eventually(() => active === 3);
    held.release();
    await eventually(async () => (await Promise.all(organisations.map(rig.isOver))).every(Boolean));
    expect(most).toBe(3);
  });

  it("keeps its lease for as long as it takes", async () => {
    const [id = ""] = await rig.parcels.add(1);
    const held = new Held();
    await using worker = rig.start({ leaseMs: 1_000, run: held.run });
    const before = await eventually(async () => held.claims.length > 0 && (await rig.parcels.get(id)).due_at);
    // Not before: it might take the parcel first.
    await using _other = rig.start();
    await eventually(async () => (await rig.parcels.get(id)).due_at.getTime() > before.getTime() + 2_000);
    expect(held.signals.map(({ aborted }) => aborted)).toEqual([false]);
    held.release();
    await worker[Symbol.asyncDispose]();
    expect(held.claims).toHaveLength(1);
  });
});

describe("work that will be due", () => {
  const pauseMs = 60_000;
  /** Looks come after 1, 3 and 7 seconds as well: what begins soon after this was looked for in time. */
  const dueInMs = 4_000;
  const maxLateMs = 2_000;

  it("begins when it is due where the leases know times, and not at the next look", async () => {
    const dueAt = new Date(Date.now() + dueInMs);
    await rig.parcels.add(1, "ours", { dueAt });
    await using _ = rig.start({ leases: rig.parcels.timedLeases, leaseMs: 3 * pauseMs, maxPauseMs: pauseMs });
    await eventually(() => rig.isOver("ours"));
    expect(Date.now()).toBeGreaterThanOrEqual(dueAt.getTime());
    expect(Date.now() - dueAt.getTime()).toBeLessThan(maxLateMs);
  });

  it("begins when it is due although other work is overdue, whose organisation waits", async () => {
    const dueAt = new Date(Date.now() + dueInMs);
    await rig.parcels.add(1, "waiting");
    await rig.parcels.add(1, "ours", { dueAt });
    const of = { leases: rig.parcels.timedLeases, leaseMs: 3 * pauseMs, maxPauseMs: pauseMs };
    await using _ = rig.start({ ...of, waitingOrganisations: async () => new Set(["waiting"]) });
    await eventually(() => rig.isOver("ours"));
    expect(Date.now() - dueAt.getTime()).toBeLessThan(maxLateMs);
    expect(await rig.isOver("waiting")).toBe(false);
  });

  it("begins when it is due although other work is overdue, whose organisation has no room", async () => {
    const dueAt = new Date(Date.now() + dueInMs);
    await rig.parcels.add(3, "busy");
    await rig.parcels.add(1, "ours", { dueAt });
    const over = Promise.withResolvers<void>();
    await using _ = rig.start({
      ...{ leases: rig.parcels.timedLeases, leaseMs: 3 * pauseMs, maxPauseMs: pauseMs, concurrency: 2 },
      run: async ({ id, holder, organisationId }) => {
        if (organisationId === "busy") await over.promise;
        await rig.parcels.deliver(id, holder);
      },
    });
    await eventually(() => rig.isOver("ours"));
    expect(Date.now() - dueAt.getTime()).toBeLessThan(maxLateMs);
    over.resolve();
  });

  it("begins when it is due where the worker is told of it", async () => {
    await using worker = rig.start({ leaseMs: 3 * pauseMs, maxPauseMs: pauseMs });
    const dueAt = new Date(Date.now() + dueInMs);
    await rig.parcels.add(1, "ours", { dueAt });
    worker.wakeWithin(dueInMs);
    await eventually(() => rig.isOver("ours"));
    expect(Date.now() - dueAt.getTime()).toBeLessThan(maxLateMs);
  });
});

describe("a worker without work", () => {
  it("asks whether something is due, and nothing else", async () => {
    const { leases } = rig.parcels;
    const asked: string[] = [];
    const told = Promise.withResolvers<void>();
    const counting = new Proxy(leases, {
      get: (_, name) => {
        const value: unknown = Reflect.get(leases, name, leases);
        if (typeof value !== "function") return value;
        asked.push(String(name));
        if (asked.length === 3) told.resolve();
        return value.bind(leases);
      },
    });
    const waitingOrganisations = async () => {
      asked.push("waitingOrganisations");
      return new Set<string>();
    };
    await using _ = rig.start({ leases: counting, leaseMs: 30, waitingOrganisations });
    await told.promise;
    expect(new Set(asked)).toEqual(new Set(["dueInMs"]));
  });
});

describe("work of an organisation that waits", () => {
  it("is not claimed until it no longer waits, while others' is done", async () => {
    const waiting = new Set(["waiting"]);
    const [id = ""] = await rig.parcels.add(1, "waiting");
    await rig.parcels.add(3, "ours");
    await using _ = rig.start({ waitingOrganisations: async () => waiting });
    await eventually(() => rig.isOver("ours"));
    expect(await rig.parcels.get(id)).toMatchObject({ open: true, holder: null });
    waiting.clear();
    await eventually(() => rig.isOver("waiting"));
  });

  it("is aborted where it is under way, and done later", async () => {
    const waiting = new Set<string>();
    const [id = ""] = await rig.parcels.add(1, "waiting");
    const begun = Promise.withResolvers<void>();
    let attempts = 0;
    await using _ = rig.start({
      leaseMs: 300,
      waitingOrganisations: async () => waiting,
      run: async ({ holder }, signal) => {
        attempts += 1;
        if (attempts > 1) return void (await rig.parcels.deliver(id, holder));
        begun.resolve();
        await once(signal, "abort");
      },
    });
    await begun.promise;
    waiting.add("waiting");
    await eventually(async () => (await rig.outcomes())["lost"] === 1);
    waiting.clear();
    await eventually(() => rig.isOver("waiting"));
    expect(attempts).toBe(2);
  });

  it("is not claimed while it is not known who waits", async () => {
    const [id = ""] = await rig.parcels.add(1);
    let asked = 0;
    await using _ = rig.start({
      waitingOrganisations: () => {
        asked += 1;
        return Promise.reject(new Error("the database is away"));
      },
    });
    await eventually(() => asked > 1);
    expect(await rig.parcels.get(id)).toMatchObject({ open: true, holder: null });
  });
});

describe("work whose lease is stolen", () => {
  it("is told, writes nothing more, and does not take the lease back", async () => {
    const [id = ""] = await rig.parcels.add(1);
    const claimed = Promise.withResolvers<string>();
    const written = Promise.withResolvers<boolean>();
    await using _ = rig.start({
      leaseMs: 300,
      run: async ({ holder }, signal) => {
        claimed.resolve(holder);
        await once(signal, "abort");
        written.resolve(await rig.parcels.deliver(id, holder));
      },
    });
    await claimed.promise;
    await rig.parcels.steal(id);
    expect(await written.promise).toBe(false);
    await eventually(async () => (await rig.outcomes())["lost"] === 1);
    expect(await rig.parcels.get(id)).toMatchObject({ open: true, holder: "thief", delivered_by: [] });
    expect(rig.lines).toEqual([]);
  });
});

describe("work that has ended by its own write", () => {
  it("counts as done when a renewal finds it ended before it returns: it counted as lost", async () => {
    const [id = ""] = await rig.parcels.add(1);
    await using _ = rig.start({
      leaseMs: 300,
      run: async ({ holder }, signal) => {
        await rig.parcels.deliver(id, holder);
        await once(signal, "abort");
      },
    });
    await eventually(async () => Object.keys(await rig.outcomes()).length > 0);
    expect(await rig.outcomes()).toEqual({ done: 1 });
  });
});

describe("work that fails each time", () => {
  it("is tried again after growing pauses, and what is due behind it is done meanwhile", async () => {
    const [poison = ""] = await rig.parcels.add(1, "ours");
    const at: number[] = [];
    const run: Run = async ({ id, holder }) => {
      if (id !== poison) return void (await rig.parcels.deliver(id, holder));
      at.push(performance.now());
      throw new Error("it cannot be delivered");
    };
    await using _ = rig.start({ concurrency: 1, backoff: { minMs: 40, maxMs: 10_000 }, leaseMs: 300, run });
    await eventually(() => at.length === 1);
    await rig.parcels.add(20, "ours");
    await eventually(async () => (await rig.parcels.openOf("ours")) === 1);
    await eventually(() => at.length === 5);
    // Half of each pause is random: 40, 80, 160 and 320 ms at most, 20, 40, 80 and 160 at least.
    expect((at[4] ?? 0) - (at[0] ?? 0)).toBeGreaterThan(300);
    expect(rig.lines.slice(0, 5).map(({ id, attempt, worker }) => ({ id, attempt, worker }))).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => ({ id: poison, attempt, worker: "parcels" })),
    );
    await eventually(async () => ((await rig.parcels.get(poison)).failures ?? 0) >= 5);
    // It goes on failing meanwhile.
    await eventually(async () => {
      const { done, failed } = await rig.outcomes();
      return done === 20 && failed === at.length;
    });
  });
});

describe("a process that is too busy to renew its leases in time", () => {
  it("does not take its work from itself", async () => {
    const [id = ""] = await rig.parcels.add(1);
    let runs = 0;
    await using _ = rig.start({
      leaseMs: 90,
      run: async ({ holder }, signal) => {
        runs += 1;
        for (let count = 0; count < 10 && !signal.aborted; count += 1) {
          // The event loop stands still, as under load, until the lease has expired.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
          await rig.parcels.get(id);
        }
        await rig.parcels.deliver(id, holder);
      },
    });
    await eventually(async () => !(await rig.parcels.get(id)).open);
    expect(runs).toBe(1);
    await expect.poll(rig.outcomes, { timeout: 10_000 }).toEqual({ done: 1 });
  });
});

describe("work that a caller has claimed in a write of its own", () => {
  it("is renewed, and ends with what the caller runs", async () => {
    const organisationId = randomUUID();
    await using worker = rig.start({ leaseMs: 300 });
    const term = worker.newTerm();
    const [id = ""] = await rig.parcels.add(1, organisationId, { open: false });
    const lease = await rig.parcels.leases.acquire({ organisationId, id }, term);
    if (!lease) throw new Error("it was claimed meanwhile");
    const { due_at: before } = await rig.parcels.get(id);
    await worker.adopt(lease, async () => {
      await eventually(async () => (await rig.parcels.get(id)).due_at.getTime() > before.getTime() + 300);
      await rig.parcels.deliver(id, term.holder);
    });
    expect(await rig.parcels.get(id)).toMatchObject({ holder: null, delivered_by: [term.holder] });
  });

  it("that fails ends all the same, and is due again later", async () => {
    const organisationId = randomUUID();
    await using worker = rig.start();
    const [id = ""] = await rig.parcels.add(1, organisationId, { open: false });
    const lease = await rig.parcels.leases.acquire({ organisationId, id }, worker.newTerm());
    if (!lease) throw new Error("it was claimed meanwhile");
    await worker.adopt(lease, async () => {
      throw new Error("the road is closed");
    });
    expect(rig.lines).toMatchObject([{ id, attempt: 1, worker: "parcels" }]);
    const { holder, failures, due_at } = await rig.parcels.get(id);
    expect({ holder, failures }).toEqual({ holder: null, failures: 1 });
    expect(due_at.getTime()).toBeGreaterThan(0);
  });
});

describe("work that is cancelled", () => {
  it("is told, and is not tried again before its lease expires", async () => {
    const [id = ""] = await rig.parcels.add(1);
    const signals: AbortSignal[] = [];
    await using worker = rig.start({
      run: async (_, signal) => {
        signals.push(signal);
        await once(signal, "abort");
      },
    });
    await eventually(() => signals.length === 1);
    worker.cancel(id);
    await eventually(async () => (await rig.outcomes())["lost"] === 1);
    expect(signals).toHaveLength(1);
  });
});

describe("a worker that ends in the middle of its work", () => {
  it("tells it, waits for it, and releases it for others to go on with at once", async () => {
    const ids = [...(await rig.parcels.add(1)), ...(await rig.parcels.add(1))];
    const held = new Held();
    const worker = rig.start({ run: held.run });
    await eventually(() => held.claims.length === 2);
    const ended = worker[Symbol.asyncDispose]();
    expect(held.signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    for (const id of ids) expect((await rig.parcels.get(id)).holder).not.toBeNull();
    held.release();
    await ended;
    for (const id of ids) expect(await rig.parcels.get(id)).toMatchObject({ open: true, holder: null });
    await using _other = rig.start();
    await eventually(async () => (await Promise.all(ids.map((id) => rig.parcels.get(id)))).every(({ open }) => !open));
    await expect.poll(rig.outcomes, { timeout: 10_000 }).toEqual({ released: 2, done: 2 });
    expect(rig.lines).toEqual([]);
  });

  it("counts no failure of what breaks off because of that", async () => {
    const [id = ""] = await rig.parcels.add(1);
    const begun = Promise.withResolvers<void>();
    const worker = rig.start({
      run: async (_, signal) => {
        begun.resolve();
        await once(signal, "abort");
        signal.throwIfAborted();
      },
    });
    await begun.promise;
    await worker[Symbol.asyncDispose]();
    expect(await rig.parcels.get(id)).toMatchObject({ open: true, holder: null });
    expect((await rig.parcels.get(id)).failures).toBeUndefined();
    expect(rig.lines).toEqual([]);
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
    const [id = ""] = await rig.parcels.add(1);
    const child = spawn(process.execPath, [program, rig.database, "500"], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const exited = once(child, "exit");
    const { claimed, holder } = await hear(child);
    expect(claimed).toBe(id);
    child.kill("SIGSTOP");
    const held = new Held();
    const run: Run = async (claim, signal) => {
      await held.run(claim, signal);
      await rig.parcels.deliver(claim.id, claim.holder);
    };
    await using _ = rig.start({ run });
    await eventually(() => held.claims.length === 1);
    child.kill("SIGCONT");
    child.send("deliver");
    expect(await hear(child)).toEqual({ isDelivered: false });
    held.release();
    await eventually(async () => !(await rig.parcels.get(id)).open);
    const { delivered_by } = await rig.parcels.get(id);
    expect(delivered_by).toEqual([held.claims[0]?.holder]);
    expect(delivered_by).not.toContain(holder);
    child.disconnect();
    await exited;
  });
});
