import {
  createIndexes,
  type DocumentStore,
  Outbox,
  type OutboxRecord,
  withTransaction,
} from "@aiplatform/document-store";
import { describe, expect, it } from "vitest";
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

  it("offers records again that were published between two times, and says that they were lost", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    await outbox.stage(undefined, record("a"), record("b"));
    await outbox.markPublished(["a"]);
    const hourMs = 3_600_000;
    const at = (hours: number) => new Date(Date.now() + hours * hourMs);
    expect(await outbox.republish({ since: at(1) })).toBe(0);
    expect(await outbox.republish({ until: at(-1) })).toBe(0);
    expect(await outbox.republish({ since: at(-1), until: at(1) })).toBe(1);
    expect(await outbox.pending(10)).toMatchObject([{ id: "a", losses: 1 }, { id: "b" }]);
    await outbox.markPublished(["a"]);
    expect(await outbox.republish({})).toBe(1);
    expect((await outbox.pending(1))[0]).toMatchObject({ id: "a", losses: 2 });
  });

  it("keeps what is known of the stream, for one replica at a time to replace", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    expect(await outbox.marks.read()).toEqual({ revision: 0 });
    const mark = { incarnation: "first", verified: 3, verifiedAt: new Date(1), last: 5, lastAt: new Date(2) };
    expect(await outbox.marks.replace(mark, 0)).toBe(true);
    expect(await outbox.marks.replace({ ...mark, verified: 4 }, 0)).toBe(false);
    expect(await outbox.marks.replace({ ...mark, verified: 5 }, 1)).toBe(true);
    expect(await outbox.marks.replace({ ...mark, verified: 4 }, 1)).toBe(false);
    expect(await outbox.marks.read()).toEqual({ mark: { ...mark, verified: 5 }, revision: 2 });
  });

  it("wakes its listeners once the transaction has ended", async () => {
    const { store, outbox } = await openOutbox();
    await using _ = store;
    const seen: Promise<number>[] = [];
    const listener = { isOwn: () => true, staged: () => void seen.push(outbox.depth()) };
    const subscription = new Outbox(store).listen(listener);
    await withTransaction(store, (session) => outbox.stage(session, record("a")));
    expect(await Promise.all(seen)).toEqual([1]);
    subscription.close();
    await outbox.stage(undefined, record("b"));
    expect(seen).toHaveLength(1);
  });
});
