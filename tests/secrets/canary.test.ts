import { describe, expect, it } from "vitest";
import { Canaries } from "./canary.ts";

describe("a canary", () => {
  const canaries = new Canaries();
  const canary = canaries.make("a header");

  it.each<[string, string | Buffer, string]>([
    ["as it is", `{"a":"${canary}"}`, "a header"],
    ["in capitals", canary.toUpperCase(), "a header"],
    ["without hyphens", canary.replaceAll("-", ""), "a header"],
    ["in base64", Buffer.from(`{"a":"${canary}"}`).toString("base64url"), "one in base64"],
    ["in base64, one off", Buffer.from(`x{"a":"${canary}"}`).toString("base64url"), "one in base64"],
    ["in base64, two off", Buffer.from(`xx{"a":"${canary}"}`).toString("base64"), "one in base64"],
    ["as the bytes of a UUID", Buffer.from(canary.replaceAll("-", ""), "hex"), "one as bytes"],
    ["in hex", Buffer.from(canary).toString("hex"), "one in hex"],
  ])("is found %s", (_, text, leak) => {
    expect(canaries.leaks("log", Buffer.from(text))).toEqual([leak]);
  });

  it("is found where it may be, and is no leak there", () => {
    const kept = canaries.make("a name", ["database"]);
    expect(canaries.seen(Buffer.from(kept)).map(({ where }) => where)).toEqual(["a name"]);
    expect(canaries.leaks("database", Buffer.from(kept))).toEqual([]);
    expect(canaries.leaks("log", Buffer.from(kept))).toEqual(["a name"]);
  });

  it("is found although the platform made it", () => {
    const minted = canaries.watch("a new key", "aip_0123456789abcdef");
    expect(canaries.leaks("answer", Buffer.from(`{"secret":"${minted}"}`))).toEqual(["a new key"]);
  });
});
