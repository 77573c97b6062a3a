import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { InstanceReport } from "../src/instance.ts";
import type { ServingManifest } from "../src/manifest.ts";
import { readablePaths, runtimeCommand } from "../src/runtime-command.ts";
import { sandboxedCommand, type TierSandbox } from "../src/sandbox/sandbox.ts";

/** Token of every instance of these tests. */
export const token = "token-of-the-tests-0123456789";
/** Name of every model of these tests. */
export const modelName = "digits";

export interface RuntimeOptions {
  /** Path → content of what is served. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly manifest?: Partial<ServingManifest>;
  readonly env?: Readonly<Record<string, string>>;
  /** Directory of `tls.crt` and `tls.key`: it takes TLS alone. */
  readonly certificateDirectory?: string;
  /** Default: Node's permission model alone. */
  readonly sandbox?: TierSandbox;
}

/** An instance as a driver starts it: a process of its own under the permission model. */
export interface RuntimeProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly grpcUrl: string;
  /** Directory of its files. */
  readonly directory: string;
  /** Asks with the token, unless `init` has headers of its own. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>;
  readonly infer: (body: unknown) => Promise<{ status: number; body: Record<string, unknown>; headers: Headers }>;
  readonly state: () => Promise<InstanceReport>;
  /** Waits until the model is loaded or has failed. */
  readonly settled: () => Promise<InstanceReport>;
  /** What it wrote to standard error. */
  readonly said: () => string;
  /** Sends a signal and waits for the end; returns the exit code. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
}

/** Starts an instance and waits until it listens. @throws Error with its output when it ends before */
export async function startRuntime(o: RuntimeOptions): Promise<RuntimeProcess> {
  const home = await realpath(await mkdtemp(join(tmpdir(), "serving-")));
  // The instance may be another user.
  await chmod(home, 0o755);
  const directory = await writeFiles(home, o.files);
  const child = await spawnRuntime(home, directory, o);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const over = once(child, "exit").then(([code]: unknown[]) => (typeof code === "number" ? code : null));
  const first = await Promise.race([once(child.stdout, "data").then(String), over.then(() => undefined)]);
  if (first === undefined) {
    await rm(home, { recursive: true, force: true });
    throw new Error(`the instance ended: ${said}`);
  }
  const ports: { port: number; grpc_port: number } = JSON.parse(first);
  const scheme = o.certificateDirectory === undefined ? "http" : "https";
  const url = `${scheme}://127.0.0.1:${ports.port}`;
  return {
    child,
    url,
    grpcUrl: `${scheme}://127.0.0.1:${ports.grpc_port}`,
    directory,
    ...askerOf(url),
    said: () => said,
    async end(signal) {
      child.kill(signal);
      return await over;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await over;
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function writeFiles(home: string, files: RuntimeOptions["files"]): Promise<string> {
  const directory = join(home, "files");
  await mkdir(directory, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), content);
  }
  return directory;
}

async function spawnRuntime(home: string, directory: string, o: RuntimeOptions) {
  const manifest: ServingManifest = {
    runtime: "onnx",
    model_name: modelName,
    version: "1",
    concurrency: 16,
    timeout_ms: 30_000,
    memory_mb: 512,
    network: false,
    ...o.manifest,
  };
  const manifestPath = join(home, "manifest.json");
  await writeFile(manifestPath, JSON.stringify(manifest));
  const models = Object.keys(o.files).some((path) => path.endsWith(".onnx"));
  const { certificateDirectory } = o;
  const paths = { directory, manifestPath, certificateDirectory, memoryMb: manifest.memory_mb, models };
  const command = runtimeCommand(paths);
  const env = {
    SERVING_DIRECTORY: directory,
    SERVING_MANIFEST: manifestPath,
    SERVING_TOKEN: token,
    // A sandbox opens one socket.
    ...(!o.sandbox && { GRPC_PORT: "0" }),
    SERVING_GUARD: "stdin",
    ...(certificateDirectory !== undefined && {
      TLS_CERT_FILE: join(certificateDirectory, "tls.crt"),
      TLS_KEY_FILE: join(certificateDirectory, "tls.key"),
    }),
    ...o.env,
  };
  const launched = o.sandbox
    ? sandboxedCommand(
        o.sandbox,
        { read: readablePaths(paths), listen: "127.0.0.1" },
        { command: process.execPath, args: command },
      )
    : { command: process.execPath, args: command };
  return spawn(launched.command, launched.args, { env, stdio: ["pipe", "pipe", "pipe"] });
}

function askerOf(url: string): Pick<RuntimeProcess, "ask" | "state" | "infer" | "settled"> {
  const ask: RuntimeProcess["ask"] = (path, init) =>
    fetch(url + path, { headers: { authorization: `Bearer ${token}` }, ...init });
  const state = async (): Promise<InstanceReport> => JSON.parse(await (await ask("/state")).text());
  return {
    ask,
    state,
    async infer(body) {
      const answer = await ask(`/v2/models/${modelName}/infer`, { method: "POST", body: JSON.stringify(body) });
      const read: Record<string, unknown> = JSON.parse(await answer.text());
      return { status: answer.status, headers: answer.headers, body: read };
    },
    async settled() {
      for (;;) {
        const report = await state();
        if (report.state !== "starting") return report;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/** Starts an instance of a handler and waits until it is ready. */
export async function startHandler(handler: string, o: Partial<RuntimeOptions> = {}): Promise<RuntimeProcess> {
  const runtime = await startRuntime({
    files: { "handler.mjs": handler, ...o.files },
    manifest: { runtime: "node", ...o.manifest },
    ...(o.env && { env: o.env }),
    ...(o.certificateDirectory !== undefined && { certificateDirectory: o.certificateDirectory }),
    ...(o.sandbox && { sandbox: o.sandbox }),
  });
  const report = await runtime.settled();
  if (report.state === "ready") return runtime;
  await runtime[Symbol.asyncDispose]();
  throw new Error(`the handler does not load: ${report.detail}`);
}
