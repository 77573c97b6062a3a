import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RuntimeProcess, startHandler } from "./runtime-process.ts";

/** Tries something and answers what came of it: `done`, or the code of the refusal. */
const handler = `
import childProcess from "node:child_process";
import dgram from "node:dgram";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import v8 from "node:v8";
import threads from "node:worker_threads";

const require = createRequire(import.meta.url);
const heard = (thing, event) => new Promise((resolve, reject) => thing.once(event, resolve).once("error", reject));
const attempts = {
  "read another file": ({ path }) => fs.readFileSync(path),
  "read its own file": () => fs.readFileSync(new URL("handler.mjs", import.meta.url)),
  "list the directory above": () => fs.readdirSync(new URL("..", import.meta.url)),
  "read the environment of the process": () => fs.readFileSync("/proc/self/environ"),
  "write a file": () => fs.writeFileSync(new URL("written", import.meta.url), "x"),
  "write to a temporary directory": () => fs.writeFileSync(os.tmpdir() + "/written", "x"),
  "start a process": () => childProcess.execFileSync("/bin/true"),
  "start a thread": () => new threads.Worker("1", { eval: true }),
  "load an addon": ({ path }) => require(path),
  "connect": ({ port }) => heard(net.connect(port, "127.0.0.1"), "connect"),
  "connect to a name": ({ port }) => heard(net.connect(port, "localhost"), "connect"),
  "ask over HTTP": ({ port }) => heard(http.get({ port, host: "127.0.0.1" }), "response"),
  "fetch": ({ port }) => fetch("http://127.0.0.1:" + port),
  "listen": () => heard(net.createServer().listen(0), "listening"),
  "send datagrams": () => heard(dgram.createSocket("udp4").bind(0), "listening"),
  "send a signal": () => process.kill(process.ppid, 0),
  "write a report": () => process.report.writeReport(os.tmpdir() + "/report"),
  "set flags of V8": () => v8.setFlagsFromString("--log"),
  "change a priority": () => os.setPriority(process.ppid, 10),
  "open a database": async () => new (await import("node:sqlite")).DatabaseSync(os.tmpdir() + "/database"),
  "reach natives": () => process.binding("fs").open,
  "take its permissions back": () => { process.permission.has = () => true; return fs.readFileSync("/etc/hostname"); },
  "find a secret in its environment": () => { if (!JSON.stringify(process.env).includes("token")) throw new Error("none"); },
};
export default async ({ attempt, ...given }) => {
  try {
    await attempts[attempt](given);
    return "done";
  } catch (error) {
    return error.cause?.code ?? error.code ?? error.name;
  }
};`;

describe("a handler", () => {
  let runtime: RuntimeProcess;
  let port: number;
  const server = createServer((_, response) => response.end("hello"));

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
    runtime = await startHandler(handler);
  });

  afterAll(async () => {
    await runtime[Symbol.asyncDispose]();
    server.close();
  });

  const attempt = async (name: string, given: object = {}) =>
    (await runtime.infer({ input: { attempt: name, port, ...given } })).body["output"];

  it("reads its own files", async () => {
    expect(await attempt("read its own file")).toBe("done");
  });

  it.each([
    ["read another file", { path: "/etc/passwd" }],
    ["read another file", { path: "/proc/self/environ" }],
    ["list the directory above", {}],
    ["read the environment of the process", {}],
    ["write a file", {}],
    ["write to a temporary directory", {}],
    ["start a process", {}],
    ["start a thread", {}],
    ["connect", {}],
    ["connect to a name", {}],
    ["ask over HTTP", {}],
    ["listen", {}],
    ["send datagrams", {}],
    ["take its permissions back", {}],
  ])("may not %s", async (name, given) => {
    expect(await attempt(name, given)).toBe("ERR_ACCESS_DENIED");
  });

  it("may not read the manifest of its instance", async () => {
    const path = `${runtime.directory}/../manifest.json`;
    expect(await attempt("read another file", { path })).toBe("ERR_ACCESS_DENIED");
  });

  it.each([
    ["fetch", {}],
    ["send a signal", {}],
    ["write a report", {}],
    ["set flags of V8", {}],
    ["change a priority", {}],
    ["open a database", {}],
    ["reach natives", {}],
    ["load an addon", { path: "onnxruntime-node" }],
    ["find a secret in its environment", {}],
  ])("cannot %s", async (name, given) => {
    expect(await attempt(name, given)).not.toBe("done");
  });

  describe("that declared the network", () => {
    it("connects, and may do nothing else that it might not", async () => {
      await using networked = await startHandler(handler, { manifest: { network: true } });
      const ask = async (name: string, given: object = {}) =>
        (await networked.infer({ input: { attempt: name, port, ...given } })).body["output"];
      expect(await ask("connect")).toBe("done");
      expect(await ask("fetch")).toBe("done");
      expect(await ask("read another file", { path: "/etc/passwd" })).toBe("ERR_ACCESS_DENIED");
      expect(await ask("start a process")).toBe("ERR_ACCESS_DENIED");
    });
  });

  describe("with models, whose runtime is an addon", () => {
    it("may not load addons itself", async () => {
      const { trainModel } = await import("./trained-model.ts");
      const { onnx } = await trainModel(1);
      await using modelled = await startHandler(handler, { files: { "models/digits.onnx": onnx } });
      const given = { attempt: "load an addon", path: "onnxruntime-node" };
      expect((await modelled.infer({ input: given })).body["output"]).not.toBe("done");
    });
  });
});
