import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hostSettings, settingsTable } from "../src/index.ts";

describe("the README", () => {
  it("shows the settings as they are declared", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const shown = /<!-- settings: .*? -->\n([\s\S]*?)\n<!-- \/settings -->/.exec(readme)?.[1];
    expect(shown).toBe(settingsTable(hostSettings));
  });
});
