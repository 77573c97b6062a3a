import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSandbox, type LandlockSandbox, sandboxedCommand } from "../src/sandbox/sandbox.ts";
import { startHandler } from "./runtime-process.ts";
import { trainModel } from "./trained-model.ts";

const run = promisify(execFile);
const found = await findSandbox();
const python = found.kind === "none" ? "python3" : found.python;
const escapes = join(import.meta.dirname, "escape_attempts.py");

const parts = new AsyncDisposableStack();
afterAll(() => parts.disposeAsync());

let victim: ChildProcess;
const ports = { port: 0, port6: 0, free: 0 };
const abstract = `aiplatform-sandbox-${process.pid}`;
beforeAll(async () => {
  victim = spawn("sleep", ["600"], { stdio: "ignore" });
  parts.defer(async () => {
    victim.kill("SIGKILL");
    await once(victim, "exit");
  });
  ports.port = (await listening({ host: "127.0.0.1", port: 0 })) ?? 0;
  ports.port6 = (await listening({ host: "::1", port: 0 }).catch(() => undefined)) ?? 0;
  const unused = createServer();
  ports.free = portOf(await new Promise<Server>((resolve) => unused.listen(0, "127.0.0.1", () => resolve(unused))));
  unused.close();
  await listening({ path: `\0${abstract}` });
});

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
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
  mkdirSync(directory);
  mkdirSync(dirname(foreign));
  writeFileSync(foreign, "secret");
  await listening({ path: socket });
  return { directory, foreign, socket, abstract, victim: victim.pid, ...ports };
}

/** What came of each attempt, by a program of Python, which can make every system call. */
async function attempted(sandbox?: LandlockSandbox): Promise<Record<string, string>> {
  const given = await surroundings();
  const command = {
    command: python,
    args: ["-I", "-S", escapes, JSON.stringify({ ...given, inside: Boolean(sandbox) })],
  };
  const library = dirname(dirname(python));
  const read = [given.directory, escapes, python, join(library, "lib")];
  const launched = sandbox ? sandboxedCommand(sandbox, { read, network: false }, command) : command;
  const { stdout } = await run(launched.command, [...launched.args]);
  return JSON.parse(stdout);
}

const namesOf = (outcomes: Record<string, string>, isWanted: (outcome: string) => boolean) =>
  Object.entries(outcomes).flatMap(([name, outcome]) => (isWanted(outcome) ? [`${name}: ${outcome}`] : []));

describe.skipIf(found.kind === "none")("a program in the sandbox", () => {
  const sandbox = found.kind === "landlock" ? found : { kind: "landlock" as const, python, abi: 0 };

  it("leaves it in none of fifty ways, most of which are open without it", async () => {
    const [inside, outside] = [await attempted(sandbox), await attempted()];
    expect(namesOf(inside, (outcome) => outcome === "done")).toEqual([]);
    expect(Object.keys(inside).length).toBeGreaterThanOrEqual(50);
    const missing = ports.port6 === 0 ? ["connect over IPv6"] : [];
    expect(namesOf(outside, (outcome) => outcome !== "done").filter((name) => !missing.includes(name))).toEqual([]);
  });

  it("cannot make files by flags of V8, reports or databases, as Node could", async () => {
    const program = `
      const tries = {
        sqlite: (path) => new (require("node:sqlite").DatabaseSync)(path).exec("create table t (x)"),
        report: (path) => process.report.writeReport(path),
        flags: (path) => {
          for (const flag of ["--no-logfile-per-isolate", "--logfile=" + path, "--log"]) require("v8").setFlagsFromString(flag);
          new (require("worker_threads").Worker)("1", { eval: true });
        },
      };
      for (const [name, attempt] of Object.entries(tries)) try { attempt(process.argv[1] + "/" + name) } catch {}`;
    const made = async (wrap: (command: { command: string; args: string[] }, directory: string) => object) => {
      const { directory } = await surroundings();
      const launched = wrap({ command: process.execPath, args: ["-e", program, directory] }, directory) as {
        command: string;
        args: string[];
      };
      await run(launched.command, launched.args).catch(() => undefined);
      return ["sqlite", "report", "flags"].filter((name) => existsSync(join(directory, name)));
    };
    expect(await made((command) => command)).toEqual(["sqlite", "report", "flags"]);
    expect(
      await made((command, directory) => sandboxedCommand(sandbox, { read: [directory], network: false }, command)),
    ).toEqual([]);
  });

  it("is not started when the boundary cannot be set up", async () => {
    const { directory } = await surroundings();
    const command = { command: process.execPath, args: ["-e", `require("fs").writeFileSync("${directory}/ran", "")`] };
    const launched = sandboxedCommand(sandbox, { read: [], network: false }, command);
    // Within a sandbox there is no other one: the launcher has no right to set it up.
    const twice = sandboxedCommand(sandbox, { read: [dirname(dirname(python)), directory], network: false }, launched);
    const failure = await run(twice.command, [...twice.args]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: expect.any(Number) });
    expect(existsSync(join(directory, "ran"))).toBe(false);
  });

  it("may open connections where its rules say so, and still nothing else", async () => {
    const { directory, foreign, socket } = await surroundings();
    const program = `
      const net = require("node:net");
      const said = (name) => new Promise((resolve) => { const client = net.connect(name).on("connect", () => { client.end(); resolve("done"); }).on("error", (error) => resolve(error.code)); });
      const file = (path) => { try { require("fs").readFileSync(path); return "done"; } catch (error) { return error.code; } };
      Promise.all([said({ host: "127.0.0.1", port: ${ports.port} }), said({ path: ${JSON.stringify(socket)} })]).then((all) => console.log(JSON.stringify([...all, file(${JSON.stringify(foreign)})])));`;
    const command = { command: process.execPath, args: ["-e", program] };
    const { command: file, args } = sandboxedCommand(sandbox, { read: [directory], network: true }, command);
    expect(JSON.parse((await run(file, [...args])).stdout)).toEqual(["done", "EPERM", "EACCES"]);
  });
});

describe.skipIf(found.kind === "none")("an instance in the sandbox", () => {
  const sandbox = found.kind === "landlock" ? { sandbox: found } : {};

  it("answers with a handler and its models", async () => {
    const { onnx } = await trainModel(1);
    const handler = `export default async (input, { models }) => Object.keys(models).concat(input.name);`;
    await using runtime = await startHandler(handler, { ...sandbox, files: { "models/digits.onnx": onnx } });
    expect((await runtime.infer({ input: { name: "ada" } })).body["output"]).toEqual(["digits", "ada"]);
    const status = readFileSync(`/proc/${runtime.child.pid}/status`, "utf8");
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
  });
});

describe("a machine without Python", () => {
  it("has no sandbox, and says why", async () => {
    expect(await findSandbox("/nowhere/python3")).toEqual({ kind: "none", reason: "/nowhere/python3 cannot be run" });
  });
});
