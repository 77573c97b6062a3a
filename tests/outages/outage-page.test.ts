import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { outageTable } from "./outage-page.ts";

describe("the page on failures", () => {
  it("shows the table that each-part-removed.long.ts holds the platform against", async () => {
    const page = await readFile(new URL("../../docs/operations/failures.md", import.meta.url), "utf8");
    const [, shown] = /<!-- outages -->\n([\s\S]*?)\n<!-- \/outages -->/.exec(page) ?? [];
    expect(shown?.trim()).toBe(outageTable());
  });
});
