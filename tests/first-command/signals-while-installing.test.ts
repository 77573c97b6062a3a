import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { until } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");
/** Stands for an npm ci that takes long: it says its process id, and waits. */
const slowNpm = `require("node:fs").writeFileSync("npm.pid", String(process.pid)); setInterval(() => {}, 1000);`;

let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), "installing-"));
  for (const name of ["scripts", "package.json", "package-lock.json"]) {
    cpSync(join(root, name), join(clone, name), { recursive: true });
  }
  writeFileSync(join(clone, "npm.cjs"), slowNpm);
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe("npm start while it installs the packages", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("ends on %s, and npm with it", async (signal) => {
    const pidFile = join(clone, "npm.pid");
    rmSync(pidFile, { force: true });
    const env = { PATH: process.env["PATH"], npm_execpath: join(clone, "npm.cjs") };
    const stdio = ["ignore", "ignore", "pipe"] as const;
    const start = spawn(process.execPath, ["scripts/start.mjs"], { cwd: clone, env, stdio: [...stdio] });
    const said = start.stderr ? text(start.stderr) : Promise.resolve("");
    const exited = once(start, "exit");
    const npmStarts = () => (existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "" ? true : undefined);
    await until(npmStarts, { withinMs: 30_000, otherwise: () => new Error("npm is not run") });
    start.kill(signal);
    expect(await exited).toEqual([1, null]);
    expect(await said).toContain(`stopped while installing packages (${signal})\n`);
    const pid = Number(readFileSync(pidFile, "utf8"));
    await until(() => (isAlive(pid) ? undefined : true), {
      withinMs: 10_000,
      otherwise: () => new Error("npm still runs"),
    });
  });
});
