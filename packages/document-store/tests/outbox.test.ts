import {
  createIndexes,
  type DocumentStore,
  Outbox,
  type OutboxRecord,
  withTransaction,
} from "@aiplatform/document-store";
import { describe, expect, it } from "@jest/globals";
import { openStore } from "./open-store.ts";

function record(id: string): OutboxRecord {
  const type = "aiplatform.training.job.completed.v1";
  const time = new Date("2026-01-02T03:04:05.006Z");
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const data = new Uint8Array([1, 2, 3]);
  return { id, type, organisationId: "o", entityId: "e", data, dataSchema: "s", time, traceparent };
}

async function openOutbox(): Promise<{ store: DocumentStore; outbox: Outbox }> {
  const store = await openStore();
  await createIndexes(store, [Outbox.indexes]);
  return { store, outbox: new Outbox(store) };
}

describe("an outbox", () => {
  it("holds a record exactly when the change beside it was committed", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    const change = (id: string) =>
      withTransaction(store, async (session) => {
        await outbox.stage(session, record(id));
        if (id === "undone") throw new Error("changed my mind");
      });
    await change("done");
    await expect(change("undone")).rejects.toThrow("changed my mind");
    const [pending, ...others] = await outbox.pending(10);
    expect(others).toEqual([]);
    expect({ ...pending, data: new Uint8Array(pending?.data ?? []) }).toEqual(record("done"));
  });

  it("answers in the order of staging, whatever the ids", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    const ids = ["m", "a", "z", "b"];
    for (const id of ids) await outbox.stage(undefined, record(id));
    expect((await outbox.pending(3)).map(({ id }) => id)).toEqual(ids.slice(0, 3));
  });

  it("keeps what caused a record: what is known of the present, unless the record says otherwise", async () => {
    const { store } = await openOutbox();
    await using _ = store;
    const outbox = new Outbox(store, { cause: () => ({ memberId: "m", requestId: "r" }) });
    await outbox.stage(undefined, record("a"), { ...record("b"), cause: { memberId: "other", credentialId: "k" } });
    const causes = (await outbox.pending(10)).map(({ cause }) => cause);
    expect(causes).toEqual([
      { memberId: "m", requestId: "r" },
      { memberId: "other", requestId: "r", credentialId: "k" },
    ]);
  });

  it("does not offer what was published", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    await outbox.stage(undefined, record("a"), record("b"));
    await outbox.markPublished(["a"]);
    expect((await outbox.pending(10)).map(({ id }) => id)).toEqual(["b"]);
    expect(await outbox.depth()).toBe(1);
  });

  it("offers published records again when the stream is another one, and only then", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    await outbox.replayInto("first");
    await outbox.stage(undefined, record("a"));
    await outbox.markPublished(["a"]);
    expect(await outbox.replayInto("first")).toBe(0);
    expect(await outbox.replayInto("second")).toBe(1);
    expect(await outbox.depth()).toBe(1);
  });

  it("wakes whoever waits once the transaction has ended", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    const seen: Promise<number>[] = [];
    const subscription = new Outbox(store).changes(() => void seen.push(outbox.depth()));
    await withTransaction(store, (session) => outbox.stage(session, record("a")));
    expect(await Promise.all(seen)).toEqual([1]);
    subscription.close();
    await outbox.stage(undefined, record("b"));
    expect(seen).toHaveLength(1);
  });
});
