import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ownerOf } from "./outbox-share.ts";

const partitions = Array.from({ length: 3_000 }, () => randomUUID());

describe("the owner of a partition", () => {
  it("is none while no replica is known", () => {
    expect(ownerOf("run", [])).toBeUndefined();
  });

  it("is the replica that began first, where there is one partition", () => {
    expect(ownerOf("", ["first", "second", "third"])).toBe("first");
  });

  it.each([1, 2, 3, 4])("is spread evenly over %i replicas", (count) => {
    const replicas = Array.from({ length: count }, (_, n) => `replica-${n}`);
    const owners = Map.groupBy(partitions, (partition) => ownerOf(partition, replicas));
    const shares = replicas.map((replica) => owners.get(replica)?.length ?? 0);
    expect(Math.min(...shares)).toBeGreaterThan((partitions.length / count) * 0.8);
  });
});
