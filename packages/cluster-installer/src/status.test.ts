import { describe, expect, it } from "vitest";
import { statusTable } from "./status.ts";

describe("the table of how everything is", () => {
  it("has a line for each part, and shouts about what is not whole", () => {
    const gateway = { name: "gateway", wanted: 2, ready: 2, updated: 2, image: "g:1", isWhole: true };
    const content = { name: "content", wanted: 3, ready: 1, updated: 2, image: "c:1", isWhole: false };
    expect(statusTable([gateway, content]).split("\n")).toEqual([
      "NAME     READY  UPDATED  WHOLE  IMAGE",
      "gateway  2/2    2        yes    g:1",
      "content  1/3    2        NO     c:1",
    ]);
  });
});
