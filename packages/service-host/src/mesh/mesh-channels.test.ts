import { describe, expect, it } from "vitest";
import { rendezvousWeight } from "./mesh-channels.ts";

const keys = Array.from({ length: 3_000 }, (_, i) => `job-${i}`);

function chosen(addresses: readonly string[], key: string): string {
  return addresses.reduce((best, address) =>
    rendezvousWeight(address, key) > rendezvousWeight(best, key) ? address : best,
  );
}

describe("rendezvous hashing", () => {
  it("spreads keys evenly over replicas", () => {
    const counts = new Map<string, number>();
    for (const key of keys)
      counts.set(chosen(["a:1", "b:1", "c:1"], key), (counts.get(chosen(["a:1", "b:1", "c:1"], key)) ?? 0) + 1);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it("moves only the keys of a replica that left", () => {
    for (const key of keys) {
      const before = chosen(["a:1", "b:1", "c:1"], key);
      if (before !== "c:1") expect(chosen(["a:1", "b:1"], key)).toBe(before);
    }
  });
});
