import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Examination } from "@aiplatform/doctor";
import { type Description, until } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../scripts/start.mjs", import.meta.url));
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "npm-start-"));
});

afterAll(async () => {
  for (const child of children) child.kill("SIGTERM");
  await rm(directory, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  ended: Promise<number | null>;
}

/** `npm start -- --json` without npm in between, so that its process is the one we hold. */
function start(): Started {
  const { MONGODB_URI: _, NATS_URL: __, ...env } = process.env;
  const args = [program, "--json", "--directory", directory];
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  children.push(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    said.stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    said.stderr += chunk;
  });
  const ended = once(child, "close").then(([code]) => code);
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, ended };
}

async function ready(started: Started): Promise<Description> {
  await until(() => (started.stdout().endsWith("\n") || started.child.exitCode !== null ? true : undefined), {
    withinMs: 150_000,
    otherwise: () => new Error(`nothing was printed; standard error: ${started.stderr()}`),
  });
  if (started.child.exitCode !== null) throw new Error(`it ended: ${started.stderr()}`);
  return JSON.parse(started.stdout());
}

function refused(address: string): Promise<boolean> {
  const [host = "", port] = address.replace("http://", "").split(":");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) }, () => socket.destroy());
    socket.on("error", () => resolve(true)).on("close", () => resolve(false));
  });
}

const addresses = ({ gateway, grpc }: Description) => [gateway, grpc.identity, grpc.training];

async function allRefused(description: Description): Promise<void> {
  await until(
    async () => ((await Promise.all(addresses(description).map(refused))).every(Boolean) ? true : undefined),
    {
      withinMs: 30_000,
      otherwise: () => new Error("something still listens"),
    },
  );
}

async function liveMetrics({ gateway, pipeline_id, run_id }: Description, bearer: string) {
  const path = `/pipelines/${pipeline_id}/runs/${run_id}/metrics/`;
  const response = await fetch(gateway + path, { headers: { authorization: `Bearer ${bearer}` } });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

/** What `npm run doctor` says of the platform in the directory. */
async function doctor() {
  const main = fileURLToPath(new URL("../../packages/doctor/src/main.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", main, "--directory", directory, "--json", "--timeout", "60"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const [text, [code]] = await Promise.all([streamText(child.stdout), once(child, "close")]);
  const found: Examination[] = text ? JSON.parse(text).examinations : [];
  const wrong = found.flatMap(({ check, of, findings }) =>
    findings.flatMap(({ state, says }) => (state === "ok" ? [] : [`${check} of ${of.join(", ")}: ${says}`])),
  );
  return { code, wrong, checks: new Set(found.map(({ check }) => check)) };
}

const lasting = ({ gateway, mail, grpc, bearer, foreign, ...rest }: Description) => rest;

describe("npm start -- --json", () => {
  it("comes up whole, refuses a second start, stops on Ctrl-C, comes back the same, and dies without orphans", async () => {
    const started = start();
    const first = await ready(started);
    expect(started.stdout().split("\n")).toHaveLength(2);
    const { status, body } = await liveMetrics(first, first.api_key);
    expect([status, body.sequence > 0]).toEqual([200, true]);
    expect((await liveMetrics(first, first.bearer)).status).toBe(200);
    for (const credential of [first.foreign.api_key, first.foreign.bearer]) {
      expect((await liveMetrics(first, credential)).status).toBe(404);
      expect((await liveMetrics({ ...first, ...first.foreign }, credential)).status).toBe(200);
    }

    const { code, wrong, checks } = await doctor();
    expect([code, wrong]).toEqual([0, []]);
    expect([...checks]).toEqual(
      expect.arrayContaining(["ports", "mongodb", "nats", "peers", "issuer", "smtp", "keys"]),
    );

    const second = start();
    expect(await second.ended).toBe(1);
    expect(second.stdout()).toBe("");
    expect(second.stderr()).toContain(`already runs at ${first.gateway} (process `);

    started.child.kill("SIGINT");
    expect(await started.ended).toBe(0);
    await allRefused(first);
    expect((await doctor()).code).toBe(2);

    const restarted = start();
    const again = await ready(restarted);
    expect(lasting(again)).toEqual(lasting(first));
    expect((await liveMetrics(again, again.bearer)).body.sequence).toBeGreaterThanOrEqual(body.sequence);

    restarted.child.kill("SIGKILL");
    await restarted.ended;
    await allRefused(again);
  }, 400_000);
});
