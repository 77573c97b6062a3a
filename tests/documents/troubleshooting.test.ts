import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
const sources = globSync(["scripts/*.{mjs,ts}", "{packages,services}/*/src/**/*.ts"], { cwd: root })
  .map((file) => readFileSync(join(root, file), "utf8"))
  .join("\n");

/** Node says this one. */
const ofOthers = new Set(["Unknown option"]);

/** The messages in the first column of tables that begin with "it says". */
const messages = [...page.matchAll(/^\| it says \|[^\n]*\n\| ---[^\n]*\n(?<rows>(?:\|[^\n]*\n)+)/gm)]
  .flatMap(({ groups = {} }) => (groups["rows"] ?? "").trim().split("\n"))
  .flatMap((row) => [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message))
  .filter((message) => !ofOthers.has(message));

describe("the page for troubleshooting", () => {
  it("has messages to compare", () => {
    expect(messages.length).toBeGreaterThan(12);
  });

  it.each(messages)("quotes what a program says: %s", (message) => {
    // The programs put other values where the page has an ellipsis, and names of servers where it has one of them.
    const parts = message.replace(/^(?:mongodb|nats) /, "").split("…");
    expect(parts.map((part) => part.trim()).filter((part) => !sources.includes(part))).toEqual([]);
  });
});
