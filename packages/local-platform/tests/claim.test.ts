import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClaimedError, claimDirectory } from "../src/launcher/claim.ts";
import { DirectoryError } from "../src/launcher/directory-error.ts";

const claimModule = import.meta.resolve("../src/launcher/claim.ts");

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "claim-"));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("a directory that a platform runs in", () => {
  it("is refused to the next, with address, process and how to stop it", () => {
    const claim = claimDirectory(directory);
    claim.announce("http://127.0.0.1:8080");
    expect(() => claimDirectory(directory)).toThrow(ClaimedError);
    expect(() => claimDirectory(directory)).toThrow(
      `already runs at http://127.0.0.1:8080 (process ${process.pid}). Stop it with Ctrl-C where it was started, or: kill ${process.pid}`,
    );
  });

  it("is closed to other users of the machine, also one that was made open before", () => {
    chmodSync(directory, 0o755);
    claimDirectory(directory).release();
    expect((statSync(directory).mode & 0o777).toString(8)).toBe("700");
  });

  it("says so while there is no address yet", () => {
    claimDirectory(directory);
    expect(() => claimDirectory(directory)).toThrow("already runs and is still starting");
  });

  it("is free again afterwards", () => {
    claimDirectory(directory).release();
    claimDirectory(directory).release();
  });
});

describe("a claim that no process holds", () => {
  it.each([
    ["of a process that is gone", JSON.stringify({ pid: 2 ** 30 })],
    ["of another program with the same number", JSON.stringify({ pid: process.ppid })],
    ["that was cut short", "{"],
  ])("%s does not count", (_, text) => {
    writeFileSync(join(directory, "running.json"), text);
    claimDirectory(directory);
    expect(JSON.parse(readFileSync(join(directory, "running.json"), "utf8")).pid).toBe(process.pid);
  });

  it("of a process that was killed does not count", async () => {
    const program = `import { claimDirectory } from ${JSON.stringify(claimModule)};
      claimDirectory(${JSON.stringify(directory)});
      console.log("claimed");
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => claimDirectory(directory)).toThrow(`(process ${holder.pid})`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    claimDirectory(directory).release();
  });
});

describe("a directory that cannot be used", () => {
  it("is said to be so, when a file is in the way", () => {
    const file = join(directory, "file");
    writeFileSync(file, "");
    expect(() => claimDirectory(file)).toThrow(DirectoryError);
    expect(() => claimDirectory(file)).toThrow(`${file} cannot be written (EEXIST): a file is in the way. Remove it`);
  });
});
