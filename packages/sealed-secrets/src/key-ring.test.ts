import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readKeyRing } from "./key-ring.ts";

const key = randomBytes(32).toString("base64");

describe("a key ring", () => {
  it("is a list of keys with names, in their order", () => {
    const ring = readKeyRing(
      JSON.stringify([
        { id: "2026-11", key },
        { id: "old.1", key },
      ]),
    );
    expect(ring.map(({ id }) => id)).toEqual(["2026-11", "old.1"]);
    expect(Buffer.from(ring[0]?.key ?? []).toString("base64")).toBe(key);
  });

  it.each<[string, string, string]>([
    ["no JSON", `secret ${key}`, "must be JSON"],
    ["no list", JSON.stringify({ id: "a", key }), "must be a JSON list of at least one {id, key}"],
    ["an empty list", "[]", "must be a JSON list of at least one {id, key}"],
    ["a name with a blank", JSON.stringify([{ id: "a b", key }]), "entry 0: id must be 1 to 64 letters"],
    ["a short key", JSON.stringify([{ id: "a", key: key.slice(8) }]), "entry 0: key must be 32 bytes in base64"],
    [
      "a name twice",
      JSON.stringify([
        { id: "a", key },
        { id: "a", key },
      ]),
      "names an id twice",
    ],
  ])("is refused where it is %s, without its text", (_what, text, message) => {
    const read = () => readKeyRing(text);
    expect(read).toThrow(message);
    expect(read).not.toThrow(key.slice(8));
  });
});
