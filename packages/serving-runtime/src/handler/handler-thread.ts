// The thread that a handler runs in. It gives up what a handler must not have, then loads it.
import http from "node:http";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import v8 from "node:v8";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { FromHandler, HandlerData, ToHandler } from "./handler-messages.ts";

const maxMessageLength = 2_000;
/** Natives by which a thread reaches past the permission model, or other processes of this user. */
const natives = [
  ...["kill", "_kill", "binding", "_linkedBinding", "dlopen", "_debugProcess", "_debugEnd", "execve"],
  // Writes reports, which hold the environment and the command line of the process.
  "report",
  ...["setuid", "setgid", "seteuid", "setegid", "setgroups", "initgroups", "loadEnvFile"],
];

type Handler = (input: unknown, context: object) => unknown;

const data: HandlerData = workerData;
// Only this module has the port: what a handler says on the thread's own port is ignored.
parentPort?.once("message", (port: MessagePort) => void begin(port));

async function begin(port: MessagePort): Promise<void> {
  const say = (message: FromHandler) => port.postMessage(message);
  giveUp();
  try {
    const found: { default?: unknown } = await import(pathToFileURL(join(data.directory, "handler.mjs")).href);
    if (typeof found.default !== "function") throw new Error("its default export is not a function");
    serve(port, found.default as Handler);
    say({ type: "ready" });
  } catch (error) {
    say({ type: "unfit", detail: describe(error) });
  }
}

function giveUp(): void {
  const scopes = ["fs.write", "child", "worker", "addon", "wasi", "ffi", "inspector", "openssl-store"];
  if (!data.network) scopes.unshift("net");
  const permission: { drop?: (scope: string, path?: string) => void } | undefined = process.permission;
  for (const scope of scopes) permission?.drop?.(scope);
  for (const path of data.hidden) permission?.drop?.("fs.read", path);
  for (const name of natives) {
    if (name in process) Object.defineProperty(process, name, { value: undefined });
  }
  // Flags write files of logs; a priority is that of any process of this user.
  Object.defineProperty(v8, "setFlagsFromString", { value: undefined });
  Object.defineProperty(os, "setPriority", { value: undefined });
  // Built-in clients of HTTP then use the proxy of the environment.
  if (data.proxy !== undefined) http.setGlobalProxyFromEnv();
  syncBuiltinESMExports();
}

function serve(port: MessagePort, handler: Handler): void {
  const say = (message: FromHandler) => port.postMessage(message);
  const calls = new Map<number, AbortController>();
  const models = new ModelCalls(say);

  const call = async ({ id, input, parameters }: Extract<ToHandler, { type: "call" }>) => {
    const abort = new AbortController();
    calls.set(id, abort);
    try {
      const context = {
        datasets: data.datasets,
        models: models.of(data.models),
        parameters,
        signal: abort.signal,
        log: (...parts: unknown[]) => console.error(...parts),
      };
      const text = writeAnswer(await handler(input, context));
      if (text.length > data.maxAnswer) throw new Error(`its answer is longer than ${data.maxAnswer} characters`);
      say({ type: "answer", id, text });
    } catch (error) {
      say({ type: "failure", id, message: describe(error) });
    } finally {
      calls.delete(id);
    }
  };

  port.on("message", (message: ToHandler) => {
    if (message.type === "call") void call(message);
    else if (message.type === "abort") calls.get(message.id)?.abort();
    else if (message.type === "ping") say({ type: "pong" });
    else models.settle(message);
  });
}

/** Predictions of the bundle's models, which are computed outside of this thread. */
class ModelCalls {
  readonly #say: (message: FromHandler) => void;
  readonly #open = new Map<number, { resolve(outputs: unknown): void; reject(error: Error): void }>();
  #last = 0;

  constructor(say: (message: FromHandler) => void) {
    this.#say = say;
  }

  of(files: Readonly<Record<string, string>>) {
    const entries = Object.entries(files).map(([alias, path]) => {
      return [alias, { path, infer: (inputs: unknown) => this.#infer(alias, inputs) }];
    });
    return Object.fromEntries(entries);
  }

  settle(message: Extract<ToHandler, { type: "inferred" | "not_inferred" }>): void {
    const open = this.#open.get(message.id);
    this.#open.delete(message.id);
    if (message.type === "inferred") open?.resolve(message.outputs);
    else open?.reject(new Error(message.message));
  }

  #infer(alias: string, inputs: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = ++this.#last;
    this.#open.set(id, { resolve, reject });
    this.#say({ type: "infer", id, alias, inputs: JSON.parse(writeAnswer(inputs)) });
    return promise;
  }
}

/** JSON, in which typed arrays are arrays. @throws Error for what JSON cannot say */
function writeAnswer(value: unknown): string {
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (ArrayBuffer.isView(item) && !(item instanceof DataView))
      return Array.from(item as unknown as Iterable<unknown>);
    if (typeof item === "bigint") return Number.isSafeInteger(Number(item)) ? Number(item) : String(item);
    return item;
  });
  if (text === undefined) throw new Error("it answered nothing that JSON can say");
  return text;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `threw ${String(error)}`;
  const plain = text.replaceAll(data.directory, "");
  return plain.length > maxMessageLength ? `${plain.slice(0, maxMessageLength)}…` : plain;
}
