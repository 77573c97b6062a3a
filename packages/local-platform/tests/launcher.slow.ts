import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "@aiplatform/local-platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../src/main.ts", import.meta.url));
/** Who may not write what root or this user owns. */
const unprivileged = 65_534;
const asRoot = process.getuid?.() === 0;

let folder: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "launcher-"));
  chmodSync(folder, 0o755);
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

interface Launched {
  child: ChildProcess;
  stderr: () => string;
  /** Exit code, and the seconds of CPU time that it took. */
  ended: Promise<number | null>;
  /** Resolves when standard error has it. */
  says(text: string): Promise<void>;
}

/** The launcher in `directory`, with programs of the test's own before those of the machine. */
function launch(directory: string, env: NodeJS.ProcessEnv = {}, user: { uid?: number; gid?: number } = {}): Launched {
  const { MONGODB_URI: _, NATS_URL: __, ...machine } = process.env;
  const args = ["--disable-warning=ExperimentalWarning", launcher, "--json", "--any-ports", "--directory", directory];
  const stdio = ["ignore", "ignore", "pipe"] as const;
  const child = spawn(process.execPath, args, { env: { ...machine, ...env }, stdio: [...stdio], ...user });
  children.push(child);
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk) => {
    said += chunk;
  });
  return {
    child,
    stderr: () => said,
    ended: once(child, "close").then(([code]) => code),
    says: (text) =>
      until(() => (said.includes(text) ? true : undefined), {
        withinMs: 30_000,
        otherwise: () => new Error(`it did not say ${text}: ${said}`),
      }).then(() => {}),
  };
}

/** A folder of programs for the PATH. */
function programs(scripts: Record<string, string>): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return bin;
}

const processesWith = (text: string) =>
  execFileSync("ps", ["-A", "-o", "args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text));

describe("a directory that may not be written", () => {
  it("is named, with the reason and the remedy, and the launcher ends", async () => {
    const directory = join(folder, "of another user");
    mkdirSync(directory, { mode: 0o555 });
    const { ended, stderr } = launch(directory, {}, asRoot ? { uid: unprivileged, gid: unprivileged } : {});
    expect(await ended).toBe(1);
    expect(stderr()).toBe(
      `${directory} cannot be written (EACCES): this user may not. Change its owner, or name another directory: npm start -- --directory D\n`,
    );
  });

  it("is named when it cannot be made, either", async () => {
    writeFileSync(join(folder, "file"), "");
    const { ended, stderr } = launch(join(folder, "file", "below"));
    expect(await ended).toBe(1);
    expect(stderr()).toMatch(/file\/below cannot be written \(ENOTDIR\): a file is in the way\. [^\n]*\n$/);
  });
});

describe("SIGTERM while the platform starts", () => {
  const signalled = async ({ child, ended, stderr }: Launched) => {
    child.kill("SIGTERM");
    expect(await ended).toBe(1);
    expect(stderr()).toContain("stopped before everything was ready (SIGTERM)\n");
  };

  it("ends it while programs are fetched, and the download with it", async () => {
    const mark = `1000.${process.pid}`;
    const bin = programs({ python3: `case "$*" in *--version) exit 0;; esac; exec sleep ${mark}` });
    const launched = launch(join(folder, "data"), {
      // Nothing that a machine may have: neither mongod and nats-server nor what was fetched before.
      PATH: `${bin}:/usr/bin:/bin`,
      XDG_CACHE_HOME: join(folder, "cache"),
      MONGOMS_DOWNLOAD_MIRROR: "http://127.0.0.1:1",
    });
    await until(() => (processesWith(`sleep ${mark}`).length > 0 ? true : undefined), {
      withinMs: 30_000,
      otherwise: () => new Error(`nothing is fetched: ${launched.stderr()}`),
    });
    await signalled(launched);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it("ends it while it waits for a mongod that does not answer, and the mongod with it", async () => {
    const mark = `1001.${process.pid}`;
    const version = `case "$*" in *--version*) echo v99.0.0; exit 0;; esac`;
    const bin = programs({ mongod: `${version}; exec sleep ${mark}`, "nats-server": `${version}; exec sleep ${mark}` });
    const launched = launch(join(folder, "data"), { PATH: `${bin}:/usr/bin:/bin` });
    await until(() => (processesWith(`sleep ${mark}`).length === 2 ? true : undefined), {
      withinMs: 30_000,
      otherwise: () => new Error(`no mongod is started: ${launched.stderr()}`),
    });
    await signalled(launched);
    expect(processesWith(`sleep ${mark}`)).toEqual([]);
  });

  it("ends it while services start", async () => {
    const directory = join(folder, "data");
    const launched = launch(directory);
    const main = /\/services\.js|src\/services\/main\.ts/;
    const children = () =>
      execFileSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.trim().startsWith(`${launched.child.pid} `));
    await until(() => (children().some((line) => main.test(line)) ? true : undefined), {
      withinMs: 60_000,
      otherwise: () => new Error(`no service is started: ${launched.stderr()}`),
    });
    await signalled(launched);
    expect(processesWith(directory)).toEqual([]);
  });
});
