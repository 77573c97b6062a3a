import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { directoryOfGroup } from "../src/control-groups/own-group.ts";
import { findSandbox, offeredSandboxes, type SandboxedCommand, sandboxedCommand } from "../src/sandbox/sandbox.ts";
import { startHandler } from "./runtime-process.ts";
import { containerPython, everyTier, type Surroundings } from "./sandbox-surroundings.ts";
import { trainModel } from "./trained-model.ts";

const run = promisify(execFile);
const tiers = await everyTier();
const escapes = join(import.meta.dirname, "escape_attempts.py");

const parts = new AsyncDisposableStack();
afterAll(() => parts.disposeAsync());

let victim: ChildProcess;
/** The file by which a process enters the control group of this one; empty where there is none. */
const group = ((): string => {
  if (!existsSync("/proc/self/cgroup")) return "";
  const [mounts, groups] = ["mountinfo", "cgroup"].map((name) => readFileSync(`/proc/self/${name}`, "utf8"));
  const directory = directoryOfGroup(mounts ?? "", groups ?? "");
  return directory === undefined ? "" : join(directory, "cgroup.procs");
})();

/** `free`: ports that were free when the tests began; any of them may be taken since. */
const ports: { port: number; port6: number; free: number[]; other: number } = { port: 0, port6: 0, free: [], other: 0 };
const abstract = `aiplatform-sandbox-${process.pid}`;
beforeAll(async () => {
  victim = spawn("sleep", ["600"], { stdio: "ignore" });
  parts.defer(async () => {
    victim.kill("SIGKILL");
    await once(victim, "exit");
  });
  ports.port = (await listening({ host: "127.0.0.1", port: 0 })) ?? 0;
  ports.port6 = (await listening({ host: "::1", port: 0 }).catch(() => undefined)) ?? 0;
  ports.other = await listening({ host: "127.0.0.1", port: 0 });
  for (let index = 0; index < 5; index += 1) ports.free.push(await freePort());
  await listening({ path: `\0${abstract}` });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  return port;
}

/** A server that closes with the tests. */
async function listening(at: { host: string; port: number } | { path: string }): Promise<number> {
  const server = createServer((socket) => socket.on("error", () => {}).end());
  server.listen(at);
  await once(server, "listening");
  parts.defer(() => void server.close());
  return portOf(server);
}

/** A directory of its own beside one of another organisation, and a socket there. */
async function surroundings() {
  const home = mkdtempSync(join(tmpdir(), "sandbox-"));
  parts.defer(() => rmSync(home, { recursive: true, force: true }));
  const [directory, foreign, socket] = [join(home, "own"), join(home, "other/secret"), join(home, "other/socket")];
  chmodSync(home, 0o755);
  mkdirSync(directory);
  mkdirSync(dirname(foreign));
  writeFileSync(foreign, "secret");
  await listening({ path: socket });
  return { directory, foreign, socket, abstract, group, victim: victim.pid, ...ports };
}

/** What came of each attempt, by a program of Python, which can make every system call. */
async function attempted(within?: Surroundings): Promise<Record<string, string>> {
  const given = await surroundings();
  const program = within?.python ?? "python3";
  const command = {
    command: program,
    args: ["-I", "-S", escapes, JSON.stringify({ ...given, inside: Boolean(within) })],
  };
  const read = [given.directory, escapes, program, join(dirname(dirname(program)), "lib")];
  return JSON.parse(await output(within ? sandboxedCommand(within.sandbox, { read }, command) : command));
}

async function output({ command, args }: SandboxedCommand): Promise<string> {
  return (await run(command, [...args])).stdout;
}

const namesOf = (outcomes: Record<string, string>, isWanted: (outcome: string) => boolean) =>
  Object.entries(outcomes).flatMap(([name, outcome]) => (isWanted(outcome) ? [`${name}: ${outcome}`] : []));

/** What the default profile of container runtimes refuses every program, where the tests run under one. */
function refusedByContainer(): string[] {
  const isFiltered = /^Seccomp:\s+2$/m.test(readFileSync("/proc/self/status", "utf8"));
  return isFiltered ? ["keep a key in the kernel", "enter a user namespace", "enter a network namespace"] : [];
}

/** Whether a shell may: a file that can be written may still refuse a process, such as in a group that is divided. */
async function mayEnterGroup(): Promise<boolean> {
  return run("/bin/sh", ["-c", 'echo 0 > "$0"', group]).then(
    () => true,
    () => false,
  );
}

/** Tries to make files in ways that Node's permission model does not see. */
const fileMaker = `
  const tries = {
    sqlite: (path) => new (require("node:sqlite").DatabaseSync)(path).exec("create table t (x)"),
    report: (path) => process.report.writeReport(path),
    flags: (path) => {
      for (const flag of ["--no-logfile-per-isolate", "--logfile=" + path, "--log"]) require("v8").setFlagsFromString(flag);
      new (require("worker_threads").Worker)("1", { eval: true });
    },
  };
  for (const [name, attempt] of Object.entries(tries)) try { attempt(process.argv[1] + "/" + name) } catch {}`;

async function filesMade(wrap: (command: SandboxedCommand, directory: string) => SandboxedCommand): Promise<string[]> {
  const { directory } = await surroundings();
  await output(wrap({ command: process.execPath, args: ["-e", fileMaker, directory] }, directory)).catch(
    () => undefined,
  );
  return ["sqlite", "report", "flags"].filter((name) => existsSync(join(directory, name)));
}

/** Where it is known what a machine offers, such as in CI, a tier that is missing there fails. */
const expectedTiers = (process.env["EXPECTED_SANDBOXES"] ?? "").split(",").map((name) => name.trim());

describe("the sandboxes of this machine", () => {
  const names = tiers.map(({ name }) => name);

  it(`are ${names.join(", ") || "none"}, with all that EXPECTED_SANDBOXES names`, () => {
    expect(expectedTiers.filter((name) => name !== "" && !names.includes(name))).toEqual([]);
  });
});

describe.skipIf(tiers.length === 0)("a program without a sandbox", () => {
  it("does what the others are to be kept from", async () => {
    const impossible = [
      ...(ports.port6 === 0 ? ["connect over IPv6"] : []),
      ...((await mayEnterGroup()) ? [] : ["enter another control group"]),
      ...refusedByContainer(),
    ];
    const outcomes = Object.entries(await attempted()).filter(([name]) => !impossible.includes(name));
    expect(namesOf(Object.fromEntries(outcomes), (outcome) => outcome !== "done")).toEqual([]);
    expect(await filesMade((command) => command)).toEqual(["sqlite", "report", "flags"]);
  });
});

describe.each(tiers)("a program in the sandbox: $name", (within) => {
  const { sandbox } = within;

  it("leaves it in none of fifty ways", async () => {
    const outcomes = await attempted(within);
    expect(namesOf(outcomes, (outcome) => outcome === "done")).toEqual([]);
    expect(Object.keys(outcomes).length).toBeGreaterThanOrEqual(50);
  });

  it("cannot make files by flags of V8, reports or databases, as Node could", async () => {
    expect(await filesMade((command, directory) => sandboxedCommand(sandbox, { read: [directory] }, command))).toEqual(
      [],
    );
  });

  it("is not started when the boundary cannot be set up", async () => {
    const { directory } = await surroundings();
    const command = { command: process.execPath, args: ["-e", "process.stdout.write('ran')"] };
    // No address of this machine.
    const launched = sandboxedCommand(sandbox, { read: [directory], listen: "192.0.2.1" }, command);
    await expect(output(launched)).rejects.toMatchObject({
      code: 77,
      stdout: "",
      stderr: /could not be set up: a socket/,
    });
  });

  it("reaches the way out that its rules name, and nothing else", async () => {
    const { directory, foreign, socket } = await surroundings();
    const addresses = [
      { host: "127.0.0.1", port: ports.port },
      { host: "127.0.0.1", port: ports.other },
      { path: sandbox.kind === "landlock" ? socket : "/egress" },
    ];
    const program = `
      const net = require("node:net");
      const said = (address) => new Promise((resolve) => net.connect(address).on("connect", () => resolve("done")).on("error", ({ code }) => resolve(code)));
      const read = (path) => { try { require("fs").readFileSync(path); return "done"; } catch ({ code }) { return code; } };
      Promise.all(${JSON.stringify(addresses)}.map(said)).then((all) => console.log(JSON.stringify([...all, read(${JSON.stringify(foreign)})])));`;
    const [egress, reached] =
      sandbox.kind === "landlock"
        ? [{ port: ports.port }, ["done", "EACCES", "EPERM", "EACCES"]]
        : [{ socket }, ["ECONNREFUSED", "ECONNREFUSED", "done", "ENOENT"]];
    chmodSync(socket, 0o666);
    const command = { command: process.execPath, args: ["-e", program] };
    expect(JSON.parse(await output(sandboxedCommand(sandbox, { read: [directory], egress }, command)))).toEqual(
      reached,
    );
  });

  it("makes files in the directory that its rules name, up to their size, and nowhere else", async () => {
    const { directory, foreign } = await surroundings();
    const scratch = mkdtempSync(join(tmpdir(), "sandbox-scratch-"));
    parts.defer(() => rmSync(scratch, { recursive: true, force: true }));
    const within = (name: string) => JSON.stringify(join(scratch, name));
    const program = `
      const fs = require("node:fs");
      const said = (attempt) => { try { attempt(); return "done"; } catch ({ code }) { return code; } };
      console.log(JSON.stringify([
        said(() => fs.writeFileSync(${within("kept")}, Buffer.alloc(1 << 20))),
        said(() => fs.writeFileSync(${within("gone")}, "x")),
        said(() => fs.unlinkSync(${within("gone")})),
        said(() => fs.writeFileSync(${within("large")}, Buffer.alloc((1 << 20) + 1))),
        said(() => fs.writeFileSync(${JSON.stringify(join(directory, "own"))}, "x")) === "done",
        said(() => fs.writeFileSync(${JSON.stringify(foreign)}, "x")) === "done",
      ]));`;
    const rules = { read: [directory], write: { directory: scratch, file: 1 } };
    const command = sandboxedCommand(sandbox, rules, { command: process.execPath, args: ["-e", program] });
    expect(JSON.parse(await output(command))).toEqual(["done", "done", "done", "EFBIG", false, false]);
    expect(existsSync(join(scratch, "kept"))).toBe(true);
    expect(readFileSync(foreign, "utf8")).toBe("secret");
  });

  it("ends with the process that started it, where its rules name that", async () => {
    const waits = {
      command: process.execPath,
      args: ["-e", "process.stdout.write('up'); setInterval(() => {}, 1_000)"],
    };
    const starter = `
      const { sandboxedCommand } = await import(${JSON.stringify(join(import.meta.dirname, "../src/sandbox/sandbox.ts"))});
      const { spawn } = await import("node:child_process");
      const rules = { read: [], parent: process.pid };
      const { command, args } = sandboxedCommand(${JSON.stringify(sandbox)}, rules, ${JSON.stringify(waits)});
      const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
      child.stdout.once("data", () => process.stdout.write(String(child.pid)));`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", starter], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = String((await once(parent.stdout, "data"))[0]);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 10_000 });
  });

  it("is an instance that answers with a handler and its models", async () => {
    const { onnx } = await trainModel(1);
    const handler = `export default async (input, { models }) => Object.keys(models).concat(input.name);`;
    await using runtime = await startHandler(handler, { sandbox, files: { "models/digits.onnx": onnx } });
    expect((await runtime.infer({ input: { name: "ada" } })).body["output"]).toEqual(["digits", "ada"]);
    const [pid = runtime.child.pid] = childrenOf(runtime.child.pid);
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
  });
});

const childrenOf = (pid: number | undefined) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").match(/\d+/g) ?? [];

const isGone = (pid: string) =>
  !existsSync(`/proc/${pid}`) || /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));

const namespaces = tiers.filter(({ sandbox }) => sandbox.kind === "namespaces");

describe.each(namespaces)("a process behind its launcher: $name", ({ sandbox }) => {
  const started = async (program: string) => {
    const said = `process.stdout.write("up"); setInterval(() => {}, 1_000);`;
    const command = { command: process.execPath, args: ["-e", `${program}; ${said}`] };
    const { command: file, args } = sandboxedCommand(sandbox, { read: [] }, command);
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    parts.defer(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const [pid = ""] = childrenOf(child.pid);
    return { child, pid, ended };
  };
  it("gets the signals of its launcher, which ends as it ends", async () => {
    const { child, ended } = await started(`process.on("SIGTERM", () => process.exit(3))`);
    child.kill("SIGTERM");
    expect(await ended).toEqual([3, null]);
  });

  it("is ended by a signal that it does not handle, although the kernel keeps that from process 1", async () => {
    const { child, pid, ended } = await started("");
    child.kill("SIGTERM");
    expect(await ended).toEqual([null, "SIGKILL"]);
    expect(isGone(pid)).toBe(true);
  });

  it("ends with its launcher", async () => {
    const { child, pid, ended } = await started(`process.on("SIGTERM", () => {})`);
    child.kill("SIGKILL");
    await ended;
    await vi.waitFor(() => expect(isGone(pid)).toBe(true), { timeout: 10_000 });
  });

  it("has an id of its own outside, where root starts it", async () => {
    const { child, pid, ended } = await started("");
    const owner = Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    child.kill("SIGKILL");
    await ended;
    expect(owner).not.toBe(0);
  });
});

describe("a container whose runtime refuses namespaces and mounts", () => {
  it("offers Landlock, which is then taken", async () => {
    const [found, bare] = [await findSandbox({ python: containerPython }), await findSandbox()];
    // As strong as it gets there: a machine without Landlock has nothing left.
    expect(found).toMatchObject(bare.kind === "none" || bare.abi < 4 ? { kind: "none" } : { kind: "landlock" });
  });
});

describe("a tier that is asked for", () => {
  it("is refused where the machine lacks it, with the reason", async () => {
    const { reason } = await offeredSandboxes({ python: containerPython });
    // By the container's profile, or by a machine without any tier.
    expect(reason).toMatch(/ lacks namespaces: (?:a user namespace: |only Linux )|^it has no Python 3: /);
    const asked = findSandbox({ choice: "namespaces", python: containerPython });
    await expect(asked).rejects.toThrow(`SERVING_SANDBOX is namespaces, which cannot be used here: ${reason}`);
  });

  it("is used although a stronger one is there", async () => {
    for (const { kind } of tiers.filter(({ name }) => !name.includes(" ")).map(({ sandbox }) => sandbox)) {
      expect(await findSandbox({ choice: kind })).toMatchObject({ kind });
    }
    expect(await findSandbox({ choice: "none" })).toEqual({ kind: "none", reason: "SERVING_SANDBOX is none" });
  });
});

describe("a machine without Python", () => {
  it("has no sandbox, and says why", async () => {
    const reason = "it has no Python 3: /nowhere/python3 cannot be run";
    expect(await findSandbox({ python: "/nowhere/python3" })).toEqual({ kind: "none", reason });
  });
});
