import { ReplicaLeases } from "@aiplatform/document-store";
import { eventually } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { openStore } from "./open-store.ts";

const longMs = 60_000;

describe("replicas that share work", () => {
  it("see the same list", async () => {
    await using store = await openStore();
    const replicas = Array.from({ length: 4 }, () => new ReplicaLeases(store.database, "work"));
    await Promise.all(replicas.map((replica) => eventually(() => replica.renew(longMs).catch(() => false), "a lease")));
    const ids = replicas.map(({ id }) => id).toSorted();
    for (const replica of replicas) expect(await replica.renew(longMs)).toEqual(ids);
  });

  it("do not see those of other work", async () => {
    await using store = await openStore();
    const [one, other] = [new ReplicaLeases(store.database, "one"), new ReplicaLeases(store.database, "other")];
    await other.renew(longMs);
    expect(await one.renew(longMs)).toEqual([one.id]);
  });

  it("do not see one that has released its lease", async () => {
    await using store = await openStore();
    const [one, other] = [new ReplicaLeases(store.database, "work"), new ReplicaLeases(store.database, "work")];
    await one.renew(longMs);
    await other.renew(longMs);
    await other.release();
    expect(await one.renew(longMs)).toEqual([one.id]);
  });

  it("do not see one whose lease has expired, by the database's clock", async () => {
    await using store = await openStore();
    const [one, other] = [new ReplicaLeases(store.database, "work"), new ReplicaLeases(store.database, "work")];
    await other.renew(500);
    expect(await one.renew(longMs)).toEqual([one.id, other.id].toSorted());
    await eventually(async () => (await one.renew(longMs)).length === 1, "the lease to expire");
    expect(await other.renew(longMs)).toEqual([one.id, other.id].toSorted());
  });
});
