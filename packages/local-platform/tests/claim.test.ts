import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { ClaimedError, claimDirectory } from "../src/launcher/claim.ts";

let directory: string;
/** Something that the command line of this test run contains. */
const mark = "jest";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "claim-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a directory that a platform runs in", () => {
  it("is refused to the next, with address, process and how to stop it", () => {
    const claim = claimDirectory(directory, mark);
    claim.announce("http://127.0.0.1:8080");
    expect(() => claimDirectory(directory, mark)).toThrow(ClaimedError);
    expect(() => claimDirectory(directory, mark)).toThrow(
      `already runs at http://127.0.0.1:8080 (process ${process.pid}). Stop it with Ctrl-C where it was started, or: kill ${process.pid}`,
    );
  });

  it("says so while there is no address yet", () => {
    claimDirectory(directory, mark);
    expect(() => claimDirectory(directory, mark)).toThrow("already runs and is still starting");
  });

  it("is free again afterwards", () => {
    claimDirectory(directory, mark).release();
    claimDirectory(directory, mark).release();
  });
});

describe("a claim that nobody holds any more", () => {
  it.each([
    ["of a process that is gone", JSON.stringify({ pid: 2 ** 30 })],
    ["of another program with the same number", JSON.stringify({ pid: 1 })],
    ["that was cut short", "{"],
  ])("%s does not count", (_, text) => {
    writeFileSync(join(directory, "running.json"), text);
    claimDirectory(directory, mark);
    expect(JSON.parse(readFileSync(join(directory, "running.json"), "utf8")).pid).toBe(process.pid);
  });
});
