import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as streamText } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseEnv, promisify } from "node:util";
import type { Examination } from "@aiplatform/doctor";
import type { Description } from "@aiplatform/local-platform";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Launcher } from "./launcher.ts";
import { ask, commandApplied, type Json, until } from "./rest.ts";

let directory: string;
const launchers: Launcher[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "npm-start-"));
});

afterAll(async () => {
  await Promise.all(launchers.map((launcher) => launcher.end("SIGINT")));
  await rm(directory, { recursive: true, force: true });
});

function start(...args: string[]): Launcher {
  const launcher = new Launcher("--directory", directory, ...args);
  launchers.push(launcher);
  return launcher;
}

/** What it wrote for shells. */
const variables = async () => parseEnv(await readFile(join(directory, "platform.env"), "utf8"));
/** Differ from start to start. */
const passing = new Set(["GATEWAY", "PLATFORM_URL", "TRAINING", "MAIL", "TOKEN"]);
const lasting = (all: NodeJS.Dict<string>) => Object.entries(all).filter(([name]) => !passing.has(name));

const recordPath = () => join(directory, "secrets", "demo.json");
const readRecord = async (): Promise<Json> => JSON.parse(await readFile(recordPath(), "utf8"));

function refused(address: string): Promise<boolean> {
  const [host = "", port] = address.replace("http://", "").split(":");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) }, () => socket.destroy());
    socket.on("error", () => resolve(true)).on("close", () => resolve(false));
  });
}

async function allRefused(...addresses: string[]): Promise<void> {
  const refusals = () => Promise.all(addresses.map(refused));
  await until("nothing to listen", 30, refusals, (seen) => seen.every(Boolean));
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

let first: Description;
let firstVariables: NodeJS.Dict<string>;

describe("npm start -- --json", () => {
  let launcher: Launcher;

  it("prints one line about a platform that works", async () => {
    launcher = start("--json");
    first = JSON.parse(await launcher.prints("\n"));
    expect(launcher.stdout.split("\n")).toHaveLength(2);
    firstVariables = await variables();
    const { status, body } = await liveMetrics(first, first.api_key);
    expect([status, body.sequence > 0]).toEqual([200, true]);
    expect((await liveMetrics(first, first.bearer)).status).toBe(200);
    for (const credential of [first.foreign.api_key, first.foreign.bearer]) {
      expect((await liveMetrics(first, credential)).status).toBe(404);
      expect((await liveMetrics({ ...first, ...first.foreign }, credential)).status).toBe(200);
    }
  }, 200_000);

  it("is healthy, as the doctor says", async () => {
    const { code, wrong, checks } = await doctor();
    expect([code, wrong]).toEqual([0, []]);
    expect([...checks]).toEqual(
      expect.arrayContaining(["ports", "mongodb", "nats", "peers", "issuer", "smtp", "keys"]),
    );
  }, 100_000);

  it("refuses a second start in the same directory", async () => {
    const second = start("--json");
    expect(await second.ended).toBe(1);
    expect(second.stdout).toBe("");
    expect(second.stderr).toContain(`already runs at ${first.gateway} (process `);
  });

  it("stops on Ctrl-C", async () => {
    expect(await commandApplied(first, "pause")).toMatchObject({ status: "applied" });
    // The demo's key is now of a time when there were fewer permissions.
    const body = { name: "of earlier", permission_ids: ["training:write", "training:command", "metrics:read"] };
    const made = await ask(first, { path: "/platform/api-keys", body });
    expect(await launcher.end("SIGINT")).toBe(0);
    await allRefused(first.gateway, first.grpc.identity, first.grpc.training);
    expect((await doctor()).code).toBe(1);
    const record = await readRecord();
    record.demo.api_key = made.body.secret;
    await writeFile(recordPath(), JSON.stringify(record));
  }, 60_000);
});

describe("npm start on what an earlier start left", () => {
  let launcher: Launcher;
  let again: NodeJS.Dict<string>;
  const printedCommand = (says: string) => commandBelow(launcher.stdout, says);
  const pasteJson = async (says: string): Promise<Json> => JSON.parse(await paste(printedCommand(says)));

  beforeAll(async () => {
    launcher = start();
    await launcher.prints("Ctrl-C stops everything");
    again = await variables();
  }, 180_000);

  it("finds everything again, and gives the demo a key with every permission that there is by now", async () => {
    const { KEY: key = "", PLATFORM_API_KEY, ...found } = again;
    const { KEY: _, PLATFORM_API_KEY: __, ...left } = firstVariables;
    expect(lasting(found)).toEqual(lasting(left));
    expect(PLATFORM_API_KEY).toBe(key);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${again["GATEWAY"]}/platform/audit`, { headers })).status).toBe(200);
    expect((await readRecord()).demo).toMatchObject({ api_key: key, run_id: first.run_id });
  });

  it("says that the run is paused, and begins with the command that resumes it", async () => {
    const { stdout } = launcher;
    expect(stdout).toContain("the run is paused");
    expect(stdout).not.toContain("a model is being trained");
    expect(stdout.indexOf('"action":"resume"')).toBeLessThan(stdout.indexOf('"action":"pause"'));
    await pasteJson("resume where it was");
    const curve = () => pasteJson("watch it learn");
    await until("the run to go on", 60, curve, ({ status }) => status === "running");
  }, 90_000);

  it("prints a command that shows the curve of the accuracy so far", async () => {
    const curve = () => pasteJson("watch it learn");
    const seen = await until("a point", 60, curve, ({ series }) => series.test_accuracy?.values.length > 0);
    expect(seen.status).toBe("running");
  });

  it("prints a command that follows it as it happens", async () => {
    const lines = (await paste(printedCommand("as it happens"), 4)).trim().split("\n");
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.parse(lines[0] ?? "").schema_version).toBe("training-metrics.v3");
  });

  it.each(["pause", "resume where it was", "go back", "restart from the best weights", "finish"])(
    "prints a command that steers it, which the trainer does: %s",
    async (says) => {
      const { id, status } = await pasteJson(says);
      expect(status).toBe("pending");
      const log = () => pasteJson("what became of these commands");
      const settled = await until(`${says} to settle`, 30, log, (commands) =>
        commands.some((one: Json) => one.id === id && one.status !== "pending"),
      );
      expect(settled.find((one: Json) => one.id === id)).toMatchObject({ status: "applied" });
    },
  );

  it("leaves no process behind when it is killed", async () => {
    await launcher.end("SIGKILL");
    await allRefused(again["GATEWAY"] ?? "", again["TRAINING"] ?? "");
  });
});

/** The printed command below the comment that contains `says`. */
function commandBelow(printed: string, says: string): string {
  const lines = printed.split("\n");
  const comment = lines.findIndex((line) => line.trimStart().startsWith("#") && line.includes(says));
  const command = lines[comment + 1]?.trim() ?? "";
  if (!command.startsWith("curl ")) throw new Error(`the banner prints no command for: ${says}`);
  return command;
}

/** What a shell prints for it, as a person would see it. */
async function paste(command: string, seconds = 20): Promise<string> {
  const { stdout } = await promisify(execFile)("bash", ["-c", `timeout ${seconds} ${command} || [ $? = 124 ]`]);
  return stdout;
}
