import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { until } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CopiedRepository, copyRepository } from "../extensibility/copied-repository.ts";
import { ask, metricsPath } from "./rest.ts";

const path = "services/training/src/errors.ts";
const parts = new AsyncDisposableStack();
let copy: CopiedRepository;
let stderr = "";
let source = "";
let description: Parameters<typeof ask>[0];

beforeAll(async () => {
  copy = parts.use(await copyRepository());
  source = await copy.read(path);
  const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
  const args = ["--watch", "training", "--no-trainer", "--any-ports", "--json"];
  const program = join(copy.directory, "packages/local-platform/src/main.ts");
  const child = spawn(process.execPath, [program, ...args, "--directory", join(copy.directory, ".local")], { env });
  const ended = once(child, "close");
  parts.defer(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const isReady = () => (stderr.includes("watching training") ? true : undefined);
  await until(isReady, { withinMs: 150_000, otherwise: () => new Error(`not ready: ${stderr}`) });
  description = JSON.parse(stdout);
}, 200_000);
afterAll(() => parts.disposeAsync());

const said = (text: string) =>
  until(() => (stderr.includes(text) ? true : undefined), {
    withinMs: 60_000,
    otherwise: () => new Error(`not said: ${text}; but ${stderr}`),
  });

const metricsOfRun = () => ask(description, { path: metricsPath(description) });

describe("npm run dev -- training", () => {
  it("runs a changed source, and answers as before", async () => {
    await copy.write(path, `${source}\nconsole.log("the changed source runs");\n`);
    await said(`training runs again with ${path}`);
    expect(await copy.read(".local/logs/training.log")).toContain("the changed source runs");
    expect((await metricsOfRun()).status).toBe(200);
  });

  it("says what is wrong with a source that does not run, and goes on with the next change", async () => {
    stderr = "";
    await copy.write(path, `${source}\nthis is no program`);
    await said("training is started again with the next change");
    expect(stderr).toContain(path);
    expect(stderr).toContain("ERR_INVALID_TYPESCRIPT_SYNTAX");
    stderr = "";
    await copy.write(path, source);
    await said(`training runs again with ${path}`);
    expect((await metricsOfRun()).status).toBe(200);
  });

  it("lets a debugger in", async () => {
    const response = await fetch("http://127.0.0.1:9229/json/version");
    expect(await response.json()).toMatchObject({ Browser: expect.stringContaining("node.js") });
  });
});
