import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createIndexes,
  type DocumentStore,
  GroupWriter,
  IdempotencyStore,
  StoreRefusedError,
  StoreTimeoutError,
  StoreUnavailableError,
  TenantCollection,
  type TenantDocument,
  WriteUnavailableError,
  withTransaction,
} from "@aiplatform/document-store";
import { type Infra, startInfra, until } from "@aiplatform/local-platform";
import { type ClientSession, MongoClient, MongoNetworkError } from "mongodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StoreBreaker } from "../src/store-breaker.ts";
import { entry, openLog, openStore } from "./open-store.ts";

let directory: string;
let parts: Infra;
let store: DocumentStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "outage-"));
  parts = await startInfra({ directory, nats: false, env: { ...process.env, MONGODB_URI: undefined } });
  store = await openStore(parts.mongodbUri);
});

afterAll(async () => {
  await store?.close();
  await parts?.stop();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(() => toAnswer());

const things = () => store.database.collection<{ _id: string }>("things");
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "no failure",
    (error: unknown) => error,
  );
const signal = (name: NodeJS.Signals) => parts.processes.mongodb?.kill(name);

/** Stops the server, and waits until it answers nothing: the signal takes a moment to reach all of its threads. */
async function hang(probe: MongoClient): Promise<void> {
  signal("SIGSTOP");
  const isHung = () =>
    probe
      .db("admin")
      .command({ ping: 1 })
      .then(
        () => undefined,
        () => true,
      );
  await until(isHung, { withinMs: 10_000, otherwise: () => new Error("the server goes on") });
}

const toBeRefused = () =>
  until(() => store.breaker.isOpen || undefined, { withinMs: 10_000, otherwise: () => new Error("still asked") });
const toAnswer = () =>
  until(
    () =>
      things()
        .findOne({})
        .then(
          () => true,
          () => undefined,
        ),
    {
      withinMs: 10_000,
      otherwise: () => new Error("the store is away after ten seconds still"),
    },
  );

describe("a database that answers calls, and a ping too late", () => {
  it("is busy, and goes on being asked", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = Object(silent.address());
    const openProbe = () => new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`);
    await using breaker = new StoreBreaker({ client: store.client, openProbe, callTimeoutMs: 60_000 });
    const { database } = store;
    const read = () => breaker.run(() => database.command({ ping: 1 }));
    const asked = once(silent, "connection");
    // A failure that leads to a ping.
    breaker.suspect(new MongoNetworkError("reset"));
    await asked;
    // Longer than a ping may take.
    const end = performance.now() + 3_000;
    while (performance.now() < end) await read();
    expect(breaker.isOpen).toBe(false);
    // Without an answer to anything, it is away.
    await until(() => breaker.isOpen || undefined, { withinMs: 10_000, otherwise: () => new Error("still asked") });
    silent.close();
  });
});

describe("a database that hangs", () => {
  it("costs a call its limit once, then every call is refused at once, and answered again when it goes on", async () => {
    signal("SIGSTOP");
    try {
      expect(await failureOf(things().findOne({}))).toBeInstanceOf(StoreTimeoutError);
      await toBeRefused();
      const begun = performance.now();
      const failures = await Promise.all(Array.from({ length: 100 }, () => failureOf(things().findOne({}))));
      expect(failures.every((failure) => failure instanceof StoreRefusedError)).toBe(true);
      // Far below the limit of one call, which none of them has waited for.
      expect(performance.now() - begun).toBeLessThan(1_500);
    } finally {
      signal("SIGCONT");
    }
    await toAnswer();
  });

  it("costs a transaction no more, and what was begun in it is not stored", async () => {
    const _id = crypto.randomUUID();
    await using probe = await MongoClient.connect(parts.mongodbUri, {
      socketTimeoutMS: 300,
      serverSelectionTimeoutMS: 300,
    });
    let hungAt = 0;
    const failure = await failureOf(
      withTransaction(store, async (session) => {
        await things().insertOne({ _id }, { session });
        await hang(probe);
        hungAt = performance.now();
        await things().findOne({}, { session });
      }),
    );
    const tookMs = performance.now() - hungAt;
    signal("SIGCONT");
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    expect(tookMs).toBeLessThan(6_000);
    // A ping that was under way may open the circuit once more.
    const count = () =>
      things()
        .countDocuments({ _id })
        .catch(() => undefined);
    expect(await until(count, { withinMs: 10_000, otherwise: () => new Error("no answer") })).toBe(0);
  });

  it("leaves a group writer that says which writes were never sent", async () => {
    const log = await openLog(store);
    const writer = new GroupWriter(log);
    signal("SIGSTOP");
    try {
      await failureOf(things().findOne({}));
      await toBeRefused();
      expect(await failureOf(writer.submit([entry("hung", 1)]))).toBeInstanceOf(WriteUnavailableError);
    } finally {
      signal("SIGCONT");
    }
    await toAnswer();
    await writer.submit([entry("hung", 1)]);
    expect(await log.countDocuments({ job: "hung" })).toBe(1);
  });
});

describe("a database that is killed", () => {
  it("is refused without a call having to fail first, and answers again within ten seconds of its return", async () => {
    await parts.kill("mongodb");
    await toBeRefused();
    expect(await failureOf(things().findOne({}))).toBeInstanceOf(StoreRefusedError);
    await parts.restart("mongodb");
    await toAnswer();
  });
});

describe("an idempotency key whose request fails because the database is away", () => {
  const request = () => ({
    organisationId: "acme",
    operation: "RoleService/CreateRole",
    key: crypto.randomUUID(),
    request: new Uint8Array(),
    credentialId: "one",
  });
  const answer = new TextEncoder().encode("made");
  const openIdempotency = async () => {
    // A ping that was under way when the database came back may open the circuit once more.
    const make = () =>
      createIndexes(store, [IdempotencyStore.indexes]).then(
        () => true,
        () => undefined,
      );
    await until(make, { withinMs: 10_000, otherwise: () => new Error("the database is still away") });
    return new IdempotencyStore(store, { clock: () => new Date() });
  };
  /** Repeats a request as its client does, until it is served; far sooner than a claim is taken for a dead process's. */
  const repeated = (idempotency: IdempotencyStore, wanted: ReturnType<typeof request>, _id: string) => {
    const insert = async (session: ClientSession) => {
      await things().insertOne({ _id }, { session });
      return answer;
    };
    return until(() => idempotency.run(wanted, insert).catch(() => undefined), {
      withinMs: 10_000,
      otherwise: () => new Error("the key is still held"),
    });
  };

  it("is free again when the database is back, and the request has its effect once", async () => {
    const idempotency = await openIdempotency();
    const [wanted, _id] = [request(), crypto.randomUUID()];
    const failure = await failureOf(
      idempotency.run(wanted, async (session) => {
        await things().insertOne({ _id }, { session });
        await parts.kill("mongodb");
        await things().findOne({}, { session });
        return answer;
      }),
    );
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    await parts.restart("mongodb");
    await toAnswer();
    expect(await repeated(idempotency, wanted, _id)).toMatchObject({ isRepeated: false });
    expect(await things().countDocuments({ _id })).toBe(1);
  });

  it("is free again when it was unknown whether the claim itself was stored", async () => {
    const idempotency = await openIdempotency();
    const [wanted, _id] = [request(), crypto.randomUUID()];
    signal("SIGSTOP");
    const failure = await failureOf(idempotency.run(wanted, async () => answer));
    signal("SIGCONT");
    expect(failure).toBeInstanceOf(StoreTimeoutError);
    await toAnswer();
    expect(await repeated(idempotency, wanted, _id)).toMatchObject({ isRepeated: false });
    expect(await things().countDocuments({ _id })).toBe(1);
  });
});

/** A way to the database that can be cut. */
async function openWay() {
  const { hostname, port } = new URL(parts.mongodbUri);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) sockets.add(socket.on("error", () => {}));
    near.pipe(far).pipe(near);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    uri: `mongodb://127.0.0.1:${Object(server.address()).port}/?directConnection=true`,
    cut,
    repair: () => {
      isCut = false;
    },
    [Symbol.dispose]: () => {
      cut();
      server.close();
    },
  };
}

describe("a transaction whose abort does not reach the database", () => {
  it("keeps its documents locked for no longer than the outage", async () => {
    using way = await openWay();
    await using far = await openStore(way.uri);
    const collection = far.database.collection<{ _id: string }>("things");
    const _id = crypto.randomUUID();
    const failure = await failureOf(
      withTransaction(far, async (session) => {
        await collection.insertOne({ _id }, { session });
        way.cut();
        await collection.findOne({}, { session });
      }),
    );
    expect(failure).toBeInstanceOf(StoreUnavailableError);
    way.repair();
    const begun = performance.now();
    const insert = (session: ClientSession) => collection.insertOne({ _id }, { session });
    const inserted = () => withTransaction(far, insert).catch(() => undefined);
    await until(inserted, { withinMs: 90_000, otherwise: () => new Error("still locked") });
    // MongoDB alone ends a transaction that is left after a minute.
    expect(performance.now() - begun).toBeLessThan(20_000);
  }, 150_000);
});

describe("a pool without a free connection", () => {
  it("is an outage to repeat after, not an internal error", async () => {
    await using small = await openStore(`${parts.mongodbUri}&maxPoolSize=1`);
    const things = new TenantCollection<TenantDocument>(small, "things");
    await things.insert("acme", { _id: "a", organisation_id: "acme" });
    const occupying = failureOf(things.findOne("acme", { $where: "sleep(6500) || true" }, { timeoutMs: 9_000 }));
    const failure = await failureOf(things.findOne("acme", {}));
    expect(failure).toMatchObject({ name: "StoreUnavailableError", cause: { name: "MongoWaitQueueTimeoutError" } });
    expect(await occupying).toBe("no failure");
  });
});

describe("a call that is refused while the others are fine", () => {
  it("does not open the circuit", async () => {
    const wrong = await failureOf(things().findOne({ $unknown: 1 } as object));
    expect(wrong).not.toBeInstanceOf(StoreUnavailableError);
    expect(store.breaker.isOpen).toBe(false);
  });
});
