import { describe, expect, it } from "vitest";
import { eventually } from "./eventually.ts";

describe("looking for something that comes late", () => {
  it("answers what is seen in the end", async () => {
    let looks = 0;
    expect(await eventually(() => (++looks === 3 ? "there" : undefined))).toBe("there");
    expect(looks).toBe(3);
  });

  it("says what was waited for when it does not come", async () => {
    await expect(eventually(() => false, "the end of the world", 20)).rejects.toThrow(
      "timed out after 20 ms waiting for the end of the world; last seen: false",
    );
  });

  it("shows how it was looked for when no words are given", async () => {
    const rows: string[] = [];
    await expect(eventually(() => rows.find((row) => row === "three"), undefined, 20)).rejects.toThrow(
      /waiting for \(\) => rows\.find\(\(row\) => row === "three"\); last seen: undefined/,
    );
  });
});
